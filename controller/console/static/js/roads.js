// The five roads as drawings. Where every mark stands is the console's answer; here they get a shape.

import { beadLetter, both } from "./bilingual.js";
import { t } from "./catalogue.js";
import { h, svg } from "./dom.js";

/** @import { Cell, DerivedRoad, Road, Roads, Side } from "./types.d.ts" */

const ROWS = 6;
/** @type {Record<Road, string>} */
export const ROADS = {
  bead_plate: "Bead plate",
  big_road: "Big road",
  big_eye_boy: "Big eye boy",
  small_road: "Small road",
  cockroach_pig: "Cockroach pig",
};
/** @type {DerivedRoad[]} */
const DERIVED = ["big_eye_boy", "small_road", "cockroach_pig"];
/** @type {Record<string, string>} */
const NAMES = { B: "banker", P: "player", T: "tie" };
/** @type {Record<string, string>} */
const LETTERS = { B: "Banker letter", P: "Player letter", T: "Tie letter" };

/** Nobody should need the colour to tell blue from red. */
const dotted = () => document.documentElement.dataset.marks === "dot";

// The newest column and a free one are always seen; older ones slide out on the left.
/**
 * @param {Road} name
 * @param {Roads} roads
 * @param {number} columns
 * @param {boolean} newest whether the last mark was written just now
 */
export function road(name, roads, columns, newest) {
  const cells = roads[name];
  const last = cells.reduce((most, [column]) => Math.max(most, column), -1);
  const first = Math.max(0, last + 2 - columns);
  const label = t("{road}, {n} marks", { road: t(ROADS[name]), n: cells.length });
  const lit = newest && writes(name, roads) ? cells.at(-1) : undefined;
  return svg("svg", { viewBox: `0 0 ${columns * 10} ${ROWS * 10}`, role: "img", "aria-label": label,
    class: `road ${name}` },
    grid(columns),
    lit ? svg("rect", { class: "newest", "data-since": cells.length, x: (lit[0] - first) * 10, y: lit[1] * 10,
      width: 10, height: 10 }) : null,
    cells.filter(([column]) => column >= first).map((cell) => mark(name, cell, first)));
}

// A tie stands on the bead plate and on the big road's last mark; the derived roads know none.
/** @param {Road} name @param {Roads} roads */
const writes = (name, roads) => roads.results.at(-1)?.charAt(0) !== "T" || name === "bead_plate" || name === "big_road";

/** @param {number} columns */
function grid(columns) {
  const lines = [];
  for (let column = 1; column < columns; column += 1) lines.push(`M${column * 10} 0V${ROWS * 10}`);
  for (let row = 1; row < ROWS; row += 1) lines.push(`M0 ${row * 10}H${columns * 10}`);
  return svg("path", { class: "grid", d: lines.join("") });
}

/** @param {Road} name @param {Cell} cell @param {number} first */
function mark(name, [column, row, what, ties], first) {
  const place = { transform: `translate(${(column - first) * 10} ${row * 10})` };
  if (name === "bead_plate") return svg("g", place, bead(what));
  if (name === "big_road") return svg("g", place, ring(what, ties));
  return svg("g", { ...place, class: what === "R" ? "red" : "blue" }, derived(name, what !== "R"));
}

/** @param {string} token */
const pairs = (token) => [
  token.slice(1).includes("b") && svg("circle", { class: "pair banker", cx: 1.7, cy: 1.7, r: 1.5 }),
  token.slice(1).includes("p") && svg("circle", { class: "pair player", cx: 8.3, cy: 8.3, r: 1.5 }),
];

/** @param {string} token */
function bead(token) {
  const side = token.charAt(0);
  return [svg("circle", { class: `solid ${NAMES[side]}`, cx: 5, cy: 5, r: 4.25 }),
    svg("text", { x: 5, y: 6.85, class: "bead" }, beadLetter(side, LETTERS[side] ?? side)), pairs(token)];
}

/** @param {string} token @param {number} [ties] */
function ring(token, ties) {
  const blue = token.startsWith("P");
  return [svg("circle", { class: `ring ${blue ? "player" : "banker"}`, cx: 5, cy: 5, r: 3.6 }),
    blue && dotted() ? svg("circle", { class: "dot player", cx: 5, cy: 5, r: 1.2 }) : null, pairs(token),
    ties ? [svg("path", { class: "ties", d: "M1.8 8.2 8.2 1.8" }),
      ties > 1 && svg("text", { x: 5, y: 6.8, class: "tie-count" }, String(ties))] : null];
}

// The shape says which road it is, the colour whether the shoe repeats itself.
/** @param {DerivedRoad} name @param {boolean} blue */
function derived(name, blue) {
  const dot = blue && dotted() && svg("circle", { class: "dot", cx: 5, cy: 5, r: 1.4 });
  if (name === "big_eye_boy") return [svg("circle", { class: "hollow", cx: 5, cy: 5, r: 3.3 }), dot];
  if (name === "small_road") return [svg("circle", { class: "filled", cx: 5, cy: 5, r: 4 }), dot];
  return [svg("path", { class: "stroke", d: "M1.8 8.2 8.2 1.8" }), dot];
}

// --- if next is ------------------------------------------------------------------------------------

/** @param {Roads} roads */
export function askRoads({ ask }) {
  /** @param {Side} side @param {string} says */
  const row = (side, says) => h("p", { class: side }, h("i", { class: `disc ${side}` }), h("b", {}, t(says)),
    DERIVED.map((name) => asked(name, ask[side][name])));
  return [row("banker", "Banker"), row("player", "Player")];
}

/** @param {DerivedRoad} name @param {string | null} what */
function asked(name, what) {
  const says = what === null ? t("nothing") : t(what === "R" ? "red" : "blue");
  return svg("svg", { viewBox: "0 0 10 10", role: "img", "aria-label": `${t(ROADS[name])}: ${says}`,
    class: `ask ${name}` },
    what === null ? svg("path", { class: "none", d: "M3.5 5h3" })
      : svg("g", { class: what === "R" ? "red" : "blue" }, derived(name, what === "B")));
}

// --- counts ----------------------------------------------------------------------------------------

/** @type {[keyof Roads["counts"], string, string][]} */
const COUNTED = [
  ["rounds", "", "Rounds dealt"], ["banker", "disc banker", "Banker"], ["player", "disc player", "Player"],
  ["tie", "disc tie", "Tie"],
  ["banker_pair", "disc small banker", "Banker pair"], ["player_pair", "disc small player", "Player pair"],
  ["naturals", "disc natural", "Naturals"],
];

/** @param {Roads} roads */
export const counts = ({ counts: found }) => COUNTED.map(([name, icon, says]) =>
  h("div", { class: name }, h("dt", {}, icon ? h("i", { class: icon }) : null, both(says)),
    h("dd", {}, String(found[name] ?? "–"))));
