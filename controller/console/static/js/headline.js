// The headline: what to do, or what was refused. Touching it opens the clause's text.

import { app } from "./app.js";
import { byId, draw, must } from "./dom.js";
import { haltClock } from "./halt.js";
import { figures, promptParts, reading, refusalParts } from "./headline_parts.js";

/** @import { StaffView } from "./types.d.ts" */

/** @param {StaffView} view */
export function headline(view) {
  const refusal = app.refusal;
  const number = refusal ? refusal.clause : view.prompt.clause;
  if (reading.clause !== number) reading.clause = null;
  byId("top").classList.toggle("refused", refusal?.tone === "bad");
  draw(byId("refusal"), refusal ? refusalParts(refusal) : null);
  draw(byId("prompt"), promptParts(view));
  draw(byId("figures"), haltClock(view) ?? figures(view));
  tick();
}

// The chip is small; the whole headline is the target.
byId("top").addEventListener("click", (event) => {
  const aim = event.target;
  if (!(aim instanceof Element) || aim.closest("button:not(.clause)")) return;
  const number = app.refusal ? app.refusal.clause : (app.view?.prompt.clause ?? null);
  reading.clause = reading.clause === number ? null : number;
  app.redraw();
});

function tick() {
  const timer = byId("timer");
  const running = app.view?.countdown;
  timer.hidden = !running;
  if (!running) return;
  const left = Math.max(0, running.since + running.seconds - (Date.now() / 1000 - app.skew));
  must(timer.querySelector("output")).textContent = String(Math.ceil(left));
  must(timer.querySelector(".left")).setAttribute("stroke-dasharray", `${(100 * left) / running.seconds} 100`);
  timer.classList.toggle("late", left === 0);
}
setInterval(tick, 250);
