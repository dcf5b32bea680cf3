// The dealer's parts on the style page, while the table plays.

import { app } from "./app.js";
import { card } from "./cards.js";
import { t } from "./catalogue.js";
import { chips } from "./chips.js";
import { foot, options } from "./dialog.js";
import { button, h } from "./dom.js";
import { shoeBar } from "./hands.js";
import { reading } from "./headline_parts.js";
import { hand } from "./layout_words.js";
import { handName, rankAndSuit } from "./pickers.js";
import { personName, sentence, wagerName } from "./sentences.js";
import { clause } from "./shell.js";
import { shoeIsNext, traceOf } from "./slots.js";
import { CROWD, LEFT, lying, PAYOUTS, prompted, REFUSED, table, voided, WAGERS } from "./style_data.js";
import { actions, hands, knowing, nothing, openWindow, seats, top } from "./style_made.js";
import { aftermath } from "./voided.js";

/** @import { Attributes, CardCode, Refusal, State, Turn } from "./types.d.ts" */
/** @import { Part } from "./style.js" */

/** @param {Attributes} [attributes] */
const one = (attributes = {}) => button(t("Open betting"), nothing, attributes);

/** @param {...(CardCode | null)} codes */
const faces = (...codes) => h("div", { class: "row-of-cards" }, codes.map((code) => card(code)));

/** @param {State} name */
const state = (name) => h("span", { class: `state ${name}` }, name);

const says = { say: "Place your bets", say_code: "say_call", say_gaps: { call: "place_your_bets" }, clause: "3.10.1" };
const ready = table({ state: "ready", phase: "ready", over: true, can: ["open_betting", "load_shoe", "report"],
  prompt: prompted("prompt_open_betting",
    { ...says, act: { word: "open_betting", hand: null, player: null, face: false } }) });
const betting = table({ state: "betting", phase: "betting", cards: [], prompt: prompted("prompt_take_wagers"),
  last_wagers: WAGERS });
const settling = table({ state: "settling", phase: "settling", outcome: "player", payouts: PAYOUTS,
  prompt: prompted("prompt_collect_and_pay", { act: { word: "settle", hand: null, player: null, face: false } }) });
/** @type {Turn} */
const turn = { to: "seat 3", clause: null, named_by_supervisor: false, asked_by: null, may_take: true,
  may_leave: true };
const passing = table({
  state: "revealing", phase: "revealing", method: "A", cards: lying("? ? ? ?"), totals: { player: null, banker: null },
  passing: { player: turn, banker: { ...turn, to: "seat 1" } },
  can: ["expose", "report"], prompt: prompted("prompt_pass_hand",
    { gaps: { hand: "player", player: "seat 3" },
      act: { word: "accept_cards", hand: "player", player: "seat 3", face: false } }),
});

/** @param {Partial<Refusal>} [change] @returns {Refusal} */
const refused = (change = {}) => {
  const made = { ...REFUSED, what: t("No more bets"),
    offers: [{ label: t("Make it {n}", { n: 100 }), mends: true, run: nothing },
      { label: t("Give back {n}", { n: 25 }), run: nothing }], ...change };
  return { ...made, text: sentence(made.code, made.gaps, "") };
};

/** @type {Part[]} */
export const PARTS = [
  {
    name: "headline",
    states: {
      "what to do, the words to say, the clause": () => top(ready),
      "the clause's text open": () => {
        reading.clause = "3.10.1";
        const made = top(ready);
        reading.clause = null;
        return made;
      },
      "a long one": () => top(table({ prompt: prompted("prompt_expose_hands", { clause: "3.13" }) })),
      "while betting": () => top(betting),
      "who is next": () => top(passing),
      "what the round comes to": () => top(settling),
      "chosen, not yet said": () =>
        knowing({ choice: { word: "expose", given: {},
          label: t("The {hand} hand is face up", { hand: handName("player") }) } }, () => top(passing)),
      "a card by hand, and closing": () =>
        top(table({ manual: true, close_after: true, can: ["stay_open"], prompt: prompted("prompt_announce") })),
    },
  },
  {
    name: "refusal",
    states: {
      "with what mends it": () => knowing({ refusal: refused() }, () => top(betting)),
      "nothing mends it": () =>
        knowing({ refusal: refused({ code: "late_wager", gaps: {}, what: wagerName("banker"), offers: [] }) },
          () => top(betting)),
      "only told": () =>
        knowing({ refusal: refused({ code: "table_moved_on", gaps: {}, what: "", clause: null, tone: "note",
          offers: [] }) }, () => top(betting)),
      "over a window": () => h("div", { class: "toast bad" }, h("p", {}, refused().text),
        button(t("Close"), nothing, { class: "small" })),
      note: () => h("div", { class: "toast note" }, h("p", {}, `3.10.1 · ${app.clauses["3.10.1"] ?? ""}`)),
    },
  },
  {
    name: "actions",
    states: {
      "one solid, the others outlined": () => actions(ready),
      "resting after a change": () => actions({ ...ready, round: 13 }, { resting: true }),
      "draw from the shoe next": () =>
        actions(table({ can: ["report", "correct"],
          prompt: prompted("prompt_draw_face_up", { gaps: { hand: "player" }, card_to: "player" }) }),
            { waiting: shoeIsNext() }),
      "who takes the hand": () => actions(passing),
      "confirm or cancel": () =>
        knowing({ choice: { word: "cut_card", given: {}, label: t("Cutting card out") } }, () => actions(ready)),
      "where the last tap was": () => traceOf({ done: t("Betting opened"), who: "Anna", at: 1_700_000_000 }),
      "waits for the shoe's own round": () => actions(voided({ left_at_shoe: LEFT })),
    },
  },
  {
    name: "hands",
    states: {
      "the next slot lit": () =>
        hands(table({ cards: lying("9H 2C"), totals: { player: 9, banker: 2 },
          prompt: prompted("prompt_draw_face_up", { card_to: "player" }) })),
      "the third one lit": () =>
        hands(table({ state: "bankers_third", phase: "bankers_third", cards: lying("2H 3C 3D KS 8C"),
          totals: { player: 3, banker: 3 }, prompt: prompted("prompt_draw_third", { card_to: "banker" }) })),
      sealed: () => hands(passing),
      "one hand open, and who handles it": () =>
        hands(table({ ...passing, cards: lying("9H ? KD ?"), totals: { player: 9, banker: null },
          handlers: { player: "seat 3", banker: "seat 1" }, passing: {} })),
      "the winner, third cards sideways": () =>
        hands(table({ outcome: "banker", cards: lying("2H 3C 3D KS 8C 5D"), totals: { player: 3, banker: 8 } })),
      tie: () => hands(table({ outcome: "tie", cards: lying("9H 4C KD 5S"), totals: { player: 9, banker: 9 } })),
      "one aside": () =>
        hands(table({ cards: [...lying("9H 2C KD 3S"), { n: 5, hand: null, card: "7D", exposed: true }] })),
      void: () => hands(voided()),
    },
  },
  {
    name: "layout",
    states: {
      open: (place) => seats(place, betting),
      "a spot that is refused": (place) => knowing({ refusal: refused() }, () => seats(place, betting)),
      "chips come off": (place) => { hand.taking = true; seats(place, betting); hand.taking = false; return null; },
      "not repeated": (place) => {
        hand.missed = [{ spot: { position: 1, wager: "banker" },
          what: `${personName("seat 1")} · ${wagerName("banker")}`, why: refused().text }];
        seats(place, betting);
        hand.missed = [];
        return null;
      },
      "bets wait": (place) => seats(place, { ...betting, state: "halted" }),
      folded: (place) => seats(place, table()),
      "folded: who handles, who is next": (place) =>
        seats(place, table({ ...passing, handlers: { player: "seat 3" } })),
      "folded: settled": (place) => seats(place, settling),
      thousands: (place) => seats(place, table({ wagers: CROWD })),
    },
  },
  {
    name: "void",
    states: {
      head: () => top(voided({ prompt: prompted("prompt_open_betting") })),
      "the shoe still plays": () => h("aside", { id: "side" }, aftermath(voided({ left_at_shoe: LEFT }))),
      "the dealer says it": () => h("aside", { id: "side" },
        aftermath(voided({ left_at_shoe: { ...LEFT, by_hand: true } }))),
      "the shoe has ended it": () => h("aside", { id: "side" },
        aftermath(voided({ left_at_shoe: { ...LEFT, to_be_ended: false, ended_by: "shoe" } }))),
      "put aside": () => h("aside", { id: "side" },
        aftermath(voided({ left_at_shoe: { ...LEFT, to_be_ended: false, aside_by: "ben",
          reason: "The button does not work" } }))),
    },
  },
  {
    name: "shoe",
    states: {
      "how far it has gone": () => h("section", { id: "felt", class: "for-rail" },
        h("div", { id: "rail" }, shoeBar(table()))),
      "the cutting card is out": () => h("section", { id: "felt", class: "for-rail" },
        h("div", { id: "rail" },
          shoeBar(table({ shoe_in_use: { number: 3, deck_set: "blue", decks: 8, verified_by: "ben", burn_left: null,
            gone: 8, cut_card_out: true, rounds_after_cut: 1 } })))),
    },
  },
  {
    name: "buttons",
    states: {
      "the one to press": () => one({ class: "primary big" }),
      plain: () => one(),
      off: () => one({ disabled: true }),
      "primary, off": () => one({ class: "primary", disabled: true }),
      chosen: () => one({ "aria-pressed": "true" }),
      small: () => one({ class: "small" }),
      link: () => one({ class: "link" }),
      "with its key": () => button([h("kbd", {}, "R"), t("Something is wrong")], nothing),
    },
  },
  { name: "chips", states: { all: () => chips(nothing, "style") } },
  {
    name: "cards",
    states: { "four suits": () => faces("9H", "KD", "AS", "TC"), "face down": () => faces(null, null),
      "one not turned yet": () => faces("7D", null) },
  },
  {
    name: "state",
    states: { all: () => h("div", { class: "on-bar" }, /** @type {State[]} */
      (["ready", "betting", "dealing", "outcome", "settling", "halted", "suspended"]).map(state)) },
  },
  { name: "clause", states: { known: () => clause("3.10.1"), large: () => clause("3.10.1", "large") } },
  {
    name: "windows",
    states: {
      choosing: () => openWindow(t("Deck set"),
        [options([["blue", t("blue")], ["red", t("red")]], "red", nothing),
          foot(nothing, { label: t("Confirm"), value: nothing })]),
      "not complete": () => openWindow(t("Deck set"),
        [options([["blue", t("blue")], ["red", t("red")]], null, nothing),
          foot(nothing, { label: t("Confirm"), value: nothing, ready: false })]),
      "a card": () => openWindow(t("What is it?"), rankAndSuit({ rank: "9", suit: "H" }, nothing)),
    },
  },
];
