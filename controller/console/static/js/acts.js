// What answers an open question, as acts. On the dealer's page they lie in the two slots, where every
// other act lies and nothing scrolls them away; elsewhere they are buttons under the question.

import { button, h } from "./dom.js";

/** @import { Child } from "./types.d.ts" */
/** @import { Step } from "./steps.js" */

/** Whether this page has slots for them. */
export const inSlots = () => document.documentElement.dataset.page === "dealer";

/**
 * The acts under their question, where they have no slots.
 * @param {Step[]} acts
 * @param {string} [className]
 * @returns {Child}
 */
export function actButtons(acts, className = "") {
  if (inSlots()) return null;
  return h("div", { class: `two ${className}` }, acts.map(({ key, label, note, solid, run }) =>
    button(note ? [label, h("small", {}, note)] : label, () => run(true),
      { class: `big ${solid ? "primary" : ""} ${className ? "answer" : ""}`, "data-key": key })));
}
