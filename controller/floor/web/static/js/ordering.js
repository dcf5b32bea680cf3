// A person's word to a table, from here: what will happen, one's own PIN, and the table's answer.

import { t } from "/static/js/catalogue.js";
import { ask, toast } from "/static/js/dialog.js";
import { button, h } from "/static/js/dom.js";
import { post, Problem } from "/static/js/http.js";
import { pad } from "/static/js/pin.js";
import { sentence } from "/static/js/sentences.js";
import { floor } from "./floor.js";

/** @import { Child, Done } from "/static/js/types.d.ts" */
/** @import { ExceptionRow } from "./types.d.ts" */
/** @typedef {{ word: string, with?: object, reason?: string }} Word */

/** @param {string} table @param {string} title @param {Child} happens @param {Word} word @param {Word | null} [otherwise] */
export function order(table, title, happens, word, otherwise = null) {
  const seen = floor.tiles.get(table)?.seq ?? 0;
  let chosen = word;
  let wrong = "";
  return ask(title, (/** @type {Done<string>} */ done, again) => [
    h("div", { class: "said" }, happens, wrong ? h("p", { class: "warn", role: "alert" }, wrong) : null),
    h("div", { class: "pin" }, h("h3", {}, t("Your PIN")), pad((secret) => { chosen = word; done(secret); }),
      otherwise ? button(t("Refuse instead"), () => { chosen = chosen === word ? otherwise : word; wrong = chosen === otherwise ? t("Your PIN now refuses it") : ""; again(); }, { "data-key": "refuse" }) : null),
  ], "second", async (secret) => {
    const failed = await tell(table, { ...chosen, seen, secret });
    wrong = failed ?? "";
    return failed === null;
  });
}

/** @param {string} table @param {object} body @returns {Promise<string | null>} */
async function tell(table, body) {
  try {
    await post(`/api/tables/${table}/orders`, body);
    toast(t("The table has taken it"), { tone: "note" });
    return null;
  } catch (error) {
    return Problem.of(error).text;
  }
}

/** @param {ExceptionRow} row */
export const approve = (row) => order(row.table, t("{table}: approve", { table: row.title }), [
  h("p", { class: "lead" }, sentence(row.code, row.gaps, row.text)),
  row.clause ? h("p", {}, h("span", { class: "clause" }, row.clause)) : null,
  h("p", {}, row.then_code ? sentence(row.then_code, row.then_gaps, row.then) : row.then),
], { word: "approve" }, { word: "refuse" });
