// Orders: what people said through the floor and what tables answered; what could not be delivered.

import { t, titled } from "/static/js/catalogue.js";
import { byId, clock, day, draw, h } from "/static/js/dom.js";
import { get } from "/static/js/http.js";
import { listing } from "./listing.js";
import { failed, start } from "./shell.js";

/** @import { EventRow, NotTakenRow, OrderRow, UndeliveredRow } from "./types.d.ts" */

const orders = h("section", { class: "panel list" });
const notTaken = h("section", { class: "panel list" });
const undelivered = h("section", { class: "panel list" });
const events = h("section", { class: "panel list" });
byId("work").append(orders, notTaken, h("div", { class: "two" }, undelivered, events));

/** @type {Record<string, string>} */
const DID = {
  signed_in: "signed in", signed_out: "signed out", sign_in_failed: "sign-in refused",
  account_locked: "locked after wrong PINs", screen_locked: "locked the screen",
  screen_unlocked: "unlocked the screen", acknowledged: "acknowledged",
  people_published: "published the staff list", limits_published: "published limits",
  database_back: "database back; it was down since",
};

/** @type {Record<string, string>} */
const OUTCOMES = {
  accepted: "accepted", refused: "refused by the rules", forged: "forged: not signed by this floor",
  replayed: "sent before", expired: "too late",
  wrong_table: "meant for another table", not_from_floor: "not accepted from the floor",
  moved_on: "the table had moved on",
  not_a_word: "no such command at the table", busy: "the table was busy", stopped: "the table has stopped",
  no_answer: "no answer: see its records",
};

/** The longest that an order holds. */
const EXPIRES_S = 60;

/** @param {OrderRow} row */
function outcome(row) {
  const late = Date.now() / 1000 - row.made > EXPIRES_S;
  const says = t(OUTCOMES[row.outcome ?? (late ? "no_answer" : "")] ?? row.outcome ?? "under way");
  const calm = row.outcome === "accepted" || (row.outcome === null && !late);
  return h("span", { class: calm ? "" : "warn" }, says,
    row.answer?.text ? h("small", {}, ` ${row.answer.text}`) : null);
}

/** @param {NotTakenRow} row */
function why(row) {
  if (row.outcome === null) return t("{n} more, not recorded one by one", { n: row.orders });
  const known = t(OUTCOMES[row.outcome] ?? row.outcome);
  return row.orders > 1 ? `${known} · ${t("and {n} more", { n: row.orders - 1 })}` : known;
}

async function load() {
  const [said, against, failing, did] = await Promise.all([get("/api/orders"), get("/api/orders-not-taken?most=30"),
    get("/api/undelivered"), get("/api/events?most=30")]);
  const done = /** @type {EventRow[]} */ (did);
  const rows = /** @type {OrderRow[]} */ (said);
  const lost = /** @type {UndeliveredRow[]} */ (failing);
  const refused = /** @type {NotTakenRow[]} */ (against);
  draw(orders, [h("h2", {}, t("Orders")),
    listing(t("No orders yet."), [t("Time"), t("Table"), t("Command"), t("Who"), t("Outcome"), t("Record")],
      rows.map((row) => [`${day(row.made)} ${clock(row.made)}`, h("a", { href: `/tables/${row.table}` }, row.table),
        titled("word", row.word), `${row.who}, ${titled("role", row.role)}`, outcome(row),
        row.answer?.seq ? String(row.answer.seq) : "–"]))]);
  draw(notTaken, [h("h2", {}, t("Rejected orders")),
    h("p", { class: "soft" }, t("From the tables' own journals, including orders not from this floor.")),
    listing(t("No order was rejected."),
      [t("Time"), t("Table"), t("In the name of"), t("Outcome"), t("Record")],
      refused.map((row) => [`${day(row.at)} ${clock(row.at)}`, h("a", { href: `/tables/${row.table}` }, row.table),
        row.outcome === "forged" || row.outcome === null ? t("nobody") : row.who,
        h("span", { class: "warn" }, why(row)), String(row.seq)]))]);
  draw(events, [h("h2", {}, t("Actions on the floor's screens")),
    listing(t("No activity yet."), [t("Time"), t("Who"), t("What"), ""],
      done.map((row) => [clock(row.at), h("b", {}, row.who), t(DID[row.what] ?? row.what), row.says]))]);
  draw(undelivered, [h("h2", {}, t("Not delivered to subscribers")),
    listing(t("Everything has been delivered."),
      [t("Subscriber"), t("Table"), t("From record"), t("Since"), t("Tries"), t("Last answer")],
      lost.map((row) => [h("b", {}, row.subscriber), row.table, String(row.seq + 1),
        `${day(row.failing_since)} ${clock(row.failing_since)}`, String(row.tries), row.last_error ?? "–"]))]);
}

await start("orders", () => {});
load().catch(failed);
setInterval(() => load().catch(() => {}), 5_000);
