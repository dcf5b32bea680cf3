// Proof: how far the floor has each table's records, the hourly roots, what went to the archive.

import { t } from "/static/js/catalogue.js";
import { byId, clock, day, draw, h } from "/static/js/dom.js";
import { get } from "/static/js/http.js";
import { listing } from "./listing.js";
import { failed, start } from "./shell.js";

/** @import { ProofPage, ProofRow } from "./types.d.ts" */

const heads = h("section", { class: "panel list" });
const roots = h("section", { class: "panel list" });
const archives = h("section", { class: "panel list" });
byId("work").append(heads, h("div", { class: "two" }, roots, archives));

/** @param {number} at */
const when = (at) => `${day(at)} ${clock(at)}`;

/** @param {ProofRow} row */
function standing(row) {
  if (row.revoked) return t("revoked");
  if (row.unsent < 0) return t("offline");
  const n = Math.max(row.unsent, row.ahead);
  if (n === 0) return t("all received");
  return n === 1 ? t("1 record not yet received") : t("{n} records not yet received", { n });
}

async function load() {
  const found = /** @type {ProofPage} */ (await get("/api/proof"));
  draw(heads, [h("h2", {}, t("Last record received per table")),
    listing(t("No table has reported yet."),
      [t("Table"), t("Record"), t("Digest"), t("Received"), t("Standing"), t("History")],
      found.heads.map((row) => [h("b", {}, row.title), row.seq.toLocaleString("en-US"),
        h("code", {}, row.digest.slice(0, 16)), when(row.received), standing(row), String(row.epoch)]))]);
  draw(roots, [h("h2", {}, t("Hourly roots")),
    listing(t("The first root is due on the hour."), [t("Hour"), t("Root"), t("Timestamp")],
      found.roots.map((row) => [when(row.hour), h("code", {}, row.root.slice(0, 24)), row.stamped ? t("yes") : "–"]))]);
  draw(archives, [h("h2", {}, t("Months in the archive")),
    listing(t("No month is due for the archive."),
      [t("Table"), t("Month"), t("Records"), t("File"), t("Last verified")],
      found.archives.map((row) => [row.table, row.month.slice(0, 7), `${row.first}–${row.last}`,
        h("code", {}, row.file), row.verified ? when(row.verified) : "–"]))]);
}

await start("proof", () => {});
load().catch(failed);
setInterval(() => load().catch(() => {}), 10_000);
