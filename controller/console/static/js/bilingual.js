// A public page speaks one language, or two at once: the first heavy, the second lighter beside it.

import { capital, fill, page, speaksEnglish, t, titled } from "./catalogue.js";
import { h } from "./dom.js";
import { fetched, load, remembered } from "./language.js";

/** @import { Catalogue, Values } from "./types.d.ts" */

const CHINESE = "zh-Hans";
/** @type {Record<string, string>} */
const SHORT = { zh: CHINESE };

/** @type {Catalogue | null} */
let beside = null;
let languages = ["en"];

// `en`, `zh`, `both`, or two of them in the order wanted; without a word both, the reader's own first.
/** @param {string | null} wanted */
function chosen(wanted) {
  if (wanted === "both") return ["en", CHINESE];
  if (wanted) return wanted.split(",").slice(0, 2).map((each) => SHORT[each] ?? each);
  const own = remembered();
  return [own, own === CHINESE ? "en" : CHINESE];
}

/** @param {string | null} wanted */
export async function speak(wanted) {
  const [first, second] = chosen(wanted);
  const [other] = await Promise.all([second && second !== first ? fetched(second, false) : null,
    load(first ?? "en", false)]);
  beside = other;
  languages = [document.documentElement.lang, ...(other && second ? [second] : [])];
}

/** The languages that are spoken, the first one first. */
export const spoken = () => languages;

/** Words of our own in every language that is spoken. @param {string} key @param {Values} [values] */
export const both = (key, values = {}) => pair(t(key, values), beside && fill(page(key, beside) ?? key, values));

/** What people call something, likewise. @param {string} kind @param {string} id */
export function bothNamed(kind, id) {
  return pair(titled(kind, id), namedBeside(kind, id));
}

/** The same in the second language alone. @param {string} kind @param {string} id */
export function namedBeside(kind, id) {
  const other = beside?.names[kind]?.[id];
  return other === undefined ? null : capital(other);
}

/** @param {string} one @param {string | null} two */
export function pair(one, two) {
  const [first, second] = languages;
  const said = h("span", { class: "one", lang: first }, one);
  return two === null || two === one ? [said] : [said, " ", h("span", { class: "two", lang: second }, two)];
}

/** The letter of a side as beads carry it. @param {string} letter B, P or T @param {string} key */
export const beadLetter = (letter, key) => (speaksEnglish() ? letter : t(key));
