// The pit's page: why the table has stopped, what waits for whom, and the few things a pit changes.

import { caseTitle, confirming, panel } from "./asks.js";
import { card } from "./cards.js";
import { ask, foot, options } from "./dialog.js";
import { button, byId, draw, h, money, pretty } from "./dom.js";
import { get } from "./http.js";
import { pickPerson, reasons, seatName } from "./pickers.js";
import { app, choose, clause, confirmChoice, onKeys, start, takeBack, word } from "./shell.js";
import { roleName } from "./pin.js";
import { chips, layout } from "./wagers.js";
import { say, t } from "./words.js";

const DEVICES_MS = 2000;
let devices = [];

start("pit", "pit", redraw).then(look);

function redraw() {
  const view = app.view;
  if (!view) return;
  const waits = view.asks.length || view.offers.length || view.latches.length;
  draw(byId("status"), [view.state, view.stopped_by, view.prompt, view.manual, view.close_after, view.request], () => status(view));
  draw(byId("waits"), [view, app.choice], () => (app.choice ? confirming(app.choice, confirmChoice, takeBack) : waits ? panel(view) : quiet()));
  draw(byId("cards"), [view.hands, view.totals, view.round, view.void, view.handlers], () => round(view));
  draw(byId("wagers"), [view.wagers, view.payouts, view.settlements, view.state, view.over, view.differences], () => [layout(view), differences(view)]);
  draw(byId("table"), [view.state, view.method, view.drawer, view.limits, view.shoe_in_use, view.shoe_due, view.close_after], () => controls(view));
  draw(byId("rulings"), [view.rulings, view.notices], () => rulings(view));
  byId("work").classList.toggle("stopped", Boolean(view.stopped_by));
}

function status(view) {
  const stopped = view.stopped_by;
  return [
    h("p", { class: "eyebrow" }, stopped ? t("Why it has stopped") : t("Going on")),
    h("p", { class: "why" }, stopped ? say(stopped) : say(view.prompt.do)),
    clause(view.prompt.clause),
    view.manual ? h("p", { class: "manual" }, t("MANUAL MODE: a card is entered or corrected by hand")) : null,
    view.close_after ? h("p", { class: "closing" }, t("The table closes after this round")) : null,
  ];
}

const quiet = () => h("p", { class: "quiet" }, t("Nothing waits for a decision."));

function round(view) {
  return [
    h("h2", {}, t("Round {n}", { n: view.round })),
    view.void ? h("p", { class: "void" }, t("Void"), " ", clause(view.void === "void" ? null : view.void)) : null,
    ["player", "banker"].map((side) => h("div", { class: `mini ${side}` },
      h("b", {}, t(pretty(side))), h("output", {}, view.totals[side] === null ? "–" : String(view.totals[side])),
      h("div", { class: "cards" }, view.hands[side].map((code) => card(code))),
      view.handlers[side] ? h("small", {}, t("Handled by {who}", { who: seatName(view.handlers[side]) })) : null)),
  ];
}

function differences(view) {
  if (!view.differences.length) return null;
  return h("ul", { class: "differences" }, view.differences.map((each) => h("li", {}, seatName(each.player), " ",
    each.difference > 0 ? t("gets {n} more than was settled", { n: money(each.difference) }) : t("gets {n} less than was settled", { n: money(-each.difference) }))));
}

// --- what the pit changes ----------------------------------------------------------------------------

function controls(view) {
  const { min, max, differential } = view.limits;
  const limit = (amount) => (amount === null || amount === undefined ? t("none") : money(amount));
  const shoe = view.shoe_in_use;
  return [
    h("h2", {}, t("Table")),
    h("dl", {},
      row(t("Method"), view.method || "–"), view.drawer ? row(t("Has the device"), seatName(view.drawer)) : null,
      row(t("Minimum"), limit(min)), row(t("Maximum"), limit(max)), row(t("Differential"), limit(differential)),
      row(t("Shoe"), shoe ? `${shoe.number} · ${say(shoe.deck_set)} · ${t("{n} decks", { n: shoe.decks })}` : t("none")),
      shoe ? row(t("Verified by"), say(shoe.verified_by)) : null,
      row(t("Cutting card"), shoe?.cut_card_out ? t("out, {n} rounds since", { n: shoe.rounds_after_cut }) : t("not out"))),
    h("div", { class: "buttons" },
      view.state === "closed"
        ? button(t("Open the table"), () => word("open_table", {}, { role: "pit_supervisor", what: t("Open the table") }), { class: "primary", "data-key": "open" })
        : button(t("Close after this round"), () => choose({ word: "close_table", given: {}, role: "pit_supervisor", label: t("Close after this round"), what: t("Close after this round") }), { "data-key": "close", disabled: view.close_after }),
      button(t("Stop the table now"), () => choose({ word: "suspend", given: {}, role: "pit_supervisor", label: t("Stop the table now"), what: t("Stop the table now") }), { "data-key": "suspend", disabled: !view.can.includes("suspend") }),
      button(t("Change the limits"), () => changeLimits(view), { "data-key": "limits", disabled: !view.can.includes("limits") }),
      button(t("Choose the method"), () => chooseMethod(view), { "data-key": "method", disabled: !view.can.includes("method") }),
      button(t("Somebody else squeezes"), () => letSqueeze(view), { "data-key": "squeeze", disabled: !Object.keys(view.passing).length })),
  ];
}

const row = (name, value) => [h("dt", {}, name), h("dd", {}, value)];

async function chooseMethod(view) {
  const what = t("Choose the method");
  const offered = app.about.methods.filter((each) => each.offered);
  const chosen = await ask(what, (done) => [h("div", { class: "happened" }, offered.map((each) =>
    h("button", { type: "button", onclick: () => done(each), "aria-pressed": String(each.id === view.method), "data-key": `m-${each.id}` },
      h("b", {}, t("Method {m}", { m: each.id })), h("span", {}, say(each.name)), h("small", {}, t("{role} or above", { role: roleName(each.chosen_by) })))))]);
  if (chosen) await word("method", { method: chosen.id }, { role: chosen.chosen_by, what: t("Method {m}", { m: chosen.id }) });
}

const LIMITS = [["minimum", "Minimum", "min"], ["maximum", "Maximum", "max"], ["differential", "Differential", "differential"]];

// From the next round on; 0 takes a limit away.
async function changeLimits(view) {
  const state = Object.fromEntries(LIMITS.map(([name, , shown]) => [name, view.limits[shown] ?? 0]));
  const what = t("Change the limits");
  const changed = await ask(what, (done, again) => [
    h("p", { class: "soft" }, t("They hold from the next round on.")),
    LIMITS.map(([name, title]) => h("section", { class: "limit" }, h("h3", {}, t(title)),
      h("p", { class: "sum" }, state[name] ? money(state[name]) : t("none"),
        button(t("Clear"), () => { state[name] = 0; again(); }, { class: "small", "data-key": `clear-${name}` })),
      chips((chip) => { state[name] += chip; again(); }, name))),
    foot(done, { label: what, value: () => state }),
  ], "wide");
  if (changed) await word("limits", changed, { role: "pit_supervisor", what });
}

// Another unit in a device's place: which one, by the plate on it. A second person approves.
async function swapDevice(device, identity) {
  const state = { identity: identity ?? "", asset: "", reason: null, ready: () => Boolean(state.identity && state.asset && state.reason) };
  const what = t("Another unit takes the place of {device}", { device: say(pretty(device)) });
  const field = (name, label) => h("label", { class: "field" }, h("span", {}, t(label)), h("input", {
    type: "text", maxlength: "64", value: state[name], "data-key": name,
    oninput: (event) => {
      state[name] = event.target.value.trim();
      event.target.closest("dialog").querySelector("footer .primary").disabled = !state.ready();
    },
  }));
  const swapped = await ask(what, (done, again) => [
    field("identity", "Identity of the new unit"), field("asset", "Asset number on its plate"),
    h("h3", {}, t("Because")), reasons(["It is faulty", "It is due for service", "It was moved to another table"], state, again),
    foot(done, { label: t("Confirm"), ready: state.ready(), value: () => state }),
  ]);
  if (swapped) await word("swap_device", { device, identity: swapped.identity, asset: swapped.asset, reason: swapped.reason }, { what });
}

async function letSqueeze(view) {
  const what = t("Somebody else squeezes");
  let side = Object.keys(view.passing)[0];
  const hand = await ask(what, (done, again) => [
    options(Object.keys(view.passing).map((each) => [each, t(pretty(each))]), side, (each) => { side = each; again(); }),
    foot(done, { label: t("Confirm"), value: () => side }),
  ]);
  const player = hand && (await pickPerson(what));
  if (player) await word("accept_cards", { hand, player, leave: true }, { role: "pit_manager", what });
}

function rulings(view) {
  if (!view.rulings.length && !view.notices.length) return [];
  return [
    h("h2", {}, t("Rulings and notices")),
    h("ul", {}, [...view.rulings].reverse().map((each) => h("li", {}, clause(each.clause), " ", h("b", {}, caseTitle(each.id)), each.text ? ` · ${say(each.text)}` : "",
      h("small", {}, t("reported by {who}, decided by {by}", { who: say(each.reported_by), by: say(each.decided_by) }))))),
    h("ul", {}, [...view.notices].reverse().map((each) => h("li", {}, say(each)))),
  ];
}

// --- devices --------------------------------------------------------------------------------------------

async function look() {
  if (!app.me) return;
  try {
    devices = (await get("/api/devices")).devices;
    drawDevices();
  } catch {
    // The banner says so when the console is away.
  }
  setTimeout(look, DEVICES_MS);
}

function drawDevices() {
  draw(byId("devices"), [devices, app.view?.can], () => [
    h("h2", {}, t("Devices")),
    devices.length === 0 && h("p", { class: "soft" }, t("No devices: cards come by hand.")),
    h("ul", {}, devices.map((each) => h("li", { class: each.link === "up" ? "up" : "down" },
      h("b", {}, say(pretty(each.name))), h("span", { class: "link" }, say(pretty(each.link))),
      h("small", {}, [each.driver, each.port].filter(Boolean).join(" · ")),
      h("small", {}, Object.entries(each.counts ?? {}).map(([what, count]) => `${say(pretty(what))} ${count}`).join(" · ")),
      app.view?.can.includes("swap_device") ? button(t("Swap the unit"), () => swapDevice(each.name, each.identity), { class: "small", "data-key": `swap-${each.name}` }) : null,
      each.bench ? h("a", { href: each.bench, target: "_blank", rel: "noreferrer" }, t("Emulator's bench")) : null))),
  ]);
}

onKeys((event) => {
  if (event.key === "Escape" && app.choice) takeBack();
  else if (event.key === "Enter" && event.target === document.body) document.querySelector("#waits .confirming .primary")?.click();
});
