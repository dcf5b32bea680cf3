// Where the round is, as a strip in the bar.

import { t } from "./catalogue.js";
import { byId, draw, h } from "./dom.js";

/** @import { PlayPhase, StaffView } from "./types.d.ts" */

/** @type {[string, PlayPhase[]][]} */
const STRIP = [
  ["Ready", ["ready"]], ["Betting", ["betting"]], ["Dealing", ["dealing", "revealing"]],
  ["Thirds", ["players_third", "bankers_third"]], ["Result", ["outcome"]], ["Paying", ["settling"]],
];

/** @param {StaffView} view */
export function phaseStrip(view) {
  const phase = view.phase ?? view.state;
  const at = STRIP.findIndex(([, phases]) => phases.some((each) => each === phase));
  draw(place(), STRIP.map(([name], n) =>
    h("li", { class: n < at ? "past" : "", "aria-current": n === at ? "step" : null }, t(name))));
}

function place() {
  const made = document.getElementById("phases") ?? h("ol", { id: "phases", "aria-label": t("Phases of the round") });
  if (!made.isConnected) byId("about").after(made);
  return made;
}
