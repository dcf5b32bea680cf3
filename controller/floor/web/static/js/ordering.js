// A person's word to a table, from here: what will happen, one's own PIN, and the table's answer.

import { capital, t } from "/static/js/catalogue.js";
import { ask, toast } from "/static/js/dialog.js";
import { h } from "/static/js/dom.js";
import { post, Problem } from "/static/js/http.js";
import { entering } from "/static/js/pin.js";
import { sentence } from "/static/js/sentences.js";
import { floor, me } from "./floor.js";

/** @import { Child, Done, Person, Speaker } from "/static/js/types.d.ts" */
/** @import { ExceptionRow } from "./types.d.ts" */
/** @typedef {{ word: string, label: string, with?: object, plain?: boolean }} Word */

/** Who is signed in, as the window with the PIN knows people. @returns {Person} */
const self = () => ({
  who: me().who, name: me().name, role: /** @type {Person["role"]} */ (me().role), language: me().language,
  locked: false, locked_anywhere: false,
});

/**
 * What may be said, the last of it solid.
 * @param {string} table
 * @param {string} title
 * @param {() => Child} happens
 * @param {Word[]} words
 */
export function order(table, title, happens, words) {
  const seen = floor.tiles.get(table)?.seq ?? 0;
  let wrong = "";
  const entry = entering(words.map(({ word, label, with: given, plain }) => ({
    key: word, label, ...(plain ? { plain } : {}),
    tell: async (/** @type {Speaker} */ { second }) => {
      const failed = await tell(table, { word, ...(given ? { with: given } : {}), seen, secret: second?.secret ?? "" });
      if (failed === null || failed.kind === "not_signed_in") return failed ?? true;
      // Why not is the table's own to say: it comes in its words.
      wrong = failed.body.outcome === "refused" ? `${failed.text}: ${failed.message}` : failed.text;
      toast(wrong, { tone: "bad" });
      return false;
    },
  })));
  return ask(title, (/** @type {Done<boolean>} */ done, again) =>
    [h("div", { class: "said" }, happens()), entry(self(), done, again)], "second");
}

/** @param {string} table @param {object} body @returns {Promise<Problem | null>} */
async function tell(table, body) {
  try {
    await post(`/api/tables/${table}/orders`, body);
    toast(t("Table confirmed"), { tone: "note" });
    return null;
  } catch (error) {
    return Problem.of(error);
  }
}

/** @param {ExceptionRow} row */
export const approve = (row) => order(row.table, row.title, () => [
  h("p", { class: "lead" }, capital(sentence(row.code, row.gaps, row.text))),
  row.clause ? h("p", {}, h("span", { class: "clause" }, row.clause)) : null,
  h("p", {}, row.then_code ? sentence(row.then_code, row.then_gaps, row.then) : row.then),
], [{ word: "refuse", label: t("Refuse"), plain: true }, { word: "approve", label: t("Approve") }]);
