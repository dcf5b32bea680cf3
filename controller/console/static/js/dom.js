// Building pages: elements, and sections in which only what differs is changed.

import { listen, patch } from "./patch.js";

/** @import { Handler } from "./patch.js" */
/** @import { Attributes, Child } from "./types.d.ts" */

const SVG = "http://www.w3.org/2000/svg";

/** @template {Element} E @param {E} element @param {Attributes | undefined} attributes @param {Child[]} children */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") listen(element, name.slice(2), /** @type {Handler} */ (value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/** @param {Child} child @returns {(Node | string)[]} */
export function nodes(child) {
  if (child === null || child === undefined || child === false) return [];
  return Array.isArray(child) ? child.flatMap(nodes) : [child];
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 */
export const h = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 */
export const svg = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

/** @param {Child} label @param {() => unknown} onclick @param {Attributes} [attributes] */
export const button = (label, onclick, attributes = {}) =>
  h("button", { type: "button", onclick, ...attributes }, label);

/** What has to be there by now. @template T @param {T | null | undefined} found @returns {T} */
export function must(found) {
  if (found === null || found === undefined) throw new Error("what the page is made of is not there");
  return found;
}

/** @param {string} id */
export const byId = (id) => must(document.getElementById(id));

/**
 * Draws `parts` into `place` and changes only what differs from what is there: see patch.js. Focus and selection
 * stay on the control with the same data-key, so that a step of the table never takes the keyboard from a person.
 * @param {Element} place
 * @param {Child} parts
 * @returns {boolean} whether anything was changed
 */
export function draw(place, parts) {
  const held = keyHeld(place);
  const selected = selectedText();
  const changed = patch(place, nodes(parts).map((each) => (typeof each === "string" ? new Text(each) : each)));
  if (held !== null && !place.contains(document.activeElement)) focusAgain(held, place, selected);
  return changed;
}

// Puts other parts into `place`, all of them new; true when the control that had the keyboard is there again.
/** @param {Element} place @param {Child} parts */
export function redrawn(place, parts) {
  const held = keyHeld(place);
  const selected = selectedText();
  place.replaceChildren(...nodes(parts));
  return held !== null && focusAgain(held, place, selected);
}

// What was selected in a text field stays selected: who types over it replaces it.
/** @param {string} key @param {Element} place @param {[number, number] | null} selected */
function focusAgain(key, place, selected) {
  if (!focusKey(key, place)) return false;
  if (selected && document.activeElement instanceof HTMLInputElement) {
    document.activeElement.setSelectionRange(...selected);
  }
  return true;
}

/** Where the selection in the focused text field starts and ends. @returns {[number, number] | null} */
function selectedText() {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || field.selectionStart === null) return null;
  return [field.selectionStart, field.selectionEnd ?? field.selectionStart];
}

/** The data-key of the control that has the keyboard. @param {Element} [within] */
export function keyHeld(within = document.body) {
  const held = document.activeElement;
  return held instanceof HTMLElement && within.contains(held) ? (held.dataset.key ?? null) : null;
}

/** @param {string} key @param {Element} [within] */
export function focusKey(key, within = document.body) {
  const found = within.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!(found instanceof HTMLElement)) return false;
  found.focus();
  return true;
}

/** Presses what fits the selector, the first or another one. @param {string} selector @param {number} [place] */
export function press(selector, place = 0) {
  const found = document.querySelectorAll(selector)[place];
  if (found instanceof HTMLElement) found.click();
}

/** @param {number} at */
export const clock = (at) => local(at).slice(11);
/** With milliseconds, as recordings have it. @param {number} at */
export const timeMs = (at) => new Date(at * 1000).toISOString().slice(11, 23);
/** @param {number} at */
export const day = (at) => local(at).slice(0, 10);

/** Written like 2026-11-18 14:03:27. @type {Intl.DateTimeFormat | null} null: UTC, as records have it */
let zoned = null;
/** Whose clock people go by from now on. @param {string} zone of the tz database */
export const goBy = (zone) => {
  zoned = zone === "UTC" ? null : new Intl.DateTimeFormat("sv-SE",
    { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
};
/** @param {number} at */
const local = (at) => (zoned ? zoned.format(at * 1000) : new Date(at * 1000).toISOString().slice(0, 19));
/** The last second of a day by that clock. @param {string} date */
export function endOf(date) {
  const utc = Date.parse(`${date}T23:59:59Z`) / 1000;
  return utc - (Date.parse(`${day(utc)}T${clock(utc)}Z`) / 1000 - utc);
}
