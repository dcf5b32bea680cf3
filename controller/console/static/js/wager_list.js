// Wagers as a list, one block a position in order round the table, and what each is paid.

import { app } from "./app.js";
import { t } from "./catalogue.js";
import { h } from "./dom.js";
import { byKind, CROWD, takesWagers } from "./layout_spots.js";
import { money, personName, wagerName } from "./sentences.js";
import { change } from "./wagers.js";

/** @import { Paid, StaffView, Wager } from "./types.d.ts" */

const MAIN = ["player", "banker", "tie"];

/** @param {StaffView} view */
export function wagerList(view) {
  if (app.about?.track_wagers === false) {
    return [h("h2", {}, t("Wagers")),
      h("p", { class: "soft" }, t("This table does not track wagers."))];
  }
  const lying = view.wagers.filter((each) => each.returned_by === null || view.state === "settling" || view.over);
  const settled = view.payouts?.length ? view.payouts : view.settlements;
  const total = lying.filter((each) => each.returned_by === null).reduce((sum, each) => sum + each.amount, 0);
  return [
    h("h2", {}, t("Wagers"), " ", h("span", { class: "soft" }, money(total))),
    lying.length === 0 && h("p", { class: "soft" }, t("No wagers yet.")),
    lying.length > CROWD ? kinds(lying, settled) : positions(view, lying, settled),
  ];
}

// A studio's thousands are told by their kind.
/** @param {Wager[]} lying @param {Paid[]} settled */
const kinds = (lying, settled) => h("ul", { class: "by-kind" }, byKind(lying, settled).map((each) =>
  h("li", {}, h("span", { class: `wager-name ${each.wager}` }, wagerName(each.wager)), " ", String(each.count), " ",
    h("b", { class: "amount" }, money(each.staked)))));

/** @param {StaffView} view @param {Wager[]} lying @param {Paid[]} settled */
function positions(view, lying, settled) {
  const paid = new Map(settled.map((each) => [each.id, each]));
  const known = [...new Set(lying.map((each) => each.position))].sort((a, b) => a - b);
  return h("ol", { class: "positions" }, known.map((position) =>
    h("li", {}, h("b", { class: "position" }, String(position)),
      h("ul", {}, lying.filter((each) => each.position === position)
        .map((each) => row(view, each, paid.get(each.id)))))));
}

/** @param {StaffView} view @param {Wager} wager @param {Paid} [paid] */
function row(view, wager, paid) {
  const text = [h("span", { class: `wager-name ${MAIN.includes(wager.wager) ? wager.wager : ""}` },
    wagerName(wager.wager)), h("span", { class: "amount" }, money(wager.amount)), ...partsBack(wager)];
  const who = wager.player === `seat ${wager.position}` ? null : h("small", {}, personName(wager.player));
  if (paid) return h("li", { class: `paid ${paid.result}` }, who, text, h("b", { class: "pays" }, paysText(paid)));
  if (!takesWagers(view)) return h("li", {}, who, text);
  return h("li", {},
    h("button", { type: "button", class: "wager", onclick: () => change(wager), "data-key": `w-${wager.id}` }, who,
      text));
}

// What was rejected of it, each with its clause.
/** @param {Wager} wager */
const partsBack = (wager) => (wager.parts_back ?? []).map((each) =>
  h("small", { class: "part-back" }, `−${money(each.amount)}`, each.clause && ` (${each.clause})`));

/** @param {Paid} paid */
function paysText(paid) {
  if (paid.result === "lose" && paid.returned === 0) return t("collect");
  if (paid.pays > 0) return `+${money(paid.pays)}`;
  return t("returned");
}
