// The pit's parts on the style page: limits old and new, approvals, people, facts.

import { panel } from "./asks.js";
import { t } from "./catalogue.js";
import { h } from "./dom.js";
import { holdList } from "./halt.js";
import { beginLimits, leaveLimits, limitsPanel } from "./limits.js";
import { demoPin, entering, lockedNote, pad, tile, wrongPin } from "./pin.js";
import { controls, facts } from "./pit_table.js";
import { asking, DIFFERS, JAM, LID, PEOPLE, table } from "./style_data.js";
import { nothing, openWindow } from "./style_made.js";
import { wagerList } from "./wager_list.js";

/** @import { Child, Person, Request, StaffView } from "./types.d.ts" */
/** @import { Part } from "./style.js" */

const now = table({ state: "betting", phase: "betting", can: ["limits"], last_wagers: [] });

// The panel as it is after these were typed.
/** @param {HTMLElement} place @param {StaffView} view @param {Record<string, string>} [typed] @returns {Child} */
function limits(place, view, typed = {}) {
  const waits = h("section", { id: "waits" });
  place.append(waits);
  beginLimits();
  waits.append(.../** @type {Node[]} */ ([limitsPanel(view)].flat()));
  for (const [name, value] of Object.entries(typed)) {
    const field = waits.querySelector(`input[data-key="${name}"]`);
    if (!(field instanceof HTMLInputElement)) continue;
    field.value = value;
    field.dispatchEvent(new Event("input"));
  }
  leaveLimits();
  return null;
}

const CORRECTED = { n: 4, before: "3S", card: "9S", by: "anna" };
/** @type {Request} */
const CORRECT = { what: "correct", given: { type: "correct", n: 4, before: "3S", card: "9S" }, by: "anna",
  code: "approve_correction", gaps: CORRECTED, text: "", reason: "The device read the card wrongly" };
const approval = table({ request: CORRECT,
  asks: [asking({ case: "correct", ask: "approve", code: "approve_correction", gaps: CORRECTED,
    role: "pit_supervisor", second: true, clause: null })] });

/** The window of a second person. @param {Person} person @param {Child} [said] */
function second(person, said = null) {
  const entry = entering([{ key: "refuse-it", label: t("Refuse"), tell: async () => true, plain: true },
    { key: "say-it", label: t("Approve the correction"), tell: async () => true }], said);
  return openWindow(t("Second person"), [
    h("div", { class: "said" }, h("p", { class: "lead" }, t("Correct card {n}", { n: 4 })),
      h("h3", {}, t("Who are you?")),
      h("div", { class: "tiles" }, PEOPLE.slice(1)
        .map((each) => tile(each.who === person.who ? person : each, nothing, each.who === person.who))),
          lockedNote(PEOPLE)),
    person.locked ? entry.said() : entry(person, nothing, nothing),
  ], "second");
}

const [, ben] = /** @type {[Person, Person, Person]} */ (/** @type {unknown} */ (PEOPLE));

/** @type {Part[]} */
export const PARTS = [
  {
    name: "limits",
    states: {
      "as they are": (place) => limits(place, now),
      "old and new": (place) => limits(place, now, { minimum: "250", maximum: "30,000" }),
      "one taken away, one not an amount": (place) => limits(place, now, { differential: "", maximum: "many" }),
      "not before the round is over": (place) => limits(place, { ...now, can: [] }, { minimum: "250" }),
    },
  },
  {
    name: "approvals",
    states: { "needs a second approval": () => h("section", { id: "waits" }, panel(approval)) },
  },
  {
    name: "people",
    states: {
      tiles: () => h("div", { class: "tiles" }, PEOPLE.map((each) => tile(each, nothing, each === ben))),
      PIN: () => [demoPin(ben), pad(async () => null, t("PIN of {name}", { name: ben.name }))],
      "a second person": () => second(ben),
      "a wrong PIN": () => second(ben, wrongPin({ ...ben }, { code: "wrong_secret", gaps: { left: 2 } })),
      "the last try": () => second(ben, wrongPin({ ...ben }, { code: "wrong_secret", gaps: { left: 1 } })),
      "locked by it": () => second({ ...ben, locked: true },
        wrongPin({ ...ben }, { code: "account_locked", gaps: {} })),
    },
  },
  {
    name: "table",
    states: {
      facts: () => h("section", { id: "table" }, facts(now)),
      controls: () => h("section", { id: "controls" },
        controls(table({ can: ["report", "suspend", "method", "close_table"] }))),
      "closes after this round": () => h("section", { id: "controls" },
        controls(table({ close_after: true, can: ["stay_open"] }))),
      "closed": () => h("section", { id: "controls" }, controls(table({ state: "closed", phase: "closed" }))),
      wagers: () => h("section", { id: "wagers" }, wagerList(now)),
      "what holds it": () => h("section", { id: "status" },
        holdList(table({ state: "halted", held: [JAM, LID, DIFFERS] }))),
    },
  },
];
