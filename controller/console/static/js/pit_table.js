// The table's facts, and the few things a pit changes.

import { app, least } from "./app.js";
import { named, t } from "./catalogue.js";
import { ask, foot, options } from "./dialog.js";
import { button, clock, h } from "./dom.js";
import { beginLimits, isChanging } from "./limits.js";
import { handName, pickPerson } from "./pickers.js";
import { roleName } from "./pin.js";
import { shift } from "./pit_shift.js";
import { report } from "./report.js";
import { choose, word } from "./saying.js";
import { money, personName, wagerName } from "./sentences.js";
import { methodName } from "./shell.js";

/** @import { Child, Done, Limits, Method, Option, Side, StaffView } from "./types.d.ts" */

/** @type {Side[]} */
const SIDES = ["player", "banker"];
/** @type {Limits} */
const UNLIMITED = { min: null, max: null, differential: null, per_area: null, wagers: {} };

/** @param {number | null} amount */
const limit = (amount) => (amount === null ? t("none") : money(amount));

/** @param {StaffView} view @returns {Child} */
export function facts(view) {
  const shoe = view.shoe_in_use;
  return [
    h("header", { class: "task" }, h("h2", {}, view.table ?? t("Table"))),
    h("dl", {},
      row(t("Dealer"), view.dealer ? personName(view.dealer) : "–"),
      row(t("Method"), view.method ? methodName(view.method) : "–"),
      view.drawer ? row(t("Has the device"), personName(view.drawer)) : null,
      row(t("Shoe"), shoe ? `${shoe.number} · ${t(shoe.deck_set)} · ${t("{n} decks", { n: shoe.decks })}` : t("none")),
      shoe ? row(t("Verified by"), personName(shoe.verified_by)) : null,
      row(t("Cutting card"), shoe?.cut_card_out
        ? t("out, rounds since: {n}", { n: shoe.rounds_after_cut }) : t("not out")),
      onTheLayout(view), ofLimits(view.limits ?? UNLIMITED)),
    ofShift(),
  ];
}

/** @param {string} name @param {Child} value */
const row = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

/** @param {StaffView} view */
function onTheLayout(view) {
  if (app.about?.track_wagers === false || view.over) return null;
  return row(t("On the layout"),
    money(view.wagers.filter((each) => each.returned_by === null).reduce((sum, each) => sum + each.amount, 0)));
}

/** @param {Limits} limits */
function ofLimits({ min, max, differential, per_area: perArea, wagers }) {
  return [
    row(t("Minimum"), limit(min)), row(t("Maximum"), limit(max)), row(t("Differential"), limit(differential)),
    Object.entries(wagers).map(([kind, own]) => row(wagerName(kind), `${limit(own.min)} – ${limit(own.max)}`)),
    perArea === null ? null : row(t("Max. bets per box"), String(perArea)),
  ];
}

// How the shift goes, from the summaries of its rounds.
function ofShift() {
  const now = shift();
  if (!now?.since) return null;
  const { since, rounds, an_hour: anHour, voids, corrections, staked, paid } = now;
  return [
    h("header", { class: "task" }, h("h2", {}, t("This shift")),
      h("p", { class: "soft" }, t("since {time}", { time: `${clock(since).slice(0, 5)} UTC` }))),
    h("dl", { class: "shift" },
      row(t("Rounds"), anHour === null ? String(rounds)
        : t("{n}, about {m} an hour", { n: rounds, m: Math.round(anHour) })),
      row(t("Voids · Corrections"), `${voids} · ${corrections}`),
      staked ? [row(t("Turnover"), money(staked)), row(t("Paid and returned"), money(paid))] : null),
  ];
}

// --- what the pit changes ----------------------------------------------------------------------------

/** @param {StaffView} view @returns {Child} */
export function controls(view) {
  const stop = t("Stop the table now");
  return h("div", { class: "buttons" },
    view.state === "closed"
      ? button(t("Open the table"), () => word("open_table", {},
        { role: least("open_table"), what: t("Open the table"), label: t("Open the table") }),
          { class: "primary", "data-key": "open" })
      : closing(view),
    button(t("Change the limits"), beginLimits, { "data-key": "limits", disabled: isChanging() || !view.limits }),
    button(t("Choose the method"), () => chooseMethod(view),
      { "data-key": "method", disabled: !view.can.includes("method") }),
    Object.keys(view.passing).length ? button(t("Another player squeezes"), () => letSqueeze(view),
      { "data-key": "squeeze" }) : null,
    button(t("Something is wrong"), report, { class: "wrong", "data-key": "report",
      disabled: !view.can.includes("report") }),
    button(stop, () => choose({ word: "suspend", given: {}, role: least("pause"), label: stop, what: stop }),
      { class: "wrong", "data-key": "suspend",
        disabled: !view.can.includes("suspend") || view.held.some((each) => each.what === "paused") }));
}

// Said too early, it is taken back while the round still runs.
/** @param {StaffView} view */
function closing(view) {
  const role = least("close_table");
  const label = view.close_after ? t("Stay open") : t("Close after this round");
  if (view.close_after) {
    return button(label, () => word("stay_open", {}, { role, what: label, label }),
      { "data-key": "stay_open", disabled: !view.can.includes("stay_open") });
  }
  return button(label, () => choose({ word: "close_table", given: {}, role, label, what: label }),
    { "data-key": "close", disabled: !view.can.includes("close_table") });
}

/** @param {StaffView} view */
async function chooseMethod(view) {
  const what = t("Choose the method");
  const offered = app.about?.methods.filter((each) => each.offered) ?? [];
  await ask(what, (/** @type {Done<Method>} */ done) => [h("div", { class: "happened" }, offered.map((each) =>
    h("button", { type: "button", onclick: () => done(each), "aria-pressed": String(each.id === view.method),
      "data-key": `m-${each.id}` },
      h("b", {}, methodName(each.id)), h("span", {}, named("method", each.id)),
      h("small", {}, t("{role} or above", { role: roleName(each.chosen_by) })))))],
  "", (chosen) => word("method", { method: chosen.id },
    { role: chosen.chosen_by, what: methodName(chosen.id), label: methodName(chosen.id) }));
}

/** @param {StaffView} view */
async function letSqueeze(view) {
  const what = t("Another player squeezes");
  const lying = SIDES.filter((each) => view.passing[each]);
  let side = lying[0] ?? "player";
  const hand = await ask(what, (/** @type {Done<Side>} */ done, again) => [
    options(lying.map((each) => /** @type {Option<Side>} */ ([each, handName(each)])), side,
      (each) => { side = each; again(); }),
    foot(done, { label: t("Confirm"), value: () => side }),
  ]);
  const player = hand && (await pickPerson(what));
  if (player) {
    await word("accept_cards", { hand, player, leave: true },
      { role: least("allow_a_squeeze"), what, label: what });
  }
}
