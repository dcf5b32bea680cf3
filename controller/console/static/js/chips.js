// Chips: how they look, which a house's tray has, and amounts by tapping them.

import { app } from "./app.js";
import { button, h, svg } from "./dom.js";
import { denominations, inChips } from "./layout_spots.js";
import { coins } from "./sentences.js";

const COLOURS = 7;

/** The house's chips, by its unit and limits, in minor units. */
export const tray = () =>
  denominations({ unit: app.about?.chip_unit ?? 1, minorUnits: app.about?.minor_units ?? 2,
    limits: app.view?.limits ?? null });

/** As on a chip: thousands are short. @param {number} chip */
export function chipText(chip) {
  const whole = chip / 10 ** (app.about?.minor_units ?? 2);
  if (whole >= 1_000_000) return `${whole / 1_000_000}M`;
  return whole >= 1000 ? `${whole / 1000}k` : coins(chip);
}

/** A chip seen from above, in the colour of its place in the tray. @param {number} chip @param {string} [text] */
export function chipFace(chip, text = "") {
  const at = tray().indexOf(chip);
  return svg("svg", { viewBox: "0 0 48 48", class: `chip-face chip-${(at < 0 ? 0 : at) % COLOURS}`,
    "aria-hidden": "true" },
    svg("circle", { class: "disc", cx: 24, cy: 24, r: 23 }),
    svg("circle", { class: "edge", cx: 24, cy: 24, r: 19.5, pathLength: 96 }),
    svg("circle", { class: "ring", cx: 24, cy: 24, r: 15 }),
    text ? svg("text", { x: 24, y: 28.5, class: text.length > 3 ? "long" : "" }, text) : null);
}

/** The chip that stands for a stack: the largest in it. @param {number} amount */
export const chipOf = (amount) => inChips(amount, tray()).chips[0] ?? tray()[0] ?? amount;

/** @param {(chip: number) => void} add */
export const chips = (add, of = "chip") =>
  h("div", { class: "chips" }, tray().map((chip) =>
    button([chipFace(chip, chipText(chip)), h("span", { class: "sr" }, coins(chip))], () => add(chip),
      { class: "chip", "data-key": `${of}-${chip}` })));
