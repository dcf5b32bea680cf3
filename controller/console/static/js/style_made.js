// How the style page puts parts together that a page of staff has once: the headline, the felt, the
// band of actions, a window.

import { app } from "./app.js";
import { always } from "./always.js";
import { h } from "./dom.js";
import { haltClock } from "./halt.js";
import { bothHands } from "./hands.js";
import { figures, promptParts, refusalParts } from "./headline_parts.js";
import { layout } from "./layout.js";
import { rested, settleDown, shared, slot } from "./slots.js";
import { stamp, waitingToOpen } from "./voided.js";

/** @import { Child, Choice, Refusal, StaffView } from "./types.d.ts" */

export const nothing = () => {};

/**
 * Drawn while this is what the page knows.
 * @template T
 * @param {{ choice?: Choice, refusal?: Refusal }} known
 * @param {() => T} draw
 * @returns {T}
 */
export function knowing(known, draw) {
  Object.assign(app, known);
  try {
    return draw();
  } finally {
    Object.assign(app, { choice: null, refusal: null });
  }
}

/** @param {StaffView} view */
export function top(view) {
  const { refusal } = app;
  return h("header", { id: "top", class: refusal?.tone === "bad" ? "refused" : "" },
    h("section", { id: "refusal" }, refusal ? refusalParts(refusal) : null),
    h("section", { id: "prompt" }, promptParts(view)),
    h("div", { id: "figures" }, haltClock(view) ?? figures(view)));
}

/** @param {StaffView} view */
export const hands = (view) => h("section", { id: "felt" },
  h("div", { id: "hands" }, bothHands(view, shared(view).byHand), stamp(view)));

/**
 * The band as it is `resting`, or when it takes taps.
 * @param {StaffView} view
 * @param {{ resting?: boolean, waiting?: Child }} [how]
 */
export function actions(view, { resting = false, waiting = null } = {}) {
  const shares = shared(view);
  settleDown(view, shares.main);
  const made = h("section", { id: "actions" }, slot("left", shares, waiting),
    h("div", { class: "always" }, always(view)), slot("right", shares, waitingToOpen(view)));
  for (const each of made.querySelectorAll("button.resting")) {
    if (!resting && each instanceof HTMLButtonElement) rested(each);
  }
  return made;
}

/** The layout as it fits its room. @param {HTMLElement} room @param {StaffView} view @returns {Child} */
export function seats(room, view) {
  const host = h("div", { id: "seats" });
  room.append(h("section", { id: "felt", class: view.phase === "betting" ? "for-layout" : "for-band" }, host));
  layout(host, view);
  return null;
}

/** @param {string} title @param {Child} parts @param {string} [className] */
export const openWindow = (title, parts, className = "") =>
  h("dialog", { open: true, class: className, "aria-label": title }, h("header", {}, h("h2", {}, title)),
    h("div", { class: "body" }, parts));
