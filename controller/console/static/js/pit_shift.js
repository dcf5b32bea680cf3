// How the shift goes and what was decided in this shoe; looked up when a round is over or ruled upon.

import { app } from "./app.js";
import { cardName } from "./cards.js";
import { t } from "./catalogue.js";
import { clock, h } from "./dom.js";
import { get } from "./http.js";
import { personName, sentence } from "./sentences.js";
import { clause } from "./shell.js";
import { caseTitle, decidedBy } from "./titles.js";

/** @import { Child, Decided, Ruling, Shift, StaffView } from "./types.d.ts" */

const LATEST = 6;

/** @type {Shift | null} */
let known = null;
let asOf = "";

export const shift = () => known;

/** Between two rounds any step may have changed a figure, in a round only a ruling. @param {StaffView} view */
const mark = (view) => (view.over ? `after ${app.seq}`
  : JSON.stringify([view.shoe, view.round, view.rulings.length]));

export async function lookAtShift() {
  const view = app.view;
  const before = asOf;
  if (!view || mark(view) === before) return;
  asOf = mark(view);
  try {
    known = /** @type {Shift} */ (await get("/api/shift"));
    app.redraw();
  } catch {
    asOf = before; // the banner says so when the console is away
  }
}

/** @param {StaffView} view @returns {Child[]} */
export function decisions(view) {
  // What was ruled in the round that is played is in no summary yet.
  const open = view.over ? [] : [...view.rulings].reverse();
  const shown = known?.decisions ?? [];
  return [
    h("header", { class: "task" }, h("h2", {}, t("Last decisions")), h("p", { class: "soft" }, t("this shoe"))),
    open.length || shown.length ? null : h("p", { class: "soft" }, t("None yet.")),
    h("ul", { class: "decisions" }, open.map(ruling), shown.slice(0, LATEST).map(decision)),
    view.notes.length ? [h("h2", {}, t("Notices")),
      h("ul", { class: "notices" }, [...view.notes].reverse().slice(0, LATEST)
        .map((each) => h("li", {}, sentence(each.code, each.gaps, each.text))))] : null,
  ];
}

/** @param {Ruling} each */
const ruling = (each) => row(t("now"), caseTitle(each.id), each.clause,
  [each.text ? sentence(each.code, each.gaps, each.text) : "", people(each)]);

/** @param {Decided} each */
function decision(each) {
  const at = clock(each.at).slice(0, 5);
  if (each.id === "correct") {
    const change = `${cardName(each.was)} → ${cardName(each.now)}`;
    return row(at, t("Card {n} of round {round} corrected", { n: each.n ?? "", round: each.round }), null,
      [change, t(each.text), people(each)]);
  }
  return row(at, `${caseTitle(each.id)} · ${t("Round {n}", { n: each.round })}`, each.clause,
    [each.moot ? t("The round is void") : t(each.text), people(each)]);
}

/** @param {{ reported_by: string, decided_by: string, approved_by: string, from_floor: string[] }} each */
const people = (each) => `${t("reported by {who}", { who: personName(each.reported_by) })}, ${decidedBy(each)}`;

/** @param {string} at @param {string} title @param {string | null} number @param {string[]} lines */
const row = (at, title, number, lines) => h("li", {}, h("time", {}, at),
  h("div", {}, h("b", {}, title), lines.filter(Boolean).map((line) => h("small", {}, line))), clause(number));
