// What is not play says so on every page, and nobody can mistake it.

import { byId, draw, h } from "./dom.js";
import { t } from "./catalogue.js";

/** @type {Record<string, string>} */
const NAMES = { demo: "DEMONSTRATION", training: "TRAINING" };

/** @param {import("./types.d.ts").About} about */
export function showMode({ demo, mode = "demo" }) {
  const place = byId("demo");
  place.hidden = !demo;
  document.documentElement.toggleAttribute("data-demo", Boolean(demo));
  draw(place, demo
    ? h("p", {}, h("b", {}, t(NAMES[mode] ?? "DEMONSTRATION")), " ", t("No real money.")) : null);
}
