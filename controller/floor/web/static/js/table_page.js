// One table: how it stands, what it waits for, what may be said from here, its rounds.

import { cardPart } from "./table_cards.js";
import { capital, t, titled } from "/static/js/catalogue.js";
import { button, byId, clock, draw, h } from "/static/js/dom.js";
import { get } from "/static/js/http.js";
import { sentence } from "/static/js/sentences.js";
import { decidedBy } from "/static/js/titles.js";
import { drawExceptions, tickExceptions } from "./exceptions.js";
import { amount, floor, may, reaches } from "./floor.js";
import { listing } from "./listing.js";
import { order } from "./ordering.js";
import { failed, start } from "./shell.js";

/** @import { OfferedMethod, FloorRound, TablePage, Tile } from "./types.d.ts" */

const table = location.pathname.split("/").at(-1) ?? "";
const wrong = h("section", { class: "exceptions panel", "aria-live": "polite" });
const view = h("section", { class: "panel view" });
const acts = h("section", { class: "panel acts" });
const devices = h("section", { class: "panel list" });
const rounds = h("section", { class: "panel list" });
byId("work").append(wrong, h("div", { class: "two" }, view, h("div", { class: "side" }, acts, devices)), rounds);

const AGAIN_MS = 3000;
let shownSeq = -1;

function redraw() {
  const tile = floor.tiles.get(table);
  if (!tile) return;
  drawExceptions(wrong, table);
  if (tile.seq === shownSeq) return;
  shownSeq = tile.seq;
  show().catch(failed);
}

async function show() {
  const found = /** @type {TablePage} */ (await get(`/api/tables/${table}`));
  const { tile, view: seen } = found;
  const prompt = seen?.prompt;
  drawActs(tile);
  drawDevices(tile);
  draw(view, [
    h("h2", {}, tile.title, " ", h("span", { class: "soft" },
      [tile.shoe ? t("Shoe {n}", { n: tile.shoe }) : null, tile.round ? t("Round {n}", { n: tile.round }) : null,
        tile.dealer].filter(Boolean).join(" · "))),
    h("p", { class: "phase" }, titled("phase", tile.phase),
      tile.method ? h("span", { class: "soft" }, ` · ${t("Method {m}", { m: tile.method })}`) : null),
    seen ? cardPart(seen) : h("p", { class: "empty" }, t("This table has not reported yet.")),
    prompt ? h("p", { class: "prompt" }, capital(sentence(prompt.code, prompt.gaps, prompt.do))) : null,
  ]);
}

/** @param {Tile} tile */
function drawActs(tile) {
  const open = may("speak_from_floor") && !tile.away;
  const between = tile.can.includes("limits");
  const takes = (/** @type {string} */ word) => open && (tile.floor_may === null || tile.floor_may.includes(word));
  const close = tile.close_after ? "stay_open" : "close_table";
  draw(acts, [
    h("h2", {}, t("Actions")),
    tile.away ? h("p", {}, t("Table offline: nothing is queued for it.")) : null,
    h("div", { class: "options column" },
      button(tile.close_after ? t("Stay open") : t("Close after this round"),
        () => order(table, `${tile.title}: ${tile.close_after ? t("Stay open") : t("Close after this round")}`,
        () => h("p", {}, t("The current round is finished first.")),
        [tile.close_after ? { word: "stay_open", label: t("Stay open") }
          : { word: "close_table", label: t("Close after this round") }]),
            { disabled: !takes(close), "data-key": "close" }),
      button(t("Limits"), () => limits(tile), { disabled: !takes("limits") || !between, "data-key": "limits" }),
      tile.methods.length > 1 ? button(t("Choose the method"), () => chooseMethod(tile),
        { disabled: !takes("method") || !tile.can.includes("method"), "data-key": "method" }) : null),
    between ? null : h("p", { class: "soft" },
      t("Limits change between rounds, the method before cards are dealt.")),
    h("p", { class: "soft" },
      t("Cards, counts and corrections are entered at the table only.")),
  ]);
}

/** @param {Tile} tile */
function limits(tile) {
  const { min, max } = tile.limits;
  const unit = 10 ** tile.minor_units;
  const least = h("input", { type: "number", id: "least", value: String((min ?? 0) / unit), min: "0" });
  const most = h("input", { type: "number", id: "most", value: String((max ?? 0) / unit), min: "0" });
  /** @type {{ minimum: number, maximum: number }} */
  const given = { minimum: 0, maximum: 0 };
  // A field that is left empty changes nothing: a limit does not go by a slip of the finger.
  const figure = (/** @type {HTMLInputElement} */ field, /** @type {number | null} */ kept) =>
    (field.value.trim() === "" ? kept ?? 0 : Math.round(Number(field.value) * unit));
  const read = () => { Object.assign(given, { minimum: figure(least, min), maximum: figure(most, max) }); };
  least.addEventListener("input", read);
  most.addEventListener("input", read);
  read();
  return order(table, t("{table}: limits", { table: tile.title }), () => [
    h("label", { class: "field" }, t("Minimum"), least,
      h("small", {}, min === null ? "" : t("now {n}", { n: amount(min, tile) }))),
    h("label", { class: "field" }, t("Maximum"), most,
      h("small", {}, max === null ? "" : t("now {n}", { n: amount(max, tile) }))),
    h("p", { class: "soft" }, t("In force from the next round.")),
  ], [{ word: "limits", label: t("Change"), with: given }]);
}

/** @param {Tile} tile */
function chooseMethod(tile) {
  const given = { method: tile.method ?? tile.methods[0]?.id ?? "" };
  const choice = (/** @type {OfferedMethod} */ each) => h("label", { class: "choice" },
    h("input", { type: "radio", name: "method", value: each.id, checked: each.id === given.method,
      disabled: !reaches(each.chosen_by), onchange: () => { given.method = each.id; }, "data-key": `m-${each.id}` }),
    h("span", {}, h("b", {}, t("Method {m}", { m: each.id })), " ", titled("method", each.id)),
    h("span", { class: "clause" }, each.clause),
    h("small", { class: "soft" }, t("{role} or above", { role: titled("role", each.chosen_by) })));
  return order(table, `${tile.title}: ${t("Choose the method")}`, () => [
    h("fieldset", { class: "choices" }, h("legend", { class: "soft" }, t("In force from the next round.")),
      tile.methods.map(choice)),
  ], [{ word: "method", label: t("Change"), with: given }]);
}

/** @param {Tile} tile */
function drawDevices(tile) {
  draw(devices, [h("h2", {}, t("Devices and link")),
    listing(t("No device reported."), [t("Device"), t("Unit"), t("Link"), t("Misreads")],
      tile.devices.map((each) => [h("b", {}, titled("device", each.name)), each.unit || each.driver,
        titled("link", each.link), `${each.misreads} / ${each.cards}`])),
    h("p", { class: "soft" }, [t("{n} records to send", { n: tile.unsent }),
      Math.abs(tile.clock_off) > 2 ? t("clock {s} s off", { s: tile.clock_off }) : null,
      tile.release ? t("release {r}", { r: tile.release }) : null].filter(Boolean).join(" · "))]);
}

async function loadRounds() {
  const found = /** @type {FloorRound[]} */ (await get(`/api/tables/${table}/rounds?most=50`));
  const tile = floor.tiles.get(table) ?? { minor_units: 2 };
  draw(rounds, [h("h2", {}, t("Rounds")),
    listing(t("No round completed yet."), [t("Round"), t("Ended"), t("Result"), t("Dealer"), t("Turnover"),
      t("House win"), t("Records")],
      found.map((row) => [h("b", {}, `${row.shoe}/${row.round}`), clock(row.ended), result(row), row.dealer ?? "–",
        amount(row.drop_minor, tile), amount(row.hold_minor, tile), `${row.first}–${row.last}`]))]);
}

/** @param {FloorRound} row */
function result(row) {
  const sides = { B: "banker", P: "player", T: "tie" };
  const says = row.void ? h("span", { class: "warn" }, t("void"), " ", h("span", { class: "clause" }, row.void))
    : titled("hand", sides[/** @type {"B"} */ (row.result?.charAt(0))] ?? "");
  return h("span", { class: row.superseded ? "superseded" : "" }, says,
    row.corrected ? h("small", {}, ` ${t("corrected")}`) : null,
    row.rulings.map((each) => h("small", { class: "ruled" }, titled("irregularity", each.id),
      each.clause ? ` § ${each.clause}` : "", ` · ${decidedBy(each)}`)));
}

await start("table", redraw);
setInterval(() => tickExceptions(wrong), 1000);
loadRounds().catch(failed);
setInterval(() => show().catch(() => {}), AGAIN_MS);
setInterval(() => loadRounds().catch(() => {}), 5000);
