// What a spot shows: its shape and name, or its stack; and a flag where a refusal is about it.

import { app } from "./app.js";
import { t } from "./catalogue.js";
import { chipFace, chipOf } from "./chips.js";
import { h, svg } from "./dom.js";
import { MORE } from "./layout_geometry.js";
import { concerned, spotKey } from "./layout_spots.js";
import { hand } from "./layout_words.js";
import { coins, wagerName } from "./sentences.js";

/** @import { Child, Gaps, Wager } from "./types.d.ts" */
/** @import { Box } from "./layout_geometry.js" */
/** @import { SpotId, Stack } from "./layout_spots.js" */

/** The hand a kind of wager is about, for its shape and colour. @param {string} kind */
export const sideOf = (kind) => /^(player|banker|tie)(_|$)/.exec(kind)?.[1] ?? "other";

/** @type {Record<string, (attributes: { x: number, class: string }) => Element>} */
const SHAPES = {
  player: ({ x, ...more }) => svg("circle", { cx: x + 8, cy: 8, r: 6.5, ...more }),
  banker: ({ x, ...more }) => svg("rect", { x: x + 2, y: 2, width: 12, height: 12, rx: 1, ...more }),
  tie: ({ x, ...more }) => svg("path", { d: `M${x + 8} 1.5 ${x + 15} 14.5H${x + 1}z`, ...more }),
  other: ({ x, ...more }) => svg("path", { d: `M${x + 8} 1 ${x + 15} 8 ${x + 8} 15 ${x + 1} 8z`, ...more }),
};

/**
 * A circle is Player, a square Banker, a triangle Tie; a wager beside them has its shape twice.
 * @param {string} kind
 */
export function shape(kind) {
  const side = sideOf(kind);
  const drawn = /** @type {(a: { x: number, class: string }) => Element} */ (SHAPES[side]);
  const twice = side !== kind && side !== "other";
  return svg("svg", { viewBox: twice ? "0 0 25 16" : "0 0 16 16", class: `shape of-${side} ${twice ? "twice" : ""}`,
    "aria-hidden": "true" },
    twice ? drawn({ x: 0, class: "hollow" }) : null, drawn({ x: twice ? 9 : 0, class: "full" }));
}

/** @param {string} kind */
export const kindName = (kind) => (kind === MORE ? t("More wagers") : wagerName(kind));

/** @param {string} kind @param {Stack | undefined} stack @returns {Child} */
export function spotParts(kind, stack) {
  if (!stack) {
    return [kind === MORE ? h("b", { class: "dots", "aria-hidden": "true" }, "⋯") : shape(kind),
      h("span", { class: "name" }, kindName(kind))];
  }
  const amount = coins(stack.total);
  return [
    chipFace(chipOf(stack.total)), kind.includes("_") ? shape(kind) : null,
    h("b", { class: `amount ${amount.length > 6 ? "long" : ""}` }, amount),
    stack.wagers.length > 1 ? h("small", { class: "several" }, `×${stack.wagers.length}`) : null,
  ];
}

/** @param {SpotId} spot @param {Stack | undefined} stack */
export const spotLabel = ({ position, wager }, stack) =>
  [t("Seat {n}", { n: position }), kindName(wager), stack ? coins(stack.total) : t("empty")].join(", ");

/** Where an element lies; its style sheet reads these. @param {Element | undefined} element @param {Box} box */
export function put(element, { x, y, w, h: high, turn }) {
  if (!(element instanceof HTMLElement)) return;
  for (const [name, value] of Object.entries({ "--x": `${x}px`, "--y": `${y}px`, "--w": `${w}px`, "--h": `${high}px`,
    "--turn": `${turn}deg` })) {
    element.style.setProperty(name, value);
  }
}

// --- flags -------------------------------------------------------------------------------------------

/** What each spot's flag says, by the spot. @param {Wager[]} wagers @returns {Map<string, string>} */
export function flags(wagers) {
  /** @type {Map<string, string>} */
  const found = new Map(hand.missed.map(({ spot }) => [spotKey(spot), t("not placed")]));
  const refusal = app.refusal;
  if (refusal?.tone !== "bad") return found;
  for (const spot of concerned(refusal, wagers)) {
    const lies = wagers.filter((each) => spotKey(each) === spotKey(spot)).reduce((sum, each) => sum + each.amount, 0);
    found.set(spotKey(spot), flagText(refusal.gaps, lies));
  }
  return found;
}

/** @param {Gaps} gaps @param {number} lies */
function flagText({ limit, excess, most, multiple }, lies) {
  const n = coins(lies);
  if (typeof limit === "number") {
    return lies < limit
      ? t("{n}, minimum {limit}", { n, limit: coins(limit) }) : t("{n}, maximum {limit}", { n, limit: coins(limit) });
  }
  if (typeof excess === "number") return t("{n} too much", { n: coins(excess) });
  if (typeof most === "number") return t("{n} at most", { n: most });
  if (typeof multiple === "number") return t("multiples of {n}", { n: coins(multiple) });
  return t("not taken");
}
