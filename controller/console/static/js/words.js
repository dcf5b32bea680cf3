// Languages. The English sentence is the key; a language file gives the other one: what pages say
// under "page", what the table says under "table". Sentences the table makes ("Pass the Player hand
// to seat 3, face down") are matched by their pattern, and what is in the gaps is translated in turn.

let sentences = new Map();
let patterns = [];

export async function load(wanted) {
  const answer = await fetch(`/static/lang/${encodeURIComponent(wanted)}.json`).catch(() => null);
  const file = answer?.ok ? await answer.json() : {};
  const { page = {}, table = {} } = file;
  sentences = new Map([...Object.entries(page), ...Object.entries(table)]);
  patterns = Object.keys(table).filter((key) => key.includes("{")).map(pattern);
  patterns.sort((a, b) => b.weight - a.weight);
  document.documentElement.lang = answer?.ok ? wanted : "en";
  translatePage();
}

function pattern(source) {
  const names = [];
  const parts = source.split(/\{(\w+)\}/).map((part, place) => {
    if (place % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    names.push(part);
    return "(.+?)";
  });
  const weight = source.replace(/\{\w+\}/g, "").length;
  return { source, names, weight, fits: new RegExp(`^${parts.join("")}$`, "s") };
}

const fill = (template, values) =>
  template.replace(/\{(\w+)\}/g, (gap, name) => (name in values ? values[name] : gap));

// Words of our own, with values put in.
export function t(english, values = {}) {
  return fill(found(english) ?? english, values);
}

// The same words at the beginning of a sentence and within one are one entry.
function found(text) {
  const first = text.charAt(0);
  const other = (first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()) + text.slice(1);
  return sentences.get(text) ?? sentences.get(other);
}

// A sentence of the table, whatever is in its gaps.
export function say(text) {
  if (text === null || text === undefined || text === "") return "";
  const whole = String(text);
  const known = found(whole);
  if (known !== undefined) return known;
  for (const { source, names, fits } of patterns) {
    const gaps = fits.exec(whole);
    if (!gaps) continue;
    const values = Object.fromEntries(names.map((name, place) => [name, say(gaps[place + 1])]));
    return fill(sentences.get(source), values);
  }
  return whole;
}

export async function languages() {
  const answer = await fetch("/api/languages");
  return answer.ok ? (await answer.json()).languages : [{ id: "en", name: "English" }];
}

function translatePage() {
  for (const each of document.querySelectorAll("[data-t]")) each.textContent = t(each.dataset.t);
  const title = document.querySelector("title");
  if (title?.dataset.title) document.title = `${t(title.dataset.title)} · Sabot`;
}

export const remembered = () => localStorage.getItem("language") || navigatorLanguage();
export const remember = (chosen) => localStorage.setItem("language", chosen);

function navigatorLanguage() {
  return navigator.language.toLowerCase().startsWith("zh") ? "zh-Hans" : "en";
}
