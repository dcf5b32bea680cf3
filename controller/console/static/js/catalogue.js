// The words of the reader's language: sentences by code, names by kind and id, and what pages say
// themselves, by the English of it. What a language lacks is said in English.

/** @import { Catalogue, Entry, Values } from "./types.d.ts" */

const ENGLISH = "en";
/** @type {Catalogue} */
const NOTHING = { sentences: {}, names: {}, pages: {} };

let language = ENGLISH;
let spoken = NOTHING;
let english = NOTHING;

/**
 * From now on this language is spoken.
 * @param {string} chosen
 * @param {Catalogue} catalogue
 * @param {Catalogue} inEnglish
 */
export function use(chosen, catalogue, inEnglish) {
  language = chosen;
  spoken = catalogue;
  english = inEnglish;
}

export const speaksEnglish = () => language === ENGLISH;

/** The sentence of a code, and the language it is in. @param {string} code @returns {[Entry, string] | null} */
export function written(code) {
  const own = spoken.sentences[code];
  if (own !== undefined) return [own, language];
  const other = english.sentences[code];
  return other === undefined ? null : [other, ENGLISH];
}

/** Whether any language names it. @param {string} kind @param {string} id */
export const isNamed = (kind, id) => known(kind, id) !== undefined;

/** What people call it, as in the middle of a sentence. @param {string} kind @param {string} id */
export const named = (kind, id) => known(kind, id) ?? id.replaceAll("_", " ");

/** The same as a title. @param {string} kind @param {string} id */
export const titled = (kind, id) => capital(named(kind, id));

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} kind @param {string} id */
function known(kind, id) {
  return spoken.names[kind]?.[id] ?? english.names[kind]?.[id];
}

/** Words of our own, with values put in. @param {string} key @param {Values} [values] */
export function t(key, values = {}) {
  return fill(page(key) ?? key, values);
}

// The same words at the beginning of a sentence and within one are one entry.
/** @param {string} key @param {Catalogue} [catalogue] */
export function page(key, catalogue = spoken) {
  const first = key.charAt(0);
  const other = (first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()) + key.slice(1);
  return catalogue.pages[key] ?? catalogue.pages[other];
}

/** @param {string} template @param {Values} values */
export const fill = (template, values) => template.replace(/\{(\w+)\}/g, (gap, name) => String(values[name] ?? gap));
