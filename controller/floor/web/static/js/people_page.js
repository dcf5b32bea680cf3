// People: rounds an hour, voids, corrections and irregularities by clause, by dealer.

import { t, titled } from "/static/js/catalogue.js";
import { byId, draw, h } from "/static/js/dom.js";
import { get } from "/static/js/http.js";
import { bar, listing } from "./listing.js";
import { hours, since } from "./periods.js";
import { failed, start } from "./shell.js";

/** @import { DealerRow } from "./types.d.ts" */

const place = h("section", { class: "panel list" });

/** @param {DealerRow} row */
const pace = (row) => (row.hours ? row.rounds / row.hours : 0);

/** @param {DealerRow} row @param {number} count */
const rate = (row, count) => h("span", { class: "rate" }, h("b", {}, String(count)), row.rounds ? h("small", {}, t("{n} per 1,000", { n: ((count / row.rounds) * 1000).toFixed(1) })) : null);

/** Counted by clause, and by name where a book has no clause for it. @param {string} id @param {number} n */
const counted = (id, n) => (/^\d/.test(id) ? h("span", { class: "clause" }, `${id} × ${n}`) : h("span", { class: "tag" }, `${titled("irregularity", id)} × ${n}`));

async function load() {
  const found = /** @type {DealerRow[]} */ (await get(`/api/people?hours=${hours()}`));
  const most = Math.max(...found.map(pace), 1);
  draw(place, found, () => listing(t("Nobody has dealt in this time."),
    [t("Dealer"), t("Rounds"), t("Hours"), t("Rounds an hour"), t("Voids"), t("Corrections"), t("Irregularities by clause")],
    found.map((row) => [
      h("b", {}, row.dealer), row.rounds.toLocaleString("en-US"), String(row.hours), bar(pace(row) / most, pace(row).toFixed(0)),
      rate(row, row.voids), rate(row, row.corrections),
      h("span", { class: "clauses" }, Object.entries(row.irregularities).sort(([, a], [, b]) => b - a).map(([id, n]) => counted(id, n))),
    ])));
}

await start("people", () => {});
byId("work").append(since(load), place);
load().catch(failed);
