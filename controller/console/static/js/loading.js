// Windows for what happens to the cards themselves: a shoe is loaded, a card is put right.

import { app, least, me, shown } from "./app.js";
import { t } from "./catalogue.js";
import { ask, foot, oneAtATime, options } from "./dialog.js";
import { h } from "./dom.js";
import { cardButton, codeOf, isPicked, mayConfirm, rankAndSuit, reasons } from "./pickers.js";
import { everybody, reaches } from "./pin.js";
import { word } from "./saying.js";

/** @import { Done, Option } from "./types.d.ts" */

const SETS = ["blue", "red", "green", "yellow", "black", "white"];

// Sets that are fit to be played with, and the usual names where the house does not keep its decks.
function setsToLoad() {
  const { deck_sets: known } = shown();
  const fit = known.filter((each) => ["inspected", "in_use"].includes(each.stage) && (each.count?.whole ?? true))
    .map((each) => each.name);
  const usual = app.about?.deck_control ? [] : SETS.filter((name) => !known.some((each) => each.name === name));
  return [...fit, ...usual];
}

// What is left of a shoe that is over: how many cards. A second person counts too.
export async function countRest() {
  const what = t("Count remaining cards");
  const state = { cards: "" };
  const isNumber = () => /^\d{1,3}$/.test(state.cards);
  return ask(what, (/** @type {Done<typeof state>} */ done) => [
    h("label", { class: "field" }, h("span", {}, t("Cards left in the shoe")), h("input", {
      type: "text", inputmode: "numeric", maxlength: "3", "data-key": "cards-left", autofocus: "",
      oninput: (event) => {
        state.cards = event.target.value.trim();
        mayConfirm(event.target, isNumber());
      },
    })),
    foot(done, { label: what, ready: isNumber(), value: () => state }),
  ], "beside", ({ cards }) => word("reconcile", { cards: Number(cards) }, { what }));
}

export const loadShoe = oneAtATime(async () => {
  const staff = await everybody();
  const verified = shown().verified;
  const state = { set: "", by: verified ? "shuffler" : "", cut: false };
  /** @type {Option<string>[]} */
  const may = staff.filter((each) => reaches(each.role, least("vouch_for_shoe")) && each.who !== me().who)
    .map((each) => [each.who, each.name]);
  if (verified) may.unshift(["shuffler", t("the shuffler")]);
  const what = t("Load a shoe");
  const sets = setsToLoad();
  return ask(what, (/** @type {Done<typeof state>} */ done, again) => {
    /** @param {Partial<typeof state>} change */
    const set = (change) => { Object.assign(state, change); again(); };
    return [
      h("h3", {}, t("Deck set")), options(sets.map((each) => /** @type {Option<string>} */ ([each, t(each)])),
        state.set, (value) => set({ set: value }), "sets"),
      h("h3", {}, t("Shuffled and verified by")), options(may, state.by, (value) => set({ by: value })),
      h("h3", {}, t("Cut")), options([[true, t("The cards have been cut")]], state.cut, () => set({ cut: !state.cut })),
      foot(done, { label: what, ready: Boolean(state.set && state.by && state.cut), value: () => state }),
    ];
  }, "", ({ set, by }) => word("load_shoe", { deck_set: set, verified_by: by, cut: true }, { what }));
});

const MISREAD = ["The device read the card wrongly", "The card was entered wrongly", "Surveillance saw another card"];

export async function correctCard() {
  const open = shown().cards.filter((each) => each.exposed && each.card);
  /** @type {import("./pickers.js").Reasoned & import("./pickers.js").Picked & { n: number }} */
  const state = { n: 0, reason: null, ready: () => Boolean(state.n && isPicked(state) && state.reason) };
  const what = t("Correct a card");
  await ask(what, (/** @type {Done<typeof state>} */ finish, again) => [
    h("h3", {}, t("Which card?")),
    h("div", { class: "pick-cards" },
      open.map((each) => cardButton(each, ({ n }) => { state.n = n; again(); }, { chosen: state.n === each.n }))),
    h("h3", {}, t("What is it?")), rankAndSuit(state, again),
    h("h3", {}, t("Reason")), reasons(MISREAD, state, again),
    foot(finish, { label: t("Request correction"), ready: state.ready(), value: () => state }),
  ], "full beside", (done) => word("correct", { n: done.n, card: codeOf(done), reason: done.reason }, { what }));
}
