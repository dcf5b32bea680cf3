// A table that is held, on the style page: the head, everything that holds it, what is asked.

import { confirming, panel } from "./asks.js";
import { t } from "./catalogue.js";
import { h } from "./dom.js";
import { holdList, letGoOn } from "./halt.js";
import { asking, CASE, DIFFERS, JAM, LID, lying, OPEN, prompted, table } from "./style_data.js";
import { actions, hands, nothing, seats, top } from "./style_made.js";

/** @import { Child, Hold, StaffView } from "./types.d.ts" */
/** @import { Part } from "./style.js" */

/** @param {Hold[]} held @param {Partial<StaffView>} [change] */
const stopped = (held, change = {}) =>
  table({ state: "halted", held, prompt: prompted("prompt_clear",
    { gaps: { holds: held.map((each) => each.what), role: "pit_supervisor" } }), ...change });

/** @param {Partial<import("./types.d.ts").Ask>} [change] */
const asked = (change) =>
  stopped([CASE], { case: OPEN, asks: [asking(change)],
    prompt: prompted("ask_order_known", { gaps: { irregularity: "simultaneous" }, clause: "5.8" }) });

/** @param {...Child} parts */
const side = (...parts) => h("aside", { id: "side" }, parts);

/** @type {Part[]} */
export const PARTS = [
  {
    name: "head",
    states: {
      "a person ends it": () => top(stopped([LID])),
      "the device ends it": () => top(stopped([JAM])),
      "two people end it": () => top(stopped([DIFFERS])),
      "a question": () => top(asked()),
    },
  },
  {
    name: "holds",
    states: {
      one: () => side(holdList(stopped([LID])), letGoOn(stopped([LID]))),
      "needs a second approval": () => side(holdList(stopped([DIFFERS])), letGoOn(stopped([DIFFERS]))),
      several: () => side(holdList(stopped([JAM, LID, DIFFERS]))),
    },
  },
  {
    name: "questions",
    states: {
      "yes or no": () => side(panel(asked())),
      "a card by hand": () => side(panel(asked({ ask: "enter", do: "enter_card" }))),
      "how many lie there": () => side(panel(asked({ ask: "count", do: "count" }))),
      "in which order": () => side(panel(asked({ ask: "order" }))),
      decide: () => side(panel(asked({ ask: "decide", role: "pit_manager" }))),
      "two cards kept": () => side(panel(asked({ ask: "missing" }))),
      "options for a player": () =>
        side(panel(stopped([CASE], { case: OPEN,
          offers: [{ to: "seat 3", choices: ["play", "withdraw"], kind: "offer_each", clause: "5.8",
            by: { play: "5.8", withdraw: "5.8" } }],
          withdrawable: { "seat 3": { wagers: ["2", "3"], each: true } } }))),
      confirm: () => confirming({ word: "expose", given: {}, label: t("Cutting card out") }, nothing, nothing),
    },
  },
  { name: "actions", states: { "both answers weigh the same": () =>
    actions(asked({ ask: "initial_deal", code: "ask_initial_deal" })),
      "nothing to press": () => actions(stopped([JAM])) } },
  { name: "hands", states: { open: () => hands(stopped([LID])),
    sealed: () => hands(stopped([LID], { cards: lying("? ? ? ?"), totals: { player: null, banker: null } })) } },
  { name: "layout", states: { "bets wait": (place) => seats(place, stopped([LID], { phase: "betting", cards: [] })),
    folded: (place) => seats(place, stopped([LID])) } },
];
