// The five roads as drawings. Where every mark stands is the console's answer; here they get a shape.

import { h, svg } from "./dom.js";
import { t } from "./catalogue.js";

/** @import { Cell, Roads } from "./types.d.ts" */

const ROWS = 6;
/** @type {[keyof Roads, string, number][]} */
const ROADS = [
  ["bead_plate", "Bead plate", 12],
  ["big_road", "Big road", 30],
  ["big_eye_boy", "Big eye boy", 20],
  ["small_road", "Small road", 20],
  ["cockroach_pig", "Cockroach pig", 20],
];
/** @type {Record<string, string>} */
const NAMES = { B: "banker", P: "player", T: "tie" };
/** @type {Record<string, string>} */
const LETTERS = { B: "Banker letter", P: "Player letter", T: "Tie letter" };

/** @param {Roads} roads */
export function drawings(roads) {
  return ROADS.map(([name, title, columns]) => h("figure", { class: `road ${name}` },
    h("figcaption", {}, t(title)), drawing(name, t(title), roads[name], columns)));
}

// The latest columns fill the frame; older ones slide out on the left.
/** @param {keyof Roads} name @param {string} title @param {Cell[]} cells @param {number} columns */
function drawing(name, title, cells, columns) {
  const last = cells.reduce((most, [column]) => Math.max(most, column), -1);
  const first = Math.max(0, last + 1 - columns);
  const shown = cells.filter(([column]) => column >= first);
  return svg("svg", { viewBox: `0 0 ${columns * 10} ${ROWS * 10}`, role: "img", "aria-label": t("{road}, {n} marks", { road: title, n: cells.length }) },
    grid(columns), shown.map((cell) => mark(name, cell, first)));
}

/** @param {number} columns */
function grid(columns) {
  const lines = [];
  for (let column = 0; column <= columns; column += 1) lines.push(`M${column * 10} 0V${ROWS * 10}`);
  for (let row = 0; row <= ROWS; row += 1) lines.push(`M0 ${row * 10}H${columns * 10}`);
  return svg("path", { class: "grid", d: lines.join("") });
}

/** @param {keyof Roads} name @param {Cell} cell @param {number} first */
function mark(name, [column, row, what, ties], first) {
  const place = { transform: `translate(${(column - first) * 10} ${row * 10})` };
  if (name === "bead_plate") return svg("g", place, bead(what));
  if (name === "big_road") return svg("g", place, ring(what, ties));
  return svg("g", { ...place, class: what === "R" ? "red" : "blue" }, derived(name, what !== "R"));
}

/** @param {string} token */
const pairs = (token) => [
  token.slice(1).includes("b") && svg("circle", { class: "pair banker", cx: 1.9, cy: 1.9, r: 1.5 }),
  token.slice(1).includes("p") && svg("circle", { class: "pair player", cx: 8.1, cy: 8.1, r: 1.5 }),
];

/** @param {string} token */
function bead(token) {
  const side = token.charAt(0);
  const unsaid = LETTERS[side] ?? side;
  const letter = t(unsaid);
  return [svg("circle", { class: `solid ${NAMES[side]}`, cx: 5, cy: 5, r: 4.3 }),
    svg("text", { x: 5, y: 6.9, class: "bead" }, letter === unsaid ? side : letter), pairs(token)];
}

/** @param {string} token @param {number} [ties] */
function ring(token, ties) {
  const side = NAMES[token.charAt(0)];
  return [svg("circle", { class: `ring ${side}`, cx: 5, cy: 5, r: 3.8 }), pairs(token),
    ties ? [svg("path", { class: "ties", d: "M2 8 8 2" }), ties > 1 && svg("text", { x: 5, y: 7, class: "tie-count" }, String(ties))] : null];
}

// The shape says which road it is; a blue mark has a dot or leans the other way, so that nobody needs
// the colour to tell them apart.
/** @param {keyof Roads} name @param {boolean} blue */
function derived(name, blue) {
  const dot = blue && svg("circle", { class: "dot", cx: 5, cy: 5, r: 1.3 });
  if (name === "big_eye_boy") return [svg("circle", { class: "hollow", cx: 5, cy: 5, r: 3.3 }), dot];
  if (name === "small_road") return [svg("circle", { class: "filled", cx: 5, cy: 5, r: 3.7 }), dot];
  return svg("path", { class: "stroke", d: blue ? "M2 1.5 8 8.5" : "M2 8.5 8 1.5" });
}
