// Card faces as in every pack: red and black, or four colours where a house asks for it; the shape
// says the suit as well.

import { must, svg } from "./dom.js";
import { t } from "./catalogue.js";

/** @import { Attributes, CardCode, Child } from "./types.d.ts" */

/** @type {Record<string, string>} */
const SHAPES = {
  S: "M12 2c4 4.4 9 7.6 9 12 0 3-2.2 4.8-4.6 4.8-1.3 0-2.5-.5-3.3-1.4.2 2.2.9 3.6 2.4 4.6h-7"
    + "c1.5-1 2.2-2.4 2.4-4.6-.8.9-2 1.4-3.3 1.4C5.2 18.8 3 17 3 14c0-4.4 5-7.6 9-12z",
  H: "M12 21.5C5 15.6 2 12 2 8.1 2 5.1 4.3 3 6.9 3c2.1 0 3.9 1.2 5.1 3.4C13.2 4.2 15 3 17.1 3"
    + " 19.7 3 22 5.1 22 8.1c0 3.9-3 7.5-10 13.4z",
  D: "M12 1.5 20.5 12 12 22.5 3.5 12z",
  C: "M12 2a4.6 4.6 0 0 1 3.6 7.5A4.6 4.6 0 1 1 13.2 17c.2 2.2.9 3.9 2.4 5H8.4"
    + "c1.5-1.1 2.2-2.8 2.4-5A4.6 4.6 0 1 1 8.4 9.5 4.6 4.6 0 0 1 12 2z",
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
  code ? t("{rank} of {suit}", { rank: t(RANK_NAMES[rankOf(code)] ?? code), suit: suitName(suitOf(code)) })
    : t("face down");

/** @type {Record<string, string>} */
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
/** A card as a ledger has it: 9♥. @param {CardCode | null} code */
export const faceText = (code) => (code ? `${rankText(rankOf(code))}${SIGNS[suitOf(code)] ?? ""}` : "▮");

/** @param {string} suit @param {Attributes} [attributes] */
export function suitShape(suit, attributes = {}) {
  return svg("svg", { viewBox: "0 0 24 24", class: `suit suit-${suit}`, "aria-hidden": "true", ...attributes },
    svg("path", { d: must(SHAPES[suit]) }));
}

// A card as it lies: its face, or its back when nobody has turned it. `pips` draws the whole face for
// a large card; without, there is one suit mark that stays clear when the card is small.
/**
 * @param {CardCode | null} code
 * @param {{ label?: string, className?: string, pips?: boolean, motion?: "laid" | "turned" | null }} [more] `motion`:
 *   how it comes
 */
export function card(code, { label = cardName(code), className = "", pips = false, motion = null } = {}) {
  const frame = svg("rect", { class: "edge", x: 1, y: 1, width: 98, height: 138, rx: 8 });
  const parts = code ? face(rankOf(code), suitOf(code), pips) : back();
  return svg("svg", { viewBox: "0 0 100 140", class: `card ${code ? `suit-${suitOf(code)}` : "back"} ${className}`,
    role: "img", "aria-label": label, "data-motion": motion },
    frame, ...parts);
}

/** @param {string} rank @param {string} suit @param {boolean} pips @returns {Child[]} */
function face(rank, suit, pips) {
  if (!pips) return [index(rank, 8, 46), pip(suit, 62, 97, 30)];
  const corner = () => [index(rank, 6, 36, "jumbo"), pip(suit, 17.5, 53, 10)];
  return [corner(), svg("g", { transform: "rotate(180 50 70)" }, corner()), within(rank, suit)];
}

/** @param {string} rank @param {number} x @param {number} y @param {string} [size] */
const index = (rank, x, y, size = "") => svg("text",
  { x, y, class: `rank ${size}`, ...(rank === "T" ? narrow(size) : {}) }, rankText(rank));
// Two figures in the room of one.
/** @param {string} size */
const narrow = (size) => ({ textLength: size ? 23 : 40, lengthAdjust: "spacingAndGlyphs" });

// A suit's shape around a point; upside down in the lower half of a card.
/** @param {string} suit @param {number} x @param {number} y @param {number} half @param {boolean} [turned] */
function pip(suit, x, y, half, turned = false) {
  const size = half / 12;
  return svg("path", { d: must(SHAPES[suit]),
    transform: `translate(${x} ${y}) ${turned ? "rotate(180) " : ""}scale(${size.toFixed(3)}) translate(-12 -12)` });
}

// Where pips stand: columns left, middle and right, from the top; every pack has them so.
const LEFT = 39.5, MIDDLE = 50, RIGHT = 60.5;
// Nine and ten stand closer, so they are smaller and their columns wider apart.
const WIDE = 37.5, FAR = 62.5;
/** @type {Record<string, [number, number][]>} */
const PIPS = {
  A: [[MIDDLE, 70]],
  2: [[MIDDLE, 34], [MIDDLE, 106]],
  3: [[MIDDLE, 34], [MIDDLE, 70], [MIDDLE, 106]],
  4: [[LEFT, 34], [RIGHT, 34], [LEFT, 106], [RIGHT, 106]],
  5: [[LEFT, 34], [RIGHT, 34], [MIDDLE, 70], [LEFT, 106], [RIGHT, 106]],
  6: [[LEFT, 34], [RIGHT, 34], [LEFT, 70], [RIGHT, 70], [LEFT, 106], [RIGHT, 106]],
  7: [[LEFT, 34], [RIGHT, 34], [MIDDLE, 52], [LEFT, 70], [RIGHT, 70], [LEFT, 106], [RIGHT, 106]],
  8: [[LEFT, 34], [RIGHT, 34], [MIDDLE, 52], [LEFT, 70], [RIGHT, 70], [MIDDLE, 88], [LEFT, 106], [RIGHT, 106]],
  9: [[WIDE, 28], [FAR, 28], [WIDE, 56], [FAR, 56], [MIDDLE, 70], [WIDE, 84], [FAR, 84], [WIDE, 112], [FAR, 112]],
  T: [[WIDE, 28], [FAR, 28], [MIDDLE, 42], [WIDE, 56], [FAR, 56], [WIDE, 84], [FAR, 84], [MIDDLE, 98], [WIDE, 112],
    [FAR, 112]],
};

/** Half a pip, where it is not as usual. @type {Record<string, number>} */
const SIZES = { A: 19, 9: 6.8, T: 6.8 };

/** @param {string} rank @param {string} suit @returns {Child[]} */
function within(rank, suit) {
  const places = PIPS[rank];
  if (!places) return court(rank, suit);
  return places.map(([x, y]) => pip(suit, x, y, SIZES[rank] ?? 8.4, y > 70));
}

// A court card: its letter between two crowns, in a frame.
/** @param {string} rank @param {string} suit @returns {Child[]} */
function court(rank, suit) {
  const crown = "M-11 5-13-6-6-1 0-9 6-1 13-6 11 5z";
  return [
    svg("rect", { class: "frame", x: 32, y: 24, width: 36, height: 92, rx: 3 }),
    svg("path", { class: "crown", d: crown, transform: "translate(50 42)" }),
    svg("path", { class: "crown", d: crown, transform: "translate(50 98) rotate(180)" }),
    svg("text", { class: "court", x: 50, y: 82 }, rank),
    pip(suit, 50, 56, 5), pip(suit, 50, 90, 5, true),
  ];
}

/** @returns {Child[]} */
function back() {
  const lines = [];
  for (let at = 0; at <= 200; at += 12) {
    lines.push(`M${at - 90} 8 L${at + 34} 132`, `M${at + 34} 8 L${at - 90} 132`);
  }
  return [
    svg("rect", { class: "weave", x: 8, y: 8, width: 84, height: 124, rx: 5 }),
    svg("svg", { x: 8, y: 8, width: 84, height: 124, viewBox: "8 8 84 124" },
      svg("path", { class: "lines", d: lines.join("") })),
    svg("rect", { class: "hem", x: 11, y: 11, width: 78, height: 118, rx: 3 }),
  ];
}
