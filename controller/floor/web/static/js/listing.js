// Lists with a heading each column, and bars in their cells.

import { h, svg } from "/static/js/dom.js";

/** @import { Child } from "/static/js/types.d.ts" */

/** @param {string} empty @param {string[]} heads @param {Child[][]} rows */
export const listing = (empty, heads, rows) => (rows.length
  ? h("table", {}, h("thead", {}, h("tr", {}, heads.map((each) => h("th", { scope: "col" }, each)))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell) => h("td", {}, cell))))))
  : h("p", { class: "empty" }, empty));

/** A share of the most, with its figure. @param {number} share @param {string} says */
export const bar = (share, says) => h("span", { class: "bar-of" },
  svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "share", "aria-hidden": "true" },
    svg("rect", { x: 0, y: 0, width: 100, height: 10, class: "whole" }),
    svg("rect", { x: 0, y: 0, width: Math.max(0, Math.min(1, share)) * 100, height: 10, class: "part" })),
  h("b", {}, says));
