// The pit's page: on the left the one thing to do, then why the table has stopped; facts, devices and
// decisions keep their places.

import { app } from "./app.js";
import { confirming, panel } from "./asks.js";
import { card } from "./cards.js";
import { t } from "./catalogue.js";
import { button, byId, draw, h, press } from "./dom.js";
import { elapsed, haltHead, haltState, haltVerb, holdList, isHalted, letGoOn } from "./halt.js";
import { isChanging, leaveLimits, limitsPanel } from "./limits.js";
import { handName } from "./pickers.js";
import { lookAtAccounts } from "./pit_accounts.js";
import { deckSets } from "./pit_decks.js";
import { drawDevices, lookAtDevices } from "./pit_devices.js";
import { decisions, lookAtShift } from "./pit_shift.js";
import { controls, facts } from "./pit_table.js";
import { forgetRefusal } from "./refusal.js";
import { confirmChoice, takeBack, word } from "./saying.js";
import { money, personName, sentence } from "./sentences.js";
import { clause, onKeys, start } from "./shell.js";
import { aftermath } from "./voided.js";
import { wagerList } from "./wager_list.js";

/** @import { Child, Refusal, Side, StaffView, Turn } from "./types.d.ts" */

const LOOK_MS = 2000;
/** @type {Side[]} */
const SIDES = ["player", "banker"];

start("pit", "pit", redraw).then(look);

function redraw() {
  const view = app.view;
  if (!view) return;
  haltState(view);
  draw(byId("refusal"), refusal(app.refusal));
  draw(byId("waits"), waiting(view));
  draw(byId("status"), status(view));
  draw(byId("wagers"), [wagerList(view), chips(view)]);
  draw(byId("table"), facts(view));
  draw(byId("controls"), controls(view));
  draw(byId("rulings"), decisions(view));
  draw(byId("decks"), deckSets(view));
  drawDevices();
  lookAtShift();
  byId("work").classList.toggle("stopped", view.held.length > 0);
  byId("work").classList.toggle("answering", Boolean(byId("waits").querySelector(".answers, .confirming")));
}

async function look() {
  if (!app.me) return;
  await Promise.all([lookAtDevices(), lookAtAccounts()]);
  setTimeout(look, LOOK_MS);
}

/** What was not done, why, and what can be done about it. @param {Refusal | null} refused @returns {Child} */
function refusal(refused) {
  if (!refused) return null;
  return [
    h("p", { class: "why" }, refused.text), clause(refused.clause),
    h("p", { class: "soft" }, refused.what ? t("Not done: {what}", { what: refused.what }) : null),
    h("div", { class: "two" },
      refused.offers.map((each, at) => button(each.label, () => { forgetRefusal(); return each.run(); },
        { "data-key": `offer-${at}` })),
      button(t("Close"), forgetRefusal, { class: "plain", "data-key": "forget" })),
  ];
}

// --- the one thing to do --------------------------------------------------------------------------

/** @param {StaffView} view */
const squeezes = (view) => SIDES.flatMap((side) => {
  const turn = view.passing[side];
  return turn?.asked_by ? [/** @type {const} */ ([side, turn, turn.asked_by])] : [];
});

/** @param {StaffView} view */
const isAsked = (view) => view.asks.length > 0 || view.offers.length > 0;
/** @param {StaffView} view */
const hasTask = (view) => isAsked(view) || isHalted(view) || app.choice !== null || isChanging()
  || squeezes(view).length > 0;

/** @param {StaffView} view @returns {Child} */
function waiting(view) {
  if (app.choice) return [eyebrow(t("Sure?")), confirming(app.choice, confirmChoice, takeBack)];
  if (isAsked(view)) {
    return [eyebrow(t("Waiting for you"), waitingSince(view)), panel(view),
      isChanging() && h("p", { class: "soft" }, t("Your unfinished limit changes are kept."))];
  }
  const asked = squeezes(view)[0];
  if (asked) return squeeze(...asked);
  if (isChanging()) return limitsPanel(view);
  return isHalted(view) ? stopped(view) : (aftermath(view) ?? quiet(view));
}

// Nobody is asked anything: it is put right at the device, or somebody lets play go on.
/** @param {StaffView} view */
const stopped = (view) => [eyebrow(t("The table is held"), waitingSince(view)), haltHead(view),
  h("p", { class: "why" }, haltVerb(view)), letGoOn(view)];

/** @param {string} title @param {number | null} [since] */
const eyebrow = (title, since = null) => h("header", { class: "task" }, h("h2", {}, title),
  since === null ? null : h("p", { class: "from" }, t("waiting"), h("b", {}, elapsed(since))));

/** Since when what is asked waits; where nothing is, what holds the table first. @param {StaffView} view */
const waitingSince = ({ asks, held }) => asks[0]?.since ?? held[0]?.since ?? null;

/** @param {StaffView} view */
function quiet({ prompt }) {
  return [eyebrow(t("Nothing waiting for you")),
    h("p", { class: "why" }, sentence(prompt.code, prompt.gaps, prompt.do)), clause(prompt.clause)];
}

// A player has asked to squeeze, and may with somebody's permission.
/** @param {Side} side @param {Turn} turn @param {string} player */
function squeeze(side, turn, player) {
  const who = personName(player);
  const what = t("{who} asks to squeeze the {hand} hand", { who, hand: handName(side) });
  const given = { hand: side, player };
  return [
    eyebrow(t("Waiting for you")),
    h("p", { class: "why" }, what), clause(turn.clause),
    h("div", { class: "two answers" },
      button([t("Decline"), h("small", {}, t("the dealer turns the cards"))],
        () => word("refuse_cards", given, { what }), { class: "big answer", "data-key": "decline-squeeze" }),
      turn.may_take && button([t("Permit"), h("small", {}, t("{who} turns the cards", { who }))],
        () => word("accept_cards", given, { what }), { class: "big primary answer", "data-key": "permit-squeeze" })),
  ];
}

// --- why it has stopped ---------------------------------------------------------------------------

/** @param {StaffView} view */
function status(view) {
  const { prompt } = view;
  return [
    holdList(view),
    !isHalted(view) && hasTask(view) ? [h("h2", {}, t("In progress")),
      h("p", { class: "why small" }, sentence(prompt.code, prompt.gaps, prompt.do))] : null,
    view.manual ? h("p", { class: "manual" }, t("MANUAL MODE: a card is entered or corrected by hand")) : null,
    view.close_after ? h("p", { class: "closing" }, t("The table closes after this round")) : null,
    round(view),
  ];
}

/** @param {StaffView} view */
function round(view) {
  if (!view.cards.length && !view.void) return null;
  return h("div", { class: "round" },
    h("h2", {}, t("Round {n}", { n: view.round })),
    view.void ? h("p", { class: "void" }, t("Void"), " ", clause(view.void === "void" ? null : view.void)) : null,
    SIDES.map((side) => h("div", { class: `mini ${side}` },
      h("b", {}, handName(side)), h("output", {}, view.totals[side] === null ? "–" : String(view.totals[side])),
      h("div", { class: "cards" }, view.hands[side].map((code) => card(code))),
      handled(view.handlers[side]))));
}

/** @param {string} [who] */
const handled = (who) => (who ? h("small", {}, t("Handled by {who}", { who: personName(who) })) : null);

// Which chips change hands because a settled round was corrected, or made void.
/** @param {StaffView} view */
function chips(view) {
  if (!view.chips.length) return null;
  return h("ul", { class: "differences" }, view.chips.map((each) => h("li", {},
    t(each.to === each.player ? "Pay {who} {n}" : "Take {n} back from {who}",
      { who: personName(each.player), n: money(each.amount) }), " ", clause(each.clause))));
}

onKeys((event) => {
  if (event.key === "Escape" && app.choice) takeBack();
  else if (event.key === "Escape" && isChanging()) leaveLimits();
  else if (event.key === "Enter" && event.target === document.body) press("#waits .confirming .primary");
});
