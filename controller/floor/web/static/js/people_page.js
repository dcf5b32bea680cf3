// People: rounds an hour, voids, corrections and irregularities by clause, by dealer.

import { t } from "/static/js/catalogue.js";
import { byId, draw, h } from "/static/js/dom.js";
import { get } from "/static/js/http.js";
import { bar, listing } from "./listing.js";
import { hours, since } from "./periods.js";
import { failed, start } from "./shell.js";

/** @import { DealerRow } from "./types.d.ts" */

const place = h("section", { class: "panel list" });
byId("work").append(since(load), place);

/** @param {DealerRow} row */
const pace = (row) => (row.hours ? row.rounds / row.hours : 0);

/** @param {DealerRow} row @param {number} count */
const rate = (row, count) => (row.rounds ? `${count} · ${((count / row.rounds) * 1000).toFixed(1)} ‰` : String(count));

async function load() {
  const found = /** @type {DealerRow[]} */ (await get(`/api/people?hours=${hours()}`));
  const most = Math.max(...found.map(pace), 1);
  draw(place, found, () => listing(t("Nobody has dealt in this time."),
    [t("Dealer"), t("Rounds"), t("Hours"), t("Rounds an hour"), t("Voids"), t("Corrections"), t("Irregularities by clause")],
    found.map((row) => [
      h("b", {}, row.dealer), row.rounds.toLocaleString("en-US"), String(row.hours), bar(pace(row) / most, pace(row).toFixed(0)),
      rate(row, row.voids), rate(row, row.corrections),
      h("span", { class: "clauses" }, Object.entries(row.irregularities).sort(([, a], [, b]) => b - a).map(([clause, n]) => h("span", { class: "clause" }, `${clause} × ${n}`))),
    ])));
}

await start("people", () => {});
load().catch(failed);
