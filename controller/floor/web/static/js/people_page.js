// People: rounds an hour, voids, corrections and irregularities by clause, by dealer and by shift.

import { t, titled } from "/static/js/catalogue.js";
import { button, byId, draw, h } from "/static/js/dom.js";
import { get } from "/static/js/http.js";
import { bar, listing } from "./listing.js";
import { hours, since } from "./periods.js";
import { failed, start } from "./shell.js";

/** @import { DealerRow, ShiftRow } from "./types.d.ts" */
/**
 * @typedef {{ rounds: number, hours: number, voids: number, corrections: number, irregularities: Record<string, number>
 * }} Dealt
 */

const people = h("section", { class: "panel list" });
const shifts = h("section", { class: "panel list" });

/** The one whose dealers are shown; null: all of the period. @type {ShiftRow | null} */
let chosen = null;

/** @param {Dealt} row */
const pace = (row) => (row.hours ? row.rounds / row.hours : 0);

/** @param {Dealt} row @param {number} count */
const rate = (row, count) => h("span", { class: "rate" }, h("b", {}, String(count)),
  row.rounds ? h("small", {}, t("{n} per 1,000", { n: ((count / row.rounds) * 1000).toFixed(1) })) : null);

/** Counted by clause, and by name where a book has no clause for it. @param {string} id @param {number} n */
const counted = (id, n) =>
  (/^\d/.test(id) ? h("span", { class: "clause" }, `${id} × ${n}`)
    : h("span", { class: "tag" }, `${titled("irregularity", id)} × ${n}`));

const HEADS = () => [t("Rounds"), t("Hours"), t("Rounds an hour"), t("Voids"), t("Corrections"),
  t("Irregularities by clause")];

/** @param {Dealt} row @param {number} most the quickest of the list */
const figures = (row, most) => [
  row.rounds.toLocaleString("en-US"), row.hours.toFixed(1), bar(pace(row) / most, pace(row).toFixed(0)),
  rate(row, row.voids), rate(row, row.corrections),
  h("span", { class: "clauses" }, Object.entries(row.irregularities).sort(([, a], [, b]) => b - a)
    .map(([id, n]) => counted(id, n))),
];

/** @param {Dealt[]} rows */
const quickest = (rows) => Math.max(...rows.map(pace), 1);

/** @param {ShiftRow} shift */
const named = (shift) => `${shift.day} ${shift.from_hour}–${shift.to_hour}`;

async function loadPeople() {
  const shift = chosen;
  const period = shift ? `since=${shift.begins}&until=${shift.ends}` : `hours=${hours()}`;
  const found = /** @type {DealerRow[]} */ (await get(`/api/people?${period}`));
  if (shift !== chosen) return; // another one was touched meanwhile, and its answer comes too
  draw(people, [
    h("h2", {}, t("By dealer"), shift ? h("span", { class: "soft" }, ` ${named(shift)} `) : null,
      shift ? button(t("All shifts"), () => choose(null), { "data-key": "all-shifts" }) : null),
    listing(t("No dealer in this period."), [t("Dealer"), ...HEADS()],
      found.map((row) => [h("b", {}, row.dealer), ...figures(row, quickest(found))]))]);
}

async function loadShifts() {
  const found = /** @type {ShiftRow[]} */ (await get(`/api/shifts?hours=${hours()}`));
  draw(shifts, [h("h2", {}, t("By shift")),
    listing(t("No dealer in this period."), [t("Shift"), t("Dealers"), t("Tables"), ...HEADS()],
      found.map((row) => [
      button(named(row), () => choose(row), { "aria-pressed": String(row.begins === chosen?.begins),
        "data-key": `shift-${row.begins}` }),
      String(row.dealers), String(row.tables), ...figures(row, quickest(found))]))]);
}

const load = () => Promise.all([loadPeople(), loadShifts()]);

/** @param {ShiftRow | null} shift */
function choose(shift) {
  chosen = shift;
  load().catch(failed);
}

await start("people", () => {});
byId("work").append(since(() => { chosen = null; return load(); }), people, shifts);
load().catch(failed);
