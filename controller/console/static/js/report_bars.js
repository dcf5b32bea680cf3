// Bars beside figures that stand in the table: they carry no label of their own, so none is cut off.

import { svg } from "./dom.js";

const LONG = 100;

/** A bar for each value, as long as it is of the greatest. @param {number[]} values */
export function bars(values) {
  const most = Math.max(1, ...values);
  /** @param {number} n */
  return (n) =>
    svg("svg", { class: "bar", viewBox: `0 0 ${LONG} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "ground", x: 0, y: 0, width: LONG, height: 10 }),
    svg("rect", { x: 0, y: 0, width: (LONG * (values[n] ?? 0)) / most, height: 10 }));
}

/** One bar in parts. @param {{ side: string, n: number }[]} parts */
export function split(parts) {
  const sum = Math.max(1, parts.reduce((so, each) => so + each.n, 0));
  let x = 0;
  return svg("svg", { class: "split", viewBox: `0 0 ${LONG} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...parts.map(({ side, n }) => {
      const width = (LONG * n) / sum;
      x += width;
      return svg("rect", { class: side, x: x - width, y: 0, width, height: 10 });
    }));
}
