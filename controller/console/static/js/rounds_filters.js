// What rounds are looked for: a form whose fields are those of the search, and of the page's address.

import { app } from "./app.js";
import { speaksEnglish, t, titled } from "./catalogue.js";
import { button, byId, h } from "./dom.js";
import { caseTitle } from "./titles.js";

/** @import { Child, Irregularity, Option, Person, Query } from "./types.d.ts" */

const TIMES = ["since", "until"];
/** Seldom asked for: behind a fold, open while one of them is set. */
const MORE = ["shoe", "round", "ref", "text"];

/** Takes no letters. */
const NUMBER = { type: "number", min: "1", max: "999999", class: "count" };

/** @returns {Option<string>[]} */
const results = () => [["", t("Any result")], ["B", titled("hand", "banker")], ["P", titled("hand", "player")],
  ["T", titled("hand", "tie")], ["void", t("Void")]];

/** @param {string} label @param {Child} control @param {string} [className] */
const labelled = (label, control, className = "") => h("label", { class: className }, h("span", {}, label), control);
/** @param {Option<string>[]} offered */
const choices = (offered) => offered.map(([value, label]) => h("option", { value }, label));
/** @param {string} name @param {string} label */
const tick = (name, label) => h("label", { class: "tick" }, h("input", { type: "checkbox", name, value: "1" }),
  h("span", {}, label));

/** @param {Irregularity[]} irregularities @param {Person[]} staff @param {(query: Query) => unknown} search */
export function filters(irregularities, staff, search) {
  const happened = irregularities.map((each) => /** @type {Option<string>} */ ([each.id, caseTitle(each.id)]));
  return h("form", { id: "filters", onsubmit: (event) => { event.preventDefault(); search(wanted(event.target)); } },
    h("div", { class: "fields" },
      labelled(t("From (UTC)"), h("input", { name: "since", type: "datetime-local" })),
      labelled(t("To (UTC)"), h("input", { name: "until", type: "datetime-local" })),
      labelled(t("Result"), h("select", { name: "result" }, choices(results()))),
      labelled(t("What happened"), h("select", { name: "irregularity" }, choices([["", t("Anything")], ...happened])),
        "wide"),
      labelled(t("Clause"), [h("input", { name: "clause", size: "6", list: "clauses", autocomplete: "off" }),
        h("datalist", { id: "clauses" }, Object.entries(app.clauses)
          .map(([n, says]) => h("option", { value: n }, speaksEnglish() ? says : n)))]),
      labelled(t("Dealer"),
        [h("input", { name: "dealer", size: "8", list: "dealers", autocapitalize: "none", autocomplete: "off" }),
        h("datalist", { id: "dealers" }, staff.map((each) => h("option", { value: each.name })))]),
      h("span", { class: "ticks" }, tick("void", t("Void")), tick("corrected", t("Corrected")))),
    h("div", { class: "does" },
      h("button", { class: "primary", "data-key": "search" }, t("Search")),
      button(t("All rounds"), () => search({}), { class: "plain", "data-key": "all" }),
      h("details", { id: "more" }, h("summary", {}, t("Shoe, round, reference, words")), h("div", { class: "fields" },
        labelled(t("Shoe"), h("input", { name: "shoe", ...NUMBER })),
        labelled(t("Round"), h("input", { name: "round", ...NUMBER })),
        labelled(t("Reference"), h("input", { name: "ref", size: "14", autocapitalize: "none" })),
        labelled(t("Contains"), h("input", { name: "text", type: "search", size: "14" })))),
      h("span", { class: "files" },
        h("a", { id: "csv", class: "button", href: "/api/rounds/export.csv", download: "" }, "CSV"),
        h("a", { id: "jsonl", class: "button", href: "/api/rounds/export.jsonl", download: "" }, "JSONL"),
        button(t("Print"), () => print(), { "data-key": "print-list" }))));
}

/** What the form asks for. @param {HTMLFormElement} form */
function wanted(form) {
  /** @type {Query} */
  const query = {};
  for (const [name, value] of new FormData(form)) {
    const given = String(value).trim();
    if (given) query[name] = TIMES.includes(name) ? String(Date.parse(`${given}Z`) / 1000) : given;
  }
  return query;
}

/** The form as the address has it. @param {Query} query */
export function filled(query) {
  const form = /** @type {HTMLFormElement} */ (byId("filters"));
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    const value = query[field.name] ?? "";
    if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = value !== "";
    else field.value = value !== "" && TIMES.includes(field.name) ? written(Number(value)) : value;
  }
  /** @type {HTMLDetailsElement} */ (byId("more")).open = MORE.some((name) => query[name] !== undefined);
}

/** @param {number} at */
const written = (at) => (Number.isFinite(at) ? new Date(at * 1000).toISOString().slice(0, 16) : "");

/** @param {Query} query */
export function exportsOf(query) {
  for (const kind of ["csv", "jsonl"]) {
    byId(kind)
      .setAttribute("href", `/api/rounds/export.${kind}?${new URLSearchParams(query)}`);
  }
}
