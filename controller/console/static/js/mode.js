// What is not play says so on every page, and nobody can mistake it.

import { byId, draw, h } from "./dom.js";
import { t } from "./words.js";

const NAMES = { demo: "DEMONSTRATION", training: "TRAINING" };

export function showMode({ demo, mode = "demo" }) {
  const place = byId("demo");
  place.hidden = !demo;
  document.documentElement.toggleAttribute("data-demo", Boolean(demo));
  draw(place, [demo, mode], () => (demo ? h("p", {}, h("b", {}, t(NAMES[mode] ?? NAMES.demo)), " ", t("Not play. Nothing here counts.")) : []));
}
