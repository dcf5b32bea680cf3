// Windows over the page. Each gives a promise: what was confirmed, or null when it was taken back.

import { button, h, redrawn } from "./dom.js";
import { t } from "./catalogue.js";
import { touchedAt } from "./touch.js";

/** @import { Again, Child, Done, Option, Remedy } from "./types.d.ts" */

let windows = 0;

/** The window on top, else the page. */
const onTop = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;

// What was said in a window is said on in what lies under it.
/** @param {HTMLDialogElement} box */
function takeAway(box) {
  const said = document.getElementById("toasts");
  box.close();
  if (said && box.contains(said)) onTop().append(said);
  box.remove();
}

const REST_MS = 400;

// A second tap, or Enter pressed twice, was meant for what opened the window: it takes none at first.
/** @param {HTMLDialogElement} box */
function rests(box) {
  const since = performance.now();
  /** @param {number} at */
  const early = (at) => at >= since && at < since + REST_MS;
  /** @param {Event} event */
  const swallow = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  box.classList.add("rests");
  setTimeout(() => box.classList.remove("rests"), REST_MS);
  box.addEventListener("click", (event) => {
    if (early(touchedAt())) swallow(event);
  }, { capture: true });
  box.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && early(event.timeStamp)) swallow(event);
  }, { capture: true });
}

// `build(done, again)` gives the parts; `done(value)` closes with it, `again()` draws anew. With
// `tell` it closes only when what was confirmed is carried out: what was refused is there still.
/**
 * @template T
 * @param {string} title
 * @param {(done: Done<T>, again: Again) => Child} build
 * @param {string} [className]
 * @param {((value: T) => Promise<boolean>) | null} [tell]
 * @returns {Promise<T | null>}
 */
export function ask(title, build, className = "", tell = null) {
  return new Promise((resolve) => {
    const name = `window-${(windows += 1)}`;
    const body = h("div", { class: "body" });
    const close = button("×", () => end(null), { class: "close", "aria-label": t("Cancel") });
    const box = h("dialog", { class: className, "aria-labelledby": name },
      h("header", {}, h("h2", { id: name }, title), close), body);
    let answered = false;
    let telling = false;
    /** @type {Done<T>} */
    function end(value) {
      if (answered) return;
      answered = true;
      takeAway(box);
      resolve(value);
    }
    /** @type {Done<T>} */
    async function done(value) {
      if (telling) return;
      if (value === null || tell === null) return void end(value);
      telling = true;
      const carriedOut = await tell(value);
      telling = false;
      if (carriedOut) end(value);
      else if (!answered) again();
    }
    function again() {
      if (redrawn(body, build(done, again))) return;
      const first = body.querySelector("[autofocus]");
      if (first instanceof HTMLElement) first.focus();
    }
    box.addEventListener("cancel", (event) => {
      event.preventDefault();
      end(null);
    });
    box.addEventListener("close", () => end(null));
    document.body.append(box);
    box.showModal();
    rests(box);
    again();
  });
}

/**
 * What is pressed while its window is being fetched, or lies open, was meant for that one.
 * @template {unknown[]} A
 * @template T
 * @param {(...about: A) => Promise<T>} open
 * @returns {(...about: A) => Promise<T | null>}
 */
export function oneAtATime(open) {
  let underWay = false;
  return async (...about) => {
    if (underWay) return null;
    underWay = true;
    try {
      return await open(...about);
    } finally {
      underWay = false;
    }
  };
}

// The foot of a window: take back, or confirm once everything needed has been chosen.
/** @template T @param {Done<T>} done @param {{ label: string, value: () => T, ready?: boolean }} confirm */
export function foot(done, { label, value, ready = true }) {
  return h("footer", {},
    button(t("Cancel"), () => done(null), { class: "plain", "data-key": "back" }),
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
  onTop().append(place);
  /** @type {Child[]} */
  const parts = [h("p", {}, text, clause !== null && h("span", { class: "clause" }, clause))];
  if (offer) parts.push(button(offer.label, () => { said.remove(); offer.run(); }, { class: "small" }));
  parts.push(button("×", () => said.remove(), { class: "close", "aria-label": t("Close") }));
  const said = h("div", { class: `toast ${tone}`, role: "alert", "data-toast": String((toasts += 1)) }, parts);
  place.replaceChildren(said);
  if (!offer) setTimeout(() => said.remove(), 9000);
}
