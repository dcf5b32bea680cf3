// Reporting that something went wrong: what happened, which cards or hand it concerns, confirm. The
// clause is the table's answer, never the dealer's burden.

import { shown } from "./app.js";
import { t } from "./catalogue.js";
import { ask, foot, oneAtATime, options } from "./dialog.js";
import { h } from "./dom.js";
import { get } from "./http.js";
import { cardButton, hands, liesOf, mayConfirm, peopleToPick, wagersOff, wagersToTake,
  whereTheyLie } from "./pickers.js";
import { failed, word } from "./saying.js";
import { caseTitle } from "./titles.js";

/** @import { Again, Child, Done, Drawn, Irregularity, Option, Side } from "./types.d.ts" */
/** @typedef {"cards" | "hidden" | "hand" | "to" | "lies" | "wagers" | "round" | "text"} Detail */
/**
 * @typedef {{ cards: Set<number>, hand: Side | null, to: string | null, earlier: boolean, lies: Record<number, Side>,
 * wagers: import("./pickers.js").Taken, text: string }} Reported
 */

/** @type {[string, string[]][]} */
const FAMILIES = [
  ["Drawing", ["simultaneous", "excess_card", "wrong_number", "wrong_order", "exposed_in_error"]],
  ["Handling", ["wrong_player", "not_passed", "handler_absent", "cards_taken"]],
  ["Cards", ["foreign_card", "face_up_in_device", "wrong_count", "unshuffled", "order_altered", "not_enough_cards"]],
  ["Device", ["device_reset", "power_failure", "display_wrong", "exposed_while_moving", "order_altered_moving"]],
  ["Wagers", ["late_wager", "late_withdrawal", "under_minimum", "over_maximum", "differential", "earlier_limits",
    "chip_position"]],
  ["Other", ["late_error", "void_aftermath", "uncovered"]],
];

// What is asked besides what happened; everything is optional but the cards of a simultaneous draw.
/** @type {Record<string, Detail[]>} */
const DETAILS = {
  simultaneous: ["cards"],
  wrong_order: ["lies"],
  wrong_player: ["hand", "to"],
  handler_absent: ["hand"],
  cards_taken: ["hand"],
  not_passed: ["hand"],
  exposed_in_error: ["hidden"],
  late_wager: ["wagers"],
  late_error: ["round"],
  wrong_number: ["lies", "round"],
  uncovered: ["text", "round"],
};

export const report = oneAtATime(async () => {
  /** @type {Irregularity[]} */
  let known;
  try {
    known = /** @type {{ irregularities: Irregularity[] }} */ (await get("/api/irregularities")).irregularities;
  } catch (problem) {
    failed(problem);
    return;
  }
  const what = await pickWhat(new Map(known.map((each) => [each.id, each])));
  if (what) await details(what);
});

/** @param {Map<string, Irregularity>} known */
function pickWhat(known) {
  let family = "Drawing";
  const listed = FAMILIES.flatMap(([, ids]) => ids);
  const others = [...known.keys()].filter((id) => !listed.includes(id));
  return ask(t("What happened?"), (/** @type {Done<Irregularity>} */ done, again) => {
    const tabs = FAMILIES.map(([name]) => /** @type {Option<string>} */ ([name, t(name)]));
    const ids = [...FAMILIES.filter(([name]) => name === family).flatMap(([, each]) => each),
      ...(family === "Other" ? others : [])];
    return [
      options(tabs, family, (name) => { family = name; again(); }, "tabs"),
      h("div", { class: "happened" }, ids.filter((id) => known.has(id)).map((id) =>
        h("button", { type: "button", onclick: () => done(known.get(id) ?? null), "data-key": id }, caseTitle(id)))),
    ];
  }, "wide beside");
}

/** @type {Record<Detail, (state: Reported, again: Again, cards: Drawn[]) => Child>} */
const PARTS = { cards: whichCards, hidden: shownByMistake, hand: whichHand, to: toWhom,
  lies: (state, again) => whereTheyLie(state.lies, again), wagers: whichWagers, round: whichRound, text: inWords };

/** @param {Irregularity} what */
function details(what) {
  const wanted = DETAILS[what.id] ?? [];
  const cards = shown().cards;
  /** @type {Reported} */
  const state = { cards: new Set(wanted.includes("cards") ? cards.slice(-2).map((each) => each.n) : []), hand: null,
    to: null, earlier: what.id === "late_error", lies: {}, wagers: new Map(), text: "" };
  return ask(caseTitle(what.id), (/** @type {Done<object>} */ done, again) => [
    wanted.map((each) => PARTS[each](state, again, cards)),
    h("p", { class: "soft" }, t("The table stops when you confirm, then asks its questions.")),
    foot(done, { label: t("Report it"), ready: isTold(wanted, state), value: () => given(wanted, state) }),
  ], "wide beside", (found) => word("report", { what: what.id, ...found }, { what: caseTitle(what.id) }));
}

/**
 * What no rule has a name for is told in words, or nobody can decide it.
 * @param {Detail[]} wanted
 * @param {Reported} state
 */
const isTold = (wanted, state) => !wanted.includes("text") || state.text.trim() !== "";

/** @param {Detail[]} wanted @param {Reported} state */
function given(wanted, state) {
  /** @type {Record<string, unknown>} */
  const found = {};
  if (state.cards.size) found.cards = [...state.cards].sort((a, b) => a - b);
  if (wanted.includes("hand") && state.hand) found.hand = state.hand;
  if (wanted.includes("to") && state.to) found.to = state.to;
  if (wanted.includes("round") && state.earlier) found.round = Math.max(1, shown().round - 1);
  if (wanted.includes("lies") && Object.keys(state.lies).length && !state.earlier) found.lies = liesOf(state.lies);
  if (wanted.includes("wagers") && state.wagers.size) {
    found.wagers = wagersOff(state.wagers).map(({ id, amount }) => (amount === null ? id : { id, amount }));
  }
  if (wanted.includes("text")) found.text = state.text.trim();
  return found;
}

/** @param {Reported} state @returns {Child} */
function inWords(state) {
  const field = h("textarea", { rows: 3, maxlength: "500", "aria-label": t("What happened?"),
    placeholder: t("In your own words"), "data-key": "text" }, state.text);
  field.addEventListener("input", () => {
    state.text = field.value;
    mayConfirm(field, state.text.trim() !== "");
  });
  return [h("h3", {}, t("Describe what happened: it is recorded for the person who decides.")), field];
}

/** @param {Reported} state @param {Again} again @param {Drawn[]} cards @returns {Child} */
function whichCards(state, again, cards) {
  return [h("h3", {}, t("Which cards?")), ticked(state, again, cards, () => true)];
}

// What is ticked here lies open for the whole table from then on: nothing is ticked beforehand, and
// nothing that lies open already.
/** @param {Reported} state @param {Again} again @param {Drawn[]} cards @returns {Child} */
function shownByMistake(state, again, cards) {
  return [
    h("h3", {}, t("Which face-down cards were exposed?")),
    h("p", { class: "warn" }, t("The cards you tick are shown to all when you confirm.")),
    ticked(state, again, cards, (each) => !each.exposed),
  ];
}

/** @param {Reported} state @param {Again} again @param {Drawn[]} cards @param {(drawn: Drawn) => boolean} may */
function ticked(state, again, cards, may) {
  /** @param {Drawn} drawn */
  const toggle = ({ n }) => {
    if (!state.cards.delete(n)) state.cards.add(n);
    again();
  };
  return h("div", { class: "pick-cards" },
    cards.map((each) => cardButton(each, toggle,
      { chosen: state.cards.has(each.n), badge: state.cards.has(each.n) ? "✓" : null, off: !may(each) })));
}

/** @param {Reported} state @param {Again} again @returns {Child} */
function whichHand(state, again) {
  return [h("h3", {}, t("Which hand?")), options(hands(), state.hand, (hand) => { state.hand = hand; again(); })];
}

/** @param {Reported} state @param {Again} again @returns {Child} */
function toWhom(state, again) {
  return [h("h3", {}, t("Whose is it?")), options(peopleToPick(), state.to, (who) => { state.to = who; again(); },
    "seats")];
}

/** @param {Reported} state @param {Again} again @returns {Child} */
function whichRound(state, again) {
  return [h("h3", {}, t("Which round?")),
    options([[false, t("This round")], [true, t("The round before")]], state.earlier,
      (yes) => { state.earlier = yes; again(); })];
}

/** @param {Reported} state @param {Again} again @returns {Child} */
function whichWagers(state, again) {
  return [h("h3", {}, t("Which wagers on the layout came late?")), wagersToTake(shown(), state.wagers, again, true)];
}
