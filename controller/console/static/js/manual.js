// The search of the manual: sections that have every word that was typed, the best first. The whole
// index is loaded once, so the search needs nothing but this site.

/** @typedef {[address: string, title: string, heading: string, text: string]} Entry */

const MAX_FOUND = 20;
const EXCERPT_CHARS = 160;
const IN_HEADING = 10;
const MAX_IN_TEXT = 5;

const field = /** @type {HTMLInputElement} */ (document.querySelector("#search"));
const found = /** @type {HTMLElement} */ (document.querySelector("#found"));

/** @type {Promise<Entry[]> | undefined} */
let index;

/** @returns {Promise<Entry[]>} */
async function load() {
  const response = await fetch("search.json");
  return response.json();
}

/** How well a section fits: 0 where a word is missing. Pages made from the code name every field,
    so they come after the pages that explain.
    @param {Entry} entry @param {string[]} words */
function score([address, title, heading, text], words) {
  const above = `${title} ${heading}`.toLowerCase();
  const below = text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const times = below.split(word).length - 1;
    const points = (above.includes(word) ? IN_HEADING : 0) + Math.min(times, MAX_IN_TEXT);
    if (points === 0) return 0;
    sum += points;
  }
  return address.startsWith("reference-") ? sum / IN_HEADING : sum;
}

/** The text around the first word. @param {string} text @param {string} word */
function excerpt(text, word) {
  const near = text.toLowerCase().indexOf(word) - EXCERPT_CHARS / 3;
  const start = near > 0 ? text.indexOf(" ", near) + 1 : 0;
  const part = text.slice(start, start + EXCERPT_CHARS);
  return `${start > 0 ? "… " : ""}${part}${start + EXCERPT_CHARS < text.length ? " …" : ""}`;
}

/** @param {Entry} entry @param {string[]} words */
function result([address, title, heading, text], words) {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = title === heading ? title : `${title}: ${heading}`;
  const around = document.createElement("p");
  around.textContent = excerpt(text, words[0] ?? "");
  const item = document.createElement("li");
  item.append(link, around);
  return item;
}

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0;
  if (found.hidden) return;
  index ??= load();
  const scored = (await index).map((entry) => ({ entry, points: score(entry, words) }));
  const best = scored.filter(({ points }) => points > 0).sort((a, b) => b.points - a.points);
  const list = document.createElement("ol");
  list.append(...best.slice(0, MAX_FOUND).map(({ entry }) => result(entry, words)));
  const none = document.createElement("p");
  none.textContent = "No page has all of these words.";
  found.replaceChildren(best.length ? list : none);
}

field.addEventListener("input", search);
field.form?.addEventListener("submit", (event) => event.preventDefault());
found.addEventListener("click", ({ target }) => {
  if (target instanceof HTMLAnchorElement) found.hidden = true;
});
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  field.value = "";
  found.hidden = true;
});
