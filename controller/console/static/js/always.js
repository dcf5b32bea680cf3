// The middle of the band of actions never moves: something is wrong, a card is corrected, the cutting
// card came.

import { countCards } from "./asks.js";
import { t } from "./catalogue.js";
import { button, h } from "./dom.js";
import { icon } from "./signs.js";
import { correctCard } from "./loading.js";
import { report } from "./report.js";
import { choose } from "./saying.js";

/** @import { StaffView } from "./types.d.ts" */

/** @param {StaffView} view */
export function always(view) {
  const cut = view.can.includes("cut_card") && view.shoe_in_use !== null && !view.shoe_in_use.cut_card_out;
  return [
    fixed("report", "R", "wrong", t("Something is wrong"), report, view.can.includes("report")),
    fixed("correct", "C", "correct", t("Correct a card"), correctCard,
      view.can.includes("correct") && view.cards.some((each) => each.exposed)),
    fixed("cut_card", "K", "cut", t("Cutting card out"), cuttingCard, cut),
    fixed("count_cards", "T", "count", t("Count the cards"), count, mayCount(view)),
  ];
}

/**
 * @param {string} key
 * @param {string} letter
 * @param {string} sign
 * @param {string} label
 * @param {() => unknown} run
 * @param {boolean} may
 */
function fixed(key, letter, sign, label, run, may) {
  return button([icon(sign), h("span", {}, label), h("kbd", { "aria-hidden": "true" }, letter)], run,
    { class: `fixed ${sign}`, "data-key": key, "data-letter": letter, disabled: !may });
}

// A reader that saw nothing says nothing: the dealer who sees one more card lie there does.
/** @param {StaffView} view */
const mayCount = (view) => view.can.includes("count") && view.shoe_in_use !== null
  && !view.asks.some((each) => each.ask === "count" || each.ask === "missing");
const count = () => countCards(t("Count the cards on the layout: one left the shoe unread."));

// Not every shoe tells of it: the dealer who sees it does.
function cuttingCard() {
  const label = t("Cutting card out");
  choose({ word: "cut_card", given: {}, label, what: label });
}
