// What stands in the headline: what to do, large; the words to say in quotes; the clause as a quiet chip;
// or what was refused, with what mends it; and the figures beside it.

import { app, least } from "./app.js";
import { t } from "./catalogue.js";
import { button, h } from "./dom.js";
import { haltHead, haltVerb } from "./halt.js";
import { handName } from "./pickers.js";
import { forgetRefusal } from "./refusal.js";
import { word } from "./saying.js";
import { coins, money, personName, sentence } from "./sentences.js";
import { icon } from "./signs.js";
import { voidHead, voidVerb } from "./voided.js";

/** @import { Child, Refusal, StaffView } from "./types.d.ts" */

export const reading = {
  /** The clause whose text is open. @type {string | null} */
  clause: null,
};

/** @param {Refusal} refusal @returns {Child} */
export function refusalParts(refusal) {
  const number = refusal.clause;
  return [
    icon("refused"),
    h("div", {}, h("p", { class: "do" }, refusal.text),
      h("p", { class: "beneath" }, refusal.what ? h("span", {}, t("Not done: {what}", { what: refusal.what })) : null,
        chip(number)), clauseText(number)),
    h("div", { class: "offers" },
      refusal.offers.map((each, at) => button(each.label, () => { forgetRefusal(); return each.run(); },
        { class: each.mends ? "mends" : "", "data-key": `offer-${at}` })),
      button("×", forgetRefusal, { class: "close", "aria-label": t("Close"), "data-key": "forget" })),
  ];
}

/** @param {StaffView} view @returns {Child} */
export function promptParts(view) {
  const { prompt } = view;
  const doing = app.choice ? app.choice.label : haltVerb(view) ?? voidVerb(view)
    ?? sentence(prompt.code, prompt.gaps, prompt.do);
  // The clause is that of the prompt: what is cleared away first has none.
  const quiet = app.refusal !== null || voidVerb(view) !== null;
  return [
    haltHead(view) ?? voidHead(view),
    h("p", { class: `do ${doing.length > 44 ? "long" : ""}` }, doing),
    h("p", { class: "beneath" },
      prompt.say && !app.choice && !voidVerb(view)
        ? h("span", { class: "say" }, h("span", { class: "sr" }, t("Say:")), "“",
          sentence(prompt.say_code, prompt.say_gaps, prompt.say), "”") : null,
      quiet ? null : chip(prompt.clause)),
    quiet ? null : clauseText(prompt.clause),
    view.manual ? h("p", { class: "manual" }, t("MANUAL MODE: a card is entered or corrected by hand")) : null,
    view.close_after ? h("p", { class: "closing" }, t("The table closes after this round"),
      view.can.includes("stay_open") ? button(t("Stay open"), stayOpen, { class: "small", "data-key": "stay_open" })
        : null) : null,
  ];
}

const stayOpen = () => word("stay_open", {}, { role: least("close_table"), what: t("Stay open") });

/** @param {string | null} number @returns {Child} */
function chip(number) {
  if (!number) return null;
  return button(number, () => {}, { class: "clause large", "aria-expanded": String(reading.clause === number),
    "aria-label": t("Clause {n}", { n: number }), "data-key": "clause" });
}

/** @param {string | null} number @returns {Child} */
const clauseText = (number) => (number !== null && reading.clause === number
  ? h("p", { class: "clause-text" }, app.clauses[number] ?? t("See the rulebook for this clause.")) : null);

/** @param {StaffView} view @returns {Child} */
export function figures(view) {
  const lying = view.wagers.filter((each) => each.returned_by === null).reduce((sum, each) => sum + each.amount, 0);
  if (view.state === "betting" && app.about?.track_wagers !== false) return figure(t("On the layout"), money(lying));
  const then = afterThat(view);
  if (then) return figure(t("After that"), then, "words");
  if (!view.payouts.length) return null;
  const amounts = new Map(view.wagers.map((each) => [each.id, each.amount]));
  const house = view.payouts.reduce((sum, each) => sum + (amounts.get(each.id) ?? 0) - each.pays - each.returned, 0);
  if (house === 0) return null;
  return figure(t("House"), `${house < 0 ? "−" : "+"}${coins(Math.abs(house))}`);
}

// Both hands are passed on, one after the other: who is next is no surprise.
/** @param {StaffView} view */
function afterThat(view) {
  const { act } = view.prompt;
  const next = view.passing.banker?.to;
  if (act?.word !== "accept_cards" || act.hand !== "player" || !next) return null;
  return t("{hand} hand to {who}", { hand: handName("banker"), who: personName(next) });
}

/** @param {string} label @param {string} value */
const figure = (label, value, className = "") =>
  h("p", { class: `figure ${className}` }, h("small", {}, label), h("b", {}, value));
