// The time that bets are open: a number in a ring that empties by the second.

import { must, svg } from "./dom.js";

const LAST_SECONDS = 5;

/** @param {Element} place @param {{ left: number, of: number }} time */
export function ring(place, { left, of }) {
  if (!place.firstChild) place.replaceChildren(drawing());
  place.classList.toggle("late", left <= LAST_SECONDS);
  place.classList.toggle("long", left > 99);
  must(place.querySelector("text")).textContent = String(left);
  must(place.querySelector(".runs")).setAttribute("stroke-dasharray", `${Math.min(100, (100 * left) / of)} 100`);
}

function drawing() {
  const circle = { cx: 50, cy: 50, r: 45, pathLength: 100 };
  return svg("svg", { viewBox: "0 0 100 100" }, svg("circle", { class: "rail", ...circle }),
    svg("circle", { class: "runs", transform: "rotate(-90 50 50)", ...circle }),
    svg("text", { x: 50, y: 50, "dominant-baseline": "central" }));
}
