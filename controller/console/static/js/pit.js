// The pit's page: why the table has stopped, what waits for whom, and the few things a pit changes.

import { app, least } from "./app.js";
import { confirming, holds, panel } from "./asks.js";
import { card } from "./cards.js";
import { isNamed, named, t, titled } from "./catalogue.js";
import { chips } from "./chips.js";
import { ask, foot, options } from "./dialog.js";
import { button, byId, draw, h, press } from "./dom.js";
import { get } from "./http.js";
import { handName, mayConfirm, pickPerson, reasons } from "./pickers.js";
import { roleName } from "./pin.js";
import { choose, confirmChoice, takeBack, word } from "./saying.js";
import { money, personName, sentence, wagerName } from "./sentences.js";
import { clause, methodName, onKeys, start } from "./shell.js";
import { caseTitle, decidedBy } from "./titles.js";
import { layout } from "./wagers.js";

/** @import { Child, Device, Done, Limits, Method, Option, Side, StaffView } from "./types.d.ts" */

const DEVICES_MS = 2000;
/** @type {Side[]} */
const SIDES = ["player", "banker"];
/** @type {Device[]} */
let devices = [];

start("pit", "pit", redraw).then(look);

function redraw() {
  const view = app.view;
  if (!view) return;
  draw(byId("status"), [view.state, view.held, view.prompt, view.manual, view.close_after, view.request], () => status(view));
  draw(byId("waits"), [view, app.choice], () => waiting(view));
  draw(byId("cards"), [view.hands, view.totals, view.round, view.void, view.handlers], () => round(view));
  draw(byId("wagers"), [view.wagers, view.payouts, view.settlements, view.state, view.case?.waits_for, view.over, view.differences], () => [layout(view), differences(view)]);
  draw(byId("table"), [view.state, view.method, view.drawer, view.limits, view.shoe_in_use, view.shoe_due, view.close_after], () => controls(view));
  draw(byId("rulings"), [view.rulings, view.notes], () => rulings(view));
  byId("work").classList.toggle("stopped", view.held.length > 0);
}

/** @param {StaffView} view */
function waiting(view) {
  if (app.choice) return confirming(app.choice, confirmChoice, takeBack);
  const waits = view.asks.length || view.offers.length || view.held.length;
  return waits ? panel(view) : quiet();
}

/** @param {StaffView} view */
function status(view) {
  const { held, prompt } = view;
  return [
    h("p", { class: "eyebrow" }, held.length ? t("Why it has stopped") : t("Going on")),
    h("div", { class: "why" }, held.length ? holds(held) : sentence(prompt.code, prompt.gaps, prompt.do)),
    clause(prompt.clause),
    view.manual ? h("p", { class: "manual" }, t("MANUAL MODE: a card is entered or corrected by hand")) : null,
    view.close_after ? h("p", { class: "closing" }, t("The table closes after this round")) : null,
  ];
}

const quiet = () => h("p", { class: "quiet" }, t("Nothing waits for a decision."));

/** @param {StaffView} view */
function round(view) {
  return [
    h("h2", {}, t("Round {n}", { n: view.round })),
    view.void ? h("p", { class: "void" }, t("Void"), " ", clause(view.void === "void" ? null : view.void)) : null,
    SIDES.map((side) => h("div", { class: `mini ${side}` },
      h("b", {}, handName(side)), h("output", {}, view.totals[side] === null ? "–" : String(view.totals[side])),
      h("div", { class: "cards" }, view.hands[side].map((code) => card(code))),
      handled(view.handlers[side]))),
  ];
}

/** @param {string} [who] */
const handled = (who) => (who ? h("small", {}, t("Handled by {who}", { who: personName(who) })) : null);

/** @param {StaffView} view */
function differences(view) {
  if (!view.differences.length) return null;
  return h("ul", { class: "differences" }, view.differences.map((each) => h("li", {}, personName(each.player), " ",
    each.difference > 0 ? t("gets {n} more than was settled", { n: money(each.difference) }) : t("gets {n} less than was settled", { n: money(-each.difference) }))));
}

// --- what the pit changes ----------------------------------------------------------------------------

/** @type {Limits} */
const UNLIMITED = { min: null, max: null, differential: null, per_area: null, wagers: {} };

/** @param {StaffView} view */
function controls(view) {
  const { min, max, differential, per_area: perArea, wagers } = view.limits ?? UNLIMITED;
  /** @param {number | null} amount */
  const limit = (amount) => (amount === null ? t("none") : money(amount));
  const shoe = view.shoe_in_use;
  return [
    h("h2", {}, t("Table")),
    h("dl", {},
      row(t("Method"), view.method ? methodName(view.method) : "–"), view.drawer ? row(t("Has the device"), personName(view.drawer)) : null,
      row(t("Minimum"), limit(min)), row(t("Maximum"), limit(max)), row(t("Differential"), limit(differential)),
      Object.entries(wagers).map(([kind, own]) => row(wagerName(kind), `${limit(own.min)} – ${limit(own.max)}`)),
      perArea === null ? null : row(t("Wagers on an area"), String(perArea)),
      row(t("Shoe"), shoe ? `${shoe.number} · ${t(shoe.deck_set)} · ${t("{n} decks", { n: shoe.decks })}` : t("none")),
      shoe ? row(t("Verified by"), personName(shoe.verified_by)) : null,
      row(t("Cutting card"), shoe?.cut_card_out ? t("out, {n} rounds since", { n: shoe.rounds_after_cut }) : t("not out"))),
    h("div", { class: "buttons" },
      view.state === "closed"
        ? button(t("Open the table"), () => word("open_table", {}, { role: least("open_table"), what: t("Open the table") }), { class: "primary", "data-key": "open" })
        : button(t("Close after this round"), () => choose({ word: "close_table", given: {}, role: least("close_table"), label: t("Close after this round"), what: t("Close after this round") }), { "data-key": "close", disabled: view.close_after }),
      button(t("Stop the table now"), () => choose({ word: "suspend", given: {}, role: least("pause"), label: t("Stop the table now"), what: t("Stop the table now") }), { "data-key": "suspend", disabled: !view.can.includes("suspend") }),
      button(t("Change the limits"), () => changeLimits(view), { "data-key": "limits", disabled: !view.can.includes("limits") }),
      button(t("Choose the method"), () => chooseMethod(view), { "data-key": "method", disabled: !view.can.includes("method") }),
      button(t("Somebody else squeezes"), () => letSqueeze(view), { "data-key": "squeeze", disabled: !Object.keys(view.passing).length })),
  ];
}

/** @param {string} name @param {Child} value */
const row = (name, value) => [h("dt", {}, name), h("dd", {}, value)];

/** @param {StaffView} view */
async function chooseMethod(view) {
  const what = t("Choose the method");
  const offered = app.about?.methods.filter((each) => each.offered) ?? [];
  const chosen = await ask(what, (/** @type {Done<Method>} */ done) => [h("div", { class: "happened" }, offered.map((each) =>
    h("button", { type: "button", onclick: () => done(each), "aria-pressed": String(each.id === view.method), "data-key": `m-${each.id}` },
      h("b", {}, methodName(each.id)), h("span", {}, named("method", each.id)), h("small", {}, t("{role} or above", { role: roleName(each.chosen_by) })))))]);
  if (chosen) await word("method", { method: chosen.id }, { role: chosen.chosen_by, what: methodName(chosen.id) });
}

/** @type {["minimum" | "maximum" | "differential", string, "min" | "max" | "differential"][]} */
const LIMITS = [["minimum", "Minimum", "min"], ["maximum", "Maximum", "max"], ["differential", "Differential", "differential"]];

// From the next round on; 0 takes a limit away.
/** @param {StaffView} view */
async function changeLimits(view) {
  const state = { minimum: view.limits?.min ?? 0, maximum: view.limits?.max ?? 0, differential: view.limits?.differential ?? 0 };
  const what = t("Change the limits");
  const changed = await ask(what, (/** @type {Done<typeof state>} */ done, again) => [
    h("p", { class: "soft" }, t("They hold from the next round on.")),
    LIMITS.map(([name, title]) => h("section", { class: "limit" }, h("h3", {}, t(title)),
      h("p", { class: "sum" }, state[name] ? money(state[name]) : t("none"),
        button(t("Clear"), () => { state[name] = 0; again(); }, { class: "small", "data-key": `clear-${name}` })),
      chips((chip) => { state[name] += chip; again(); }, name))),
    foot(done, { label: what, value: () => state }),
  ], "wide");
  if (changed) await word("limits", changed, { role: least("change_limits"), what });
}

// Another unit in a device's place: which one, by the plate on it. A second person approves.
/** @param {string} device @param {string | null} identity */
async function swapDevice(device, identity) {
  /** @type {import("./pickers.js").Reasoned & { identity: string, asset: string }} */
  const state = { identity: identity ?? "", asset: "", reason: null, ready: () => Boolean(state.identity && state.asset && state.reason) };
  const what = t("Another unit takes the place of {device}", { device: named("device", device) });
  /** @param {"identity" | "asset"} name @param {string} label */
  const field = (name, label) => h("label", { class: "field" }, h("span", {}, t(label)), h("input", {
    type: "text", maxlength: "64", value: state[name], "data-key": name,
    oninput: (event) => {
      state[name] = event.target.value.trim();
      mayConfirm(event.target, state.ready());
    },
  }));
  const swapped = await ask(what, (/** @type {Done<typeof state>} */ done, again) => [
    field("identity", "Identity of the new unit"), field("asset", "Asset number on its plate"),
    h("h3", {}, t("Because")), reasons(["It is faulty", "It is due for service", "It was moved to another table"], state, again),
    foot(done, { label: t("Confirm"), ready: state.ready(), value: () => state }),
  ]);
  if (swapped) await word("swap_device", { device, identity: swapped.identity, asset: swapped.asset, reason: swapped.reason }, { what });
}

/** @param {StaffView} view */
async function letSqueeze(view) {
  const what = t("Somebody else squeezes");
  const lying = SIDES.filter((each) => view.passing[each]);
  let side = lying[0] ?? "player";
  const hand = await ask(what, (/** @type {Done<Side>} */ done, again) => [
    options(lying.map((each) => /** @type {Option<Side>} */ ([each, handName(each)])), side, (each) => { side = each; again(); }),
    foot(done, { label: t("Confirm"), value: () => side }),
  ]);
  const player = hand && (await pickPerson(what));
  if (player) await word("accept_cards", { hand, player, leave: true }, { role: least("allow_a_squeeze"), what });
}

/** @param {StaffView} view @returns {Child[]} */
function rulings(view) {
  if (!view.rulings.length && !view.notes.length) return [];
  return [
    h("h2", {}, t("Rulings and notices")),
    h("ul", {}, [...view.rulings].reverse().map((each) => h("li", {}, clause(each.clause), " ", h("b", {}, caseTitle(each.id)), each.text ? ` · ${sentence(each.code, each.gaps, each.text)}` : "",
      h("small", {}, `${t("reported by {who}", { who: personName(each.reported_by) })}, ${decidedBy(each)}`)))),
    h("ul", {}, [...view.notes].reverse().map((each) => h("li", {}, sentence(each.code, each.gaps, each.text)))),
  ];
}

// --- devices --------------------------------------------------------------------------------------------

async function look() {
  if (!app.me) return;
  try {
    devices = /** @type {{ devices: Device[] }} */ (await get("/api/devices")).devices;
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
      h("b", {}, titled("device", each.name)), h("span", { class: "link" }, titled("link", each.link === "up" ? "up" : "lost")),
      each.model ? h("small", {}, each.model) : null,
      h("small", {}, counted(each.counts ?? {})),
      (each.errors ?? []).map((error) => h("small", { class: "error" }, `${error.code}: ${error.says}`,
        error.must_clear ? ` · ${t("must be cleared at the device")}` : null)),
      app.view?.can.includes("swap_device") ? button(t("Swap the unit"), () => swapDevice(each.name, each.identity), { class: "small", "data-key": `swap-${each.name}` }) : null,
      each.bench ? h("a", { href: each.bench, target: "_blank", rel: "noreferrer" }, t("Emulator's bench")) : null))),
  ]);
}

// What a pit looks at; a technician has `sabot device` for the rest.
/** @param {Record<string, number>} counts */
const counted = (counts) => Object.entries(counts).filter(([what]) => isNamed("event", what)).map(([what, n]) => `${named("event", what)} ${n}`).join(" · ");

onKeys((event) => {
  if (event.key === "Escape" && app.choice) takeBack();
  else if (event.key === "Enter" && event.target === document.body) press("#waits .confirming .primary");
});
