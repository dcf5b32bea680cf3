// Signs of the floor: the stop, the results, always a shape beside the colour.

import { svg } from "/static/js/dom.js";
import { t } from "/static/js/catalogue.js";

/** The stop sign: an octagon with a bar. @param {number} size @param {boolean} [calm] nothing to decide yet */
export const octagon = (size, calm = false) =>
  svg("svg", { width: size, height: size, viewBox: "0 0 24 24", class: calm ? "octagon quiet" : "octagon",
    "aria-hidden": "true" },
  svg("path", { d: "M7.5 1h9L23 7.5v9L16.5 23h-9L1 16.5v-9z", class: "edge" }),
  svg("path", { d: "M6 12h12", class: "bar" }));

/** @type {Record<string, string>} */
const SIDES = { B: "banker", P: "player", T: "tie" };
/** @type {Record<string, string>} */
const PATHS = { banker: "M1.4 1.4h9.2v9.2H1.4z", player: "M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1z",
  tie: "M6 1.2 11 10.6H1z" };

/** The last results as shapes. @param {string} results a letter each */
export function lastResults(results) {
  const sides = [...results].map((each) => SIDES[each] ?? "tie");
  return svg("svg", { width: 84, height: 12, viewBox: "0 0 84 12", role: "img", class: "last",
    "aria-label": t("last {n} results", { n: sides.length }) },
    sides.map((side, place) =>
      svg("path", { d: PATHS[side] ?? "", class: side, transform: `translate(${place * 14} 0)` })));
}
