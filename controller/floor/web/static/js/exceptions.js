// Exceptions first: one row a table, one sentence, who can decide, and the act itself.

import { capital, t, titled } from "/static/js/catalogue.js";
import { button, draw, h } from "/static/js/dom.js";
import { post } from "/static/js/http.js";
import { sentence } from "/static/js/sentences.js";
import { elapsed, floor, may, reaches } from "./floor.js";
import { octagon } from "./marks.js";
import { approve } from "./ordering.js";
import { failed } from "./shell.js";

/** @import { ExceptionRow } from "./types.d.ts" */

const SHOWN = 8;

/** @param {HTMLElement} place @param {string | null} only one table's own, on its page; else the whole floor's */
export function drawExceptions(place, only = null) {
  const rows = only === null ? floor.exceptions : floor.exceptions.filter((row) => row.table === only);
  draw(place, rows.length ? listed(rows) : h("p", { class: "all-well" },
    only === null ? t("No table is stopped.")
      : t("This table is not stopped.")));
}

/** @param {ExceptionRow[]} rows */
function listed(rows) {
  const mine = rows.findIndex((row) => decidable(row));
  return [
    ...rows.slice(0, SHOWN).map((row, at) => rowOf(row, at === mine)),
    rows.length > SHOWN ? h("details", {}, h("summary", {}, t("{n} more", { n: rows.length - SHOWN })),
      ...rows.slice(SHOWN).map((row) => rowOf(row, false))) : null,
  ];
}

const STOPPED = [1, 2];

/**
 * In the place of a table that has stopped, or had when it fell silent; nothing else stops one.
 * @param {ExceptionRow} row
 */
const hasStopped = (row) => STOPPED.includes(row.order);

/** @param {ExceptionRow} row */
function waiting(row) {
  if (row.kind === "away") return t("offline");
  return hasStopped(row) ? t("stopped") : t("open for");
}

/** @param {ExceptionRow} row */
const decidable = (row) => row.waits_for === "approve" && !row.there && reaches(row.role);

/** @param {ExceptionRow} row @param {boolean} first the first that this person can decide is solid, and no other */
function rowOf(row, first) {
  const calm = row.waits_for === null;
  return h("article", { class: calm ? "row quiet" : "row", "data-table": row.table,
    "data-of": `${row.table} ${row.since}` },
    octagon(30, calm),
    h("span", { class: "id", title: row.title }, row.table || t("Floor")),
    h("span", { class: "s" }, h("b", {}, capital(what(row))), h("small", {}, then(row))),
    h("span", { class: "clause-of" }, row.clause
      ? h("span", { class: "clause" }, row.clause)
      : h("span", { class: "soft" }, hasStopped(row) ? t("no clause yet") : "")),
    h("span", { class: "el" }, h("small", {}, waiting(row)),
      h("b", { class: "elapsed", "data-since": row.since }, elapsed(row.since))),
    h("span", { class: "who" }, row.role ? h("b", {}, titled("role", row.role)) : null,
      h("span", { class: "soft" }, whoElse(row))),
    h("span", { class: "acts-of" }, act(row, first),
      row.table && !location.pathname.endsWith(`/${row.table}`)
        ? h("a", { class: "button", href: `/tables/${row.table}` }, t("Open")) : null));
}

/** @param {ExceptionRow} row */
function whoElse(row) {
  const higher = row.there ? t("or above, at the table") : t("or above");
  return [row.role ? higher : null, row.acknowledged_by
    ? t("Acknowledged by {who}", { who: row.acknowledged_by }) : null].filter(Boolean).join(" · ");
}

/** @type {Record<string, string>} */
const KINDS = {
  away: "Offline: check power, network and program",
  diverged: "Its history differs from the one kept here",
  cloned: "Two tables use this name",
  unread: "Sent by a newer release than this floor reads: look at the table, and update the floor",
};

/** @param {ExceptionRow} row */
const what = (row) => (row.code || row.text ? sentence(row.code, row.gaps, row.text) : t(KINDS[row.kind] ?? row.kind));

/** @param {ExceptionRow} row */
function then(row) {
  const says = row.then_code ? sentence(row.then_code, row.then_gaps, row.then) : row.then;
  return row.more ? `${says} · ${t("and {n} more", { n: row.more })}` : says;
}

/** @param {ExceptionRow} row @param {boolean} first */
function act(row, first) {
  if (decidable(row)) {
    return button(t("Approve"), () => approve(row),
      { class: first ? "primary" : "", "data-key": `approve-${row.table}` });
  }
  if (row.ids.length && !row.acknowledged_by && may("acknowledge_exception")) {
    return button(t("Acknowledge"), () => post("/api/exceptions/acknowledge", { ids: row.ids }).catch(failed),
      { "data-key": `ack-${row.table}`, title: t("Others see that you acknowledged it") });
  }
  return h("span", {});
}

/** What only time changes. @param {HTMLElement} place */
export function tickExceptions(place) {
  for (const each of place.querySelectorAll(".elapsed")) {
    if (each instanceof HTMLElement) each.textContent = elapsed(Number(each.dataset.since));
  }
}
