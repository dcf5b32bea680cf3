// Which language is spoken: fetched once for a page, kept in the browser, chosen by people.

import { t, use } from "./catalogue.js";

/** @import { Catalogue } from "./types.d.ts" */

// The public's pages take no more than the words they say: the table's sentences are for staff.
/** @param {string} wanted @param {boolean} [whole] */
export async function load(wanted, whole = true) {
  const [spoken, english] = await Promise.all([fetched(wanted, whole), fetched("en", whole)]);
  use(spoken ? wanted : "en", spoken ?? english ?? NOTHING, english ?? NOTHING);
  document.documentElement.lang = spoken ? wanted : "en";
  translatePage();
}

/** @type {Catalogue} */
const NOTHING = { sentences: {}, names: {}, pages: {} };

/** @param {string} language @param {boolean} whole @returns {Promise<Catalogue | null>} */
export async function fetched(language, whole) {
  const name = encodeURIComponent(language);
  const answer = await fetch(whole ? `/static/lang/${name}.json` : `/api/languages/${name}`).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

/** @returns {Promise<{ id: string, name: string }[]>} */
export async function languages() {
  const answer = await fetch("/api/languages");
  return answer.ok ? (await answer.json()).languages : [{ id: "en", name: "English" }];
}

function translatePage() {
  for (const each of document.querySelectorAll("[data-t]")) {
    if (each instanceof HTMLElement) each.textContent = t(each.dataset.t ?? "");
  }
  const title = document.querySelector("title");
  if (title?.dataset.title) document.title = `${t(title.dataset.title)} · Sabot`;
}

export const remembered = () => localStorage.getItem("language") || navigatorLanguage();
/** @param {string} chosen */
export const remember = (chosen) => localStorage.setItem("language", chosen);

/**
 * What somebody has just chosen at this screen with their own hand: until they sign out it counts more than their
 * account.
 */
export const chosenHere = () => localStorage.getItem("language-here");
/** @param {string} chosen */
export const chooseHere = (chosen) => localStorage.setItem("language-here", chosen);
export const forgetChoice = () => localStorage.removeItem("language-here");

function navigatorLanguage() {
  return navigator.language.toLowerCase().startsWith("zh") ? "zh-Hans" : "en";
}
