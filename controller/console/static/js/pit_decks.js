// The deck sets of the table: where each is in its life, what its last count found, and what the pit
// does with it next. A set that is not whole says which cards it lacks.

import { app } from "./app.js";
import { faceText } from "./cards.js";
import { named, t } from "./catalogue.js";
import { ask, foot } from "./dialog.js";
import { button, h } from "./dom.js";
import { mayConfirm } from "./pickers.js";
import { choose, word } from "./saying.js";
import { personName } from "./sentences.js";
import { icon } from "./signs.js";

/** @import { Child, DeckSet, Done, StaffView } from "./types.d.ts" */

/**
 * What a set is said to be next, and what the button is called.
 * @type {Record<string, [stage: string, label: string][]>}
 */
const NEXT = {
  received: [["inspected", "Inspected by two"], ["retired", "Retire"]],
  inspected: [["retired", "Retire"]],
  in_use: [["inspected", "Inspected by two"], ["retired", "Retire"]],
  retired: [["destroyed", "Destroyed"]],
};

/** @param {StaffView} view @returns {Child} */
export function deckSets(view) {
  const may = view.can.includes("deck_set");
  if (!view.deck_sets.length && !may) return null;
  return [
    h("header", { class: "task" }, h("h2", {}, t("Deck sets")),
      may ? button(t("Receive a set"), receive, { class: "small", "data-key": "receive-decks" }) : null),
    h("ul", {}, view.deck_sets.map((each) => one(each, view, may))),
  ];
}

/** @param {DeckSet} set */
const isWell = (set) => !set.count || set.count.whole;

/** @param {DeckSet} set @param {StaffView} view @param {boolean} may */
function one(set, view, may) {
  const inShoe = view.shoe_in_use?.deck_set === set.name && !view.shoe_due;
  return h("li", { class: isWell(set) ? "up" : "down" }, icon(isWell(set) ? "done" : "warn"),
    h("div", {},
      h("p", {}, h("b", {}, t(set.name)), " ", h("span", { class: "link" }, named("stage", set.stage))),
      h("small", {}, [t("{n} decks", { n: set.decks }), t("shoes: {n}", { n: set.shoes }),
        set.step ? personName(set.step.by) : ""].filter(Boolean).join(" · ")),
      counted(set),
      may && !inShoe ? h("p", { class: "row" }, (NEXT[set.stage] ?? []).map(([stage, label]) =>
        button(t(label), () => step(set.name, stage, t(label)),
          { class: "small", "data-key": `${stage}-${set.name}` }))) : null));
}

/** @param {DeckSet} set @returns {Child} */
function counted({ count, to_be_counted: due }) {
  if (due) return h("small", { class: "error" }, t("to be counted after its shoe"));
  if (!count) return null;
  if (count.whole) return h("small", {}, t("complete, {n} cards", { n: count.full }));
  const [found = []] = [count.missing, count.extra, count.among].filter((each) => each.length);
  const cards = found.map(faceText).join(" ");
  return h("small", { class: "error" }, cards
    ? `${t("not complete")}: ${cards}` : `${t("not complete")}: ${count.cards ?? "?"} / ${count.full}`);
}

/** @param {string} set @param {string} stage @param {string} label */
const step = (set, stage, label) =>
  choose({ word: "deck_set", given: { deck_set: set, stage }, label, what: `${t(set)}: ${label}` });

async function receive() {
  const state = { name: "" };
  const what = t("Receive a set");
  await ask(what, (/** @type {Done<typeof state>} */ done) => [
    h("label", { class: "field" }, h("span", {}, t("Name of the deck set")), h("input", {
      type: "text", maxlength: "64", "data-key": "deck-name", autofocus: "",
      oninput: (event) => {
        state.name = event.target.value.trim();
        mayConfirm(event.target, Boolean(state.name));
      },
    })),
    foot(done, { label: what, ready: Boolean(state.name), value: () => state }),
  ], "", ({ name }) => word("deck_set", { deck_set: name, stage: "received", decks: app.about?.decks }, { what }));
}
