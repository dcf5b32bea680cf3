// The hands of a table as they lie, small: sealed cards show their back.

import { card } from "/static/js/cards.js";
import { titled } from "/static/js/catalogue.js";
import { h } from "/static/js/dom.js";

/** @import { BoardView } from "./types.d.ts" */

/** @param {BoardView} view */
export const cardPart = (view) => h("div", { class: "hands-of" },
  (/** @type {("player" | "banker")[]} */ (["player", "banker"])).map((side) =>
  h("section", { class: `hand-of ${side}` },
    h("h3", {}, titled("hand", side), " ", h("b", {}, view.totals[side] === null ? "" : String(view.totals[side]))),
    h("div", { class: "lying" }, view.hands[side].map((each) => card(each))))));
