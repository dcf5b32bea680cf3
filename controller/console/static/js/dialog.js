// Windows over the page. Each gives a promise: what was confirmed, or null when it was taken back.

import { button, h, redrawn } from "./dom.js";
import { t } from "./catalogue.js";

/** @import { Again, Child, Done, Option, Remedy } from "./types.d.ts" */

// `build(done, again)` gives the parts; `done(value)` closes with it, `again()` draws anew.
/**
 * @template T
 * @param {string} title
 * @param {(done: Done<T>, again: Again) => Child} build
 * @returns {Promise<T | null>}
 */
export function ask(title, build, className = "") {
  return new Promise((resolve) => {
    const body = h("div", { class: "body" });
    const heading = h("h2", { id: "dialog-title" }, title);
    const close = button("×", () => done(null), { class: "close", "aria-label": t("Take back") });
    const box = h("dialog", { class: className, "aria-labelledby": "dialog-title" }, h("header", {}, heading, close), body);
    let answered = false;
    /** @type {Done<T>} */
    function done(value) {
      if (answered) return;
      answered = true;
      const said = document.getElementById("toasts");
      if (said && box.contains(said)) document.body.append(said);
      box.close();
      box.remove();
      resolve(value);
    }
    function again() {
      if (redrawn(body, build(done, again))) return;
      const first = body.querySelector("[autofocus]");
      if (first instanceof HTMLElement) first.focus();
    }
    box.addEventListener("cancel", (event) => {
      event.preventDefault();
      done(null);
    });
    box.addEventListener("close", () => done(null));
    document.body.append(box);
    box.showModal();
    again();
  });
}

// The foot of a window: take back, or confirm once everything needed has been chosen.
/** @template T @param {Done<T>} done @param {{ label: string, value: () => T, ready?: boolean }} confirm */
export function foot(done, { label, value, ready = true }) {
  return h("footer", {},
    button(t("Take back"), () => done(null), { class: "plain", "data-key": "back" }),
    button(label, () => done(value()), { class: "primary", disabled: !ready, "data-key": "confirm" }));
}

// Buttons of which one is chosen.
/**
 * @template {string | number | boolean} T
 * @param {Option<T>[]} list
 * @param {T | null} chosen
 * @param {(value: T) => void} pick
 */
export function options(list, chosen, pick, className = "") {
  return h("div", { class: `options ${className}` }, list.map(([value, label]) =>
    button(label, () => pick(value), { "aria-pressed": String(chosen === value), "data-key": `o-${value}` })));
}

export const closeAll = () => {
  for (const each of document.querySelectorAll("dialog")) if (each.open) each.close();
};
export const isOpen = () => document.querySelector("dialog[open]") !== null;

let toasts = 0;

// Says what went wrong and goes away by itself; `offer` is something that can be done about it.
/** @param {string} text @param {{ tone?: string, clause?: string | null, offer?: Remedy | null }} [more] */
export function toast(text, { tone = "bad", clause = null, offer = null } = {}) {
  const place = document.getElementById("toasts") ?? h("div", { id: "toasts" });
  // A window makes all that is not in it inert: what is said about it is said in it.
  (document.querySelector("dialog[open]") ?? document.body).append(place);
  /** @type {Child[]} */
  const parts = [h("p", {}, text, clause !== null && h("span", { class: "clause" }, clause))];
  if (offer) parts.push(button(offer.label, () => { said.remove(); offer.run(); }, { class: "small" }));
  parts.push(button("×", () => said.remove(), { class: "close", "aria-label": t("Close") }));
  const said = h("div", { class: `toast ${tone}`, role: "alert", "data-toast": String((toasts += 1)) }, parts);
  place.replaceChildren(said);
  if (!offer) setTimeout(() => said.remove(), 9000);
}
