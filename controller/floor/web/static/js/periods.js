// How far back a page looks.

import { t } from "/static/js/catalogue.js";
import { button, h, redrawn } from "/static/js/dom.js";

/** @type {[number, string][]} */
const PERIODS = [[8, "8 hours"], [24, "a day"], [24 * 7, "a week"], [24 * 30, "30 days"]];
let chosen = 24;

export const hours = () => chosen;

/** @param {() => Promise<unknown>} load */
export function since(load) {
  const place = h("div", { class: "periods options", role: "group", "aria-label": t("Period") });
  const again = () => redrawn(place, PERIODS.map(([each, title]) => button(t(title), () => {
    chosen = each;
    again();
    load();
  }, { "aria-pressed": String(each === chosen), "data-key": `period-${each}` })));
  again();
  return place;
}
