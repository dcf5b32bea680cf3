// The site's documents: who may work until when and at what; the limits that tables take over.

import { t, titled } from "/static/js/catalogue.js";
import { ask, toast } from "/static/js/dialog.js";
import { button, byId, clock, day, draw, endOf, h } from "/static/js/dom.js";
import { get, post, Problem } from "/static/js/http.js";
import { pad, wrong } from "/static/js/pin.js";
import { amount, floor, may, me } from "./floor.js";
import { listing } from "./listing.js";
import { failed, start } from "./shell.js";

/** @import { Done } from "/static/js/types.d.ts" */
/** @import { LicensedPerson, SitePage } from "./types.d.ts" */

const people = h("section", { class: "panel list" });
const limits = h("section", { class: "panel list" });
byId("work").append(people, limits);

const roles = () => me().ladder.flat();
const SOON_S = 14 * 86_400;
const AGAIN_MS = 5000;

/** @type {SitePage} */
let site = { documents: [], taken: {}, games: [] };

const list = () => site.documents.find((each) => each.kind === "people");
const licences = () => list()?.document.licences ?? [];

async function load() {
  site = /** @type {SitePage} */ (await get("/api/site"));
  drawPeople();
  drawLimits();
}

function drawPeople() {
  const kept = list();
  const publishes = may("publish_people");
  draw(people, [
    h("h2", {}, t("People and licences")),
    h("p", { class: "soft" },
      kept ? t("Published by {who}, {when}. Tables apply it between rounds; an offline table keeps its last one.",
        { who: kept.made_by, when: `${day(kept.made)} ${clock(kept.made)}` })
      : t("No list yet: each table uses its own accounts.")),
    listing(t("The list is empty."), [t("Name"), t("Role"), t("Licence valid until"), t("Games"), ""],
      licences().map((each) => [
      h("b", {}, each.name, h("small", { class: "soft" }, ` ${each.who}`)), titled("role", each.role), until(each),
      each.games.join(", "),
      publishes
        ? h("span", {}, button(t("Change"), () => edit(each), { class: "small", "data-key": `edit-${each.who}` }), " ",
          button(t("Remove"), () => publish(licences().filter((other) => other.who !== each.who),
            t("Remove {who} from the list", { who: each.name })), { class: "small", "data-key": `off-${each.who}` }))
              : null,
    ])),
    publishes && !kept ? h("p", { class: "warn" },
      t("The first list applies to everyone: anyone not on it cannot open betting or give orders. "
        + "Put yourself on it first.")) : null,
    publishes ? button(t("Add a person"), () => edit(null), { "data-key": "add" }) : null,
    h("p", { class: "soft" }, taken()),
  ]);
}

/** @param {LicensedPerson} each */
function until(each) {
  const left = each.until - Date.now() / 1000;
  if (left < 0) return h("span", { class: "warn" }, `${day(each.until)} · ${t("expired: cannot open betting")}`);
  return left < SOON_S ? h("span", { class: "warn" }, `${day(each.until)} · ${t("soon")}`) : day(each.until);
}

function taken() {
  const version = list()?.version;
  if (!version) return "";
  const behind = [...floor.tiles.values()].filter((tile) => (site.taken[tile.table]?.people ?? 0) < version)
    .map((tile) => tile.title);
  return behind.length ? t("Not yet in force at: {tables}", { tables: behind.slice(0, 20).join(", ") })
    : t("In force at every table.");
}

/** @param {LicensedPerson | null} known */
async function edit(known) {
  const field = (/** @type {string} */ id, /** @type {string} */ value, type = "text") =>
    h("input", { id, type, value, disabled: id === "who" && known !== null });
  const who = field("who", known?.who ?? "");
  const name = field("name", known?.name ?? "");
  const last = field("until", known ? day(known.until) : "", "date");
  const role = h("select", { id: "role" }, roles()
    .map((each) => h("option", { value: each, selected: each === known?.role }, titled("role", each))));
  const games = h("select", { id: "games", multiple: true, size: "6" },
    site.games.map((each) => h("option", { value: each, selected: known?.games.includes(each) ?? each === "*" },
      each === "*" ? t("all games") : each)));
  const made = await ask(known ? known.name : t("Add a person"), (/** @type {Done<LicensedPerson>} */ done) => [
    ...[[t("Account"), who], [t("Name"), name], [t("Role"), role], [t("Licence valid until"), last],
      [t("Games"), games]].map(([label, input]) => h("label", { class: "field" }, label, input)),
    h("footer", {},
      button(t("Continue"), () => (who.value.trim() && last.value && games.selectedOptions.length)
        && done({ who: who.value.trim(), name: name.value.trim() || who.value.trim(),
          role: role.value, until: endOf(last.value),
          games: [...games.selectedOptions].map((each) => each.value) }), { class: "primary", "data-key": "go-on" })),
  ]);
  if (!made) return;
  const others = licences().filter((each) => each.who !== made.who);
  await publish([...others, made].sort((a, b) => a.who.localeCompare(b.who)),
    known ? t("Change {who}", { who: made.name }) : t("Add {who}", { who: made.name }));
}

/** @param {LicensedPerson[]} next @param {string} title */
const publish = (next, title) => withPin(title,
  (secret) => post("/api/site/people", { licences: next, seen: list()?.version ?? 0, secret }));

/** @param {string} title @param {(secret: string) => Promise<unknown>} say */
function withPin(title, say) {
  return ask(title, (/** @type {Done<boolean>} */ done) => [h("h3", {}, t("Your PIN")), pad(async (secret) => {
    try {
      await say(secret);
      toast(t("Published"), { tone: "note" });
      await load();
      return void done(true);
    } catch (error) {
      return wrong(Problem.of(error).text);
    }
  })]);
}

function drawLimits() {
  const kept = site.documents.filter((each) => each.kind === "limits");
  const publishes = may("publish_limits");
  draw(limits, [h("h2", {}, t("Standing limits")),
    h("p", { class: "soft" }, t("Tables apply them between rounds, and keep them after a restart.")),
    listing(t("No limits set here: each table uses its own."),
      [t("Table"), t("Minimum"), t("Maximum"), t("Published at"), t("In force")], kept.map((each) => {
      const found = each.document;
      const tile = floor.tiles.get(each.table) ?? { minor_units: 2 };
      return [h("b", {}, each.table), amount(found.minimum, tile), amount(found.maximum, tile),
        `${day(each.made)} ${clock(each.made)}`,
        (site.taken[each.table]?.limits ?? 0) >= each.version ? t("yes") : t("not yet")];
    })),
    publishes && floor.tiles.size ? button(t("Set limits"), setLimits, { "data-key": "set-limits" }) : null]);
}

async function setLimits() {
  const table = h("select", { id: "table" },
    [...floor.tiles.values()].sort((a, b) => a.table.localeCompare(b.table))
      .map((tile) => h("option", { value: tile.table }, tile.title)));
  const field = (/** @type {string} */ id) => h("input", { id, type: "number", min: "0", step: "any" });
  const least = field("least");
  const most = field("most");
  const made = await ask(t("Standing limits"),
    (/** @type {Done<{ table: string, minimum: number, maximum: number }>} */ done) => [
    ...[[t("Table"), table], [t("Minimum"), least],
      [t("Maximum"), most]].map(([label, input]) => h("label", { class: "field" }, label, input)),
    h("footer", {}, button(t("Continue"), () => {
      const unit = 10 ** (floor.tiles.get(table.value)?.minor_units ?? 2);
      const [minimum, maximum] = [least, most].map((each) => Math.round(Number(each.value) * unit));
      if (minimum && maximum && minimum <= maximum) done({ table: table.value, minimum, maximum });
    }, { class: "primary", "data-key": "go-on" })),
  ]);
  if (made) {
    await withPin(t("{table}: limits", { table: made.table }),
      (secret) => post("/api/site/limits", { ...made, secret }));
  }
}

await start("site", () => { drawPeople(); drawLimits(); });
load().catch(failed);
setInterval(() => load().catch(() => {}), AGAIN_MS);
