// Wagers by position: what lies where, placing one with taps, and what each is paid.

import { app } from "./app.js";
import { t } from "./catalogue.js";
import { chips } from "./chips.js";
import { ask, foot, options } from "./dialog.js";
import { button, h } from "./dom.js";
import { choose, word } from "./saying.js";
import { money, personName, wagerName, wagerText } from "./sentences.js";

/** @import { Done, Option, Paid, StaffView, Wager } from "./types.d.ts" */

const MAIN = ["player", "banker", "tie"];

// The side panel: one block a position, in order round the table.
/** @param {StaffView} view */
export function layout(view) {
  if (app.about?.track_wagers === false) return [h("h2", {}, t("Wagers")), h("p", { class: "soft" }, t("This table does not track wagers."))];
  const lying = view.wagers.filter((each) => each.returned_by === null || view.state === "settling" || view.over);
  const positions = [...new Set(lying.map((each) => each.position))].sort((a, b) => a - b);
  const paid = new Map((view.payouts?.length ? view.payouts : view.settlements).map((each) => [each.id, each]));
  const total = lying.filter((each) => each.returned_by === null).reduce((sum, each) => sum + each.amount, 0);
  return [
    h("h2", {}, t("Wagers"), " ", h("span", { class: "soft" }, money(total))),
    positions.length === 0 && h("p", { class: "soft" }, t("No wagers yet.")),
    h("ol", { class: "positions" }, positions.map((position) =>
      h("li", {}, h("b", { class: "position" }, String(position)),
        h("ul", {}, lying.filter((each) => each.position === position).map((each) => row(view, each, paid.get(each.id))))))),
  ];
}

/** @param {StaffView} view @param {Wager} wager @param {Paid} [paid] */
function row(view, wager, paid) {
  const open = view.phase === "betting" && (view.state === "betting" || view.case?.waits_for === "put_right");
  const text = [h("span", { class: `wager-name ${MAIN.includes(wager.wager) ? wager.wager : ""}` }, wagerName(wager.wager)), h("span", { class: "amount" }, money(wager.amount))];
  const who = wager.player === `seat ${wager.position}` ? null : h("small", {}, personName(wager.player));
  if (paid) return h("li", { class: `paid ${paid.result}` }, who, text, h("b", { class: "pays" }, paysText(paid)));
  if (!open) return h("li", {}, who, text);
  return h("li", {}, h("button", { type: "button", class: "wager", onclick: () => change(wager), "data-key": `w-${wager.id}` }, who, text));
}

/** @param {Paid} paid */
function paysText(paid) {
  if (paid.result === "lose" && paid.returned === 0) return t("collect");
  if (paid.pays > 0) return `+${money(paid.pays)}`;
  return t("returned");
}

/** @param {Wager} wager */
async function change(wager) {
  let more = 0;
  const what = wagerText(wager);
  const chosen = await ask(what, (/** @type {Done<"off" | "raise" | "decrease">} */ done, again) => [
    chips((chip) => { more += chip; again(); }),
    h("p", { class: "lead" }, more ? t("Raise or decrease by {n}", { n: money(more) }) : t("Tap chips to raise or decrease the wager.")),
    button(t("Decrease"), () => done("decrease"), { class: "plain", "data-key": "decrease", disabled: more === 0 || more >= wager.amount }),
    button(t("Take the wager off"), () => done("off"), { class: "plain", "data-key": "off" }),
    foot(done, { label: t("Raise"), ready: more > 0, value: () => /** @type {const} */ ("raise") }),
  ]);
  if (chosen === "raise") await word("raise", { id: wager.id, amount: more }, { what });
  if (chosen === "decrease") await word("decrease", { id: wager.id, amount: more }, { what });
  if (chosen === "off") choose({ word: "withdraw", given: { id: wager.id }, label: t("Take off: {what}", { what }), what });
}

/** @typedef {{ position: number, wager: string, amount: number, behind: boolean }} Placing */

// One window for as many wagers as are put down: it stays until it is closed.
let last = { position: 1, wager: "banker" };

export async function place() {
  const state = { ...last, amount: 0, behind: false };
  const most = app.about?.positions || 9;
  const ids = app.about?.wagers ?? MAIN;
  await ask(t("Place a wager"), (/** @type {Done<null>} */ done, again) => {
    /** @param {Partial<Placing>} changed */
    const set = (changed) => { Object.assign(state, changed); again(); };
    return [
      h("div", { class: "placing" },
        h("section", {}, h("h3", {}, t("Position")),
          options(Array.from({ length: most }, (_, n) => /** @type {Option<number>} */ ([n + 1, String(n + 1)])), state.position, (position) => set({ position }), "seats numbers"),
          options([[false, t("Seated")], [true, t("Standing behind")]], state.behind, (behind) => set({ behind }))),
        h("section", {}, h("h3", {}, t("Wager")),
          options(ids.map((id) => /** @type {Option<string>} */ ([id, wagerName(id)])), state.wager, (wager) => set({ wager }), ids.length > 12 ? "kinds many" : "kinds")),
        h("section", {}, h("h3", {}, t("Amount")), chips((chip) => set({ amount: state.amount + chip })),
          h("p", { class: "sum" }, money(state.amount), button(t("Clear"), () => set({ amount: 0 }), { class: "small", disabled: state.amount === 0, "data-key": "clear" })))),
      h("footer", {},
        button(t("Done"), () => done(null), { class: "plain", "data-key": "done" }),
        button(t("Place {amount} on {wager} at {n}", { amount: money(state.amount), wager: wagerName(state.wager), n: state.position }),
          () => put(state).then((placed) => placed && set({ amount: 0 })), { class: "primary", disabled: state.amount === 0, "data-key": "confirm" })),
    ];
  }, "full");
  last = { position: state.position, wager: state.wager };
}

/** @param {Placing} state */
async function put(state) {
  const player = state.behind ? `behind ${state.position}` : `seat ${state.position}`;
  const given = { wager: state.wager, amount: state.amount, position: state.position, player, ...(state.behind ? { seated: false } : {}) };
  return word("place", given, { what: wagerName(state.wager) });
}
