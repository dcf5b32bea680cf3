// How errors are resolved, for everybody: what the table's book says about each, in our words.

import { both, namedBeside, pair, speak, spoken } from "./bilingual.js";
import { capital, named, speaksEnglish, t } from "./catalogue.js";
import { byId, h, redrawn } from "./dom.js";
import { get } from "./http.js";
import { showMode } from "./mode.js";

/** @import { Child, ResolvedErrors, ResolvingClause, Setup } from "./types.d.ts" */

await speak(new URLSearchParams(location.search).get("lang"));
const about = /** @type {Setup | null} */ (await get("/api/about").catch(() => null));
if (about) showMode(about);
const found = /** @type {ResolvedErrors | null} */ (await get("/api/errors").catch(() => null));

/** @param {ResolvedErrors} book @returns {Child} */
function page(book) {
  return [
    h("header", { class: "head" },
      h("h1", {}, both("How errors are resolved")),
      h("p", { class: "soft" }, about?.table ?? "", " · ",
        book.version === null ? book.title : t("{title}, version {n}", { title: book.title, n: book.version }))),
    h("p", { class: "lead" },
      both("If something goes wrong at this table, the rules below apply. § is the clause of the game rules. "
        + "Plain-language summary; the rules prevail.")),
    h("nav", { "aria-label": t("Contents") },
      h("ul", {}, book.errors.map((each) => h("li", {}, h("a", { href: `#${each.id}` }, titleOf(each)))))),
    book.errors.map((each) => h("article", { id: each.id }, h("h2", {}, names(each)),
      h("dl", {}, each.clauses.map(row)))),
    h("article", { id: "uncovered" }, h("h2", {}, both("What the rules do not cover")),
      book.uncovered ? h("dl", {}, row(book.uncovered))
        : h("p", {}, t("Decided by: {role}", { role: named("role", book.uncovered_by) }))),
  ];
}

// English has the book's own name for it, other languages the catalogue's.
/** @param {ResolvedErrors["errors"][number]} each */
const titleOf = (each) => capital(speaksEnglish() ? each.name : named("irregularity", each.id));

/** @param {ResolvedErrors["errors"][number]} each */
const names = (each) => pair(titleOf(each), spoken()[1] === "en"
  ? capital(each.name) : namedBeside("irregularity", each.id));

/** @param {ResolvingClause} clause */
function row({ clause, says }) {
  const texts = spoken().map((language) => h("p", { lang: says[language] ? language : "en" },
    says[language] ?? says.en ?? ""));
  return [h("dt", {}, h("span", { class: "clause" }, clause)), h("dd", {}, texts)];
}

redrawn(byId("work"), found ? page(found) : h("p", { class: "warn" }, t("Console not responding")));
document.documentElement.dataset.ready = "";
