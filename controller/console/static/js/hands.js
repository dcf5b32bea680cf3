// The cards as they lie. The next slot is lit where the prompt asks for a card, and nowhere else: what
// nobody has seen lights nothing.

import { card, cardName } from "./cards.js";
import { t } from "./catalogue.js";
import { h, svg } from "./dom.js";
import { icon } from "./signs.js";
import { handName } from "./pickers.js";
import { choose } from "./saying.js";
import { personName } from "./sentences.js";
import { stepButton } from "./slots.js";

/** @import { Child, Drawn, Side, StaffView } from "./types.d.ts" */
/** @import { Step } from "./steps.js" */

/** @type {Side[]} */
const SIDES = ["player", "banker"];
const PAIR = 2;

/** @param {StaffView} view @param {Record<Side, Step[]>} byHand */
export function bothHands(view, byHand) {
  const aside = view.cards.filter((each) => each.hand === null);
  return [
    SIDES.map((side) => hand(view, side, byHand[side])),
    aside.length ? h("section", { class: "aside", "aria-label": t("Set aside") }, h("h3", {}, t("Set aside")),
      h("div", { class: "cards" }, aside.map((each) => lyingCard(view, each)))) : null,
  ];
}

/** @param {StaffView} view @param {Side} side @param {Step[]} steps */
function hand(view, side, steps) {
  const total = view.totals[side];
  const lying = view.cards.filter((each) => each.hand === side);
  const won = view.outcome === side;
  const lost = view.outcome !== null && view.outcome !== "tie" && !won;
  return h("section", { class: `hand ${side} ${won ? "won" : ""} ${lost ? "lost" : ""}`, "aria-label": handName(side) },
    h("header", {}, h("h2", {}, handName(side)),
      won ? h("b", { class: "wins" }, icon("done"), t("WINS")) : null,
      view.outcome === "tie" ? h("b", { class: "wins" }, t("TIE")) : null,
      handling(view, side),
      h("output", { class: "total" }, total === null ? "–" : String(total))),
    h("div", { class: "cards" }, h("div", { class: "row" },
      [0, 1, PAIR].map((at) => place(view, lying[at], side, at, lying.length)),
      lying.slice(PAIR + 1).map((each) => lyingCard(view, each)))),
    h("footer", {}, steps.map((each) => stepButton(each, { className: `of-hand ${side}`, short: true }))));
}

/**
 * @param {StaffView} view
 * @param {Drawn | undefined} drawn
 * @param {Side} side
 * @param {number} at
 * @param {number} count
 * @returns {Child}
 */
function place(view, drawn, side, at, count) {
  const third = at === PAIR;
  if (drawn) return third ? sideways(lyingCard(view, drawn)) : lyingCard(view, drawn);
  const lit = view.prompt.card_to === side && at === count;
  return h("i", { class: `slot-card ${third ? "third" : ""} ${lit ? "lit" : ""}` }, lit ? icon("next") : null,
    lit ? h("span", { class: "sr" }, t("The next card goes here")) : null);
}

/** @param {Element} drawn */
const sideways = (drawn) => h("div", { class: "third" }, drawn);

/** @param {StaffView} view @param {Side} side */
function handling(view, side) {
  const who = view.handlers[side];
  return h("p", { class: "handler" }, who ? t("Handled by {who}", { who: personName(who) }) : null);
}

// A face-down card can be marked as turned by itself, where somebody turned just that one.
/** @param {StaffView} view @param {Drawn} drawn */
function lyingCard(view, drawn) {
  const picture = card(drawn.card);
  if (drawn.exposed || !drawn.hand || !view.can.includes("expose")) return picture;
  const at = view.cards.filter((each) => each.hand === drawn.hand).indexOf(drawn) + 1;
  const label = t("Card {n} of the {hand} hand is face up", { n: at, hand: handName(drawn.hand) });
  return h("button", { type: "button", class: "turn", "aria-label": label, title: label, "data-key": `turn-${drawn.n}`,
    onclick: () => choose({ word: "expose", given: { hand: drawn.hand, card: at }, label, what: label }) },
      card(null, { label: cardName(null) }));
}

/** How far the shoe has gone: a bar in tenths, and no count. @param {StaffView} view */
export function shoeBar(view) {
  const shoe = view.shoe_in_use;
  if (!shoe) return null;
  const says = shoe.cut_card_out ? t("The cutting card is out")
    : t("About {n} tenths of the shoe are gone", { n: shoe.gone });
  return h("div", { class: `shoe-bar ${shoe.cut_card_out ? "cut" : ""}`, role: "img", "aria-label": says, title: says },
    h("span", { "aria-hidden": "true" }, t("Shoe {n}", { n: shoe.number })),
    svg("svg", { viewBox: "0 0 100 8", "aria-hidden": "true" }, Array.from({ length: 10 }, (_, at) =>
      svg("rect", { class: at < shoe.gone ? "gone" : "", x: at * 10 + 0.5, y: 0, width: 9, height: 8, rx: 1.5 }))),
    shoe.cut_card_out ? h("b", {}, t("cutting card")) : null);
}
