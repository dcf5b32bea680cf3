// Card faces. Four colours, and for whoever cannot tell them apart the shape and a letter as well.

import { must, svg } from "./dom.js";
import { t } from "./catalogue.js";

/** @import { Attributes, CardCode } from "./types.d.ts" */

/** @type {Record<string, string>} */
const SHAPES = {
  S: "M12 2c4 4.4 9 7.6 9 12 0 3-2.2 4.8-4.6 4.8-1.3 0-2.5-.5-3.3-1.4.2 2.2.9 3.6 2.4 4.6h-7c1.5-1 2.2-2.4 2.4-4.6-.8.9-2 1.4-3.3 1.4C5.2 18.8 3 17 3 14c0-4.4 5-7.6 9-12z",
  H: "M12 21.5C5 15.6 2 12 2 8.1 2 5.1 4.3 3 6.9 3c2.1 0 3.9 1.2 5.1 3.4C13.2 4.2 15 3 17.1 3 19.7 3 22 5.1 22 8.1c0 3.9-3 7.5-10 13.4z",
  D: "M12 1.5 20.5 12 12 22.5 3.5 12z",
  C: "M12 2a4.6 4.6 0 0 1 3.6 7.5A4.6 4.6 0 1 1 13.2 17c.2 2.2.9 3.9 2.4 5H8.4c1.5-1.1 2.2-2.8 2.4-5A4.6 4.6 0 1 1 8.4 9.5 4.6 4.6 0 0 1 12 2z",
};

export const SUITS = ["S", "H", "D", "C"];
export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
/** @type {Record<string, string>} */
const SUIT_NAMES = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
/** @type {Record<string, string>} */
const RANK_NAMES = {
  A: "Ace", 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine",
  T: "Ten", J: "Jack", Q: "Queen", K: "King",
};

/** @param {CardCode} code */
const suitOf = (code) => code.slice(-1);
/** @param {CardCode} code */
const rankOf = (code) => (code.slice(0, -1) === "10" ? "T" : code.slice(0, -1));
/** @param {string} rank */
export const rankText = (rank) => (rank === "T" ? "10" : rank);
/** @param {string} suit */
export const suitName = (suit) => t(SUIT_NAMES[suit] ?? suit);
/** @param {CardCode | null} code */
export const cardName = (code) =>
  code ? t("{rank} of {suit}", { rank: t(RANK_NAMES[rankOf(code)] ?? code), suit: suitName(suitOf(code)) }) : t("face down");

/** @param {string} suit @param {Attributes} [attributes] */
export function suitShape(suit, attributes = {}) {
  return svg("svg", { viewBox: "0 0 24 24", class: `suit suit-${suit}`, "aria-hidden": "true", ...attributes },
    svg("path", { d: must(SHAPES[suit]) }));
}

// A card as it lies: its face, or its back when nobody has turned it.
/** @param {CardCode | null} code @param {{ label?: string, className?: string }} [more] */
export function card(code, { label = cardName(code), className = "" } = {}) {
  const frame = svg("rect", { class: "edge", x: 1, y: 1, width: 98, height: 138, rx: 9 });
  const parts = code ? face(rankOf(code), suitOf(code)) : back();
  return svg("svg", { viewBox: "0 0 100 140", class: `card ${code ? `suit-${suitOf(code)}` : "back"} ${className}`, role: "img", "aria-label": label },
    frame, ...parts);
}

/** @param {string} rank @param {string} suit */
function face(rank, suit) {
  return [
    svg("text", { x: 10, y: 46, class: "rank" }, rankText(rank)),
    svg("text", { x: 13, y: 68, class: "letter" }, suit),
    svg("path", { d: SHAPES[suit], transform: "translate(31 66) scale(2.55)" }),
  ];
}

function back() {
  const lines = [];
  for (let at = 0; at <= 200; at += 12) {
    lines.push(`M${at - 90} 8 L${at + 34} 132`, `M${at + 34} 8 L${at - 90} 132`);
  }
  return [
    svg("rect", { class: "weave", x: 8, y: 8, width: 84, height: 124, rx: 5 }),
    svg("svg", { x: 8, y: 8, width: 84, height: 124, viewBox: "8 8 84 124" }, svg("path", { class: "lines", d: lines.join("") })),
    svg("circle", { class: "seal", cx: 50, cy: 70, r: 17 }),
    svg("text", { class: "mark", x: 50, y: 78 }, "S"),
  ];
}
