// Amounts by tapping chips.

import { button, h } from "./dom.js";
import { coins, units } from "./sentences.js";

/** In whole units of the currency. */
const CHIPS = [5, 25, 100, 500, 1000, 5000, 10000];

/** @param {(chip: number) => void} add */
export const chips = (add, of = "chip") =>
  h("div", { class: "chips" }, CHIPS.map(units).map((chip, at) =>
    button(coins(chip), () => add(chip), { class: `chip chip-${at}`, "data-key": `${of}-${chip}` })));
