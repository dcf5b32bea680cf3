// What follows from an answer, before it is given: what an approval does to which wagers and cards,
// and what a refusal leads to.

import { app } from "./app.js";
import { capital, t, titled } from "./catalogue.js";
import { h } from "./dom.js";
import { roleName } from "./pin.js";
import { money, personName, sentence } from "./sentences.js";
import { clause } from "./shell.js";
import { icon } from "./signs.js";

/** @import { Ask, Child, Lead, Request, StaffView } from "./types.d.ts" */
/** @typedef {[sign: string, text: string]} Follows */

/** @param {Follows[]} list @returns {Child} */
export const followsList = (list) => h("ul", { class: "follows" },
  list.map(([picture, text]) => h("li", {}, icon(picture), h("span", {}, text))));

/** What happens when it is approved. @param {StaffView} view @param {Request | null} request @returns {Follows[]} */
export function ifApproved(view, request) {
  return [...(request ? ofRequest(view, request) : ofCase(view)), ["correct", t("Recorded with both names")]];
}

/** @param {StaffView} view @returns {Follows[]} */
function ofCase(view) {
  const open = view.case;
  switch (open?.approves) {
    case "void": return voided(view);
    case "entered_card": return [["cut", t("Card {n} counts as entered", { n: open.entered?.n ?? "" })],
      ["warn", t("The display shows that a card was entered by hand")]];
    case "moved_card": return [["cut", t("Exposed cards move to the other hand")],
      ["arrow", t("The round continues with these cards")]];
    case "doubt": return [["cut", t("These cards decide no wager until corrected")],
      ["back", t("Players may withdraw wagers")]];
    case "strike": return [["back", t("These wagers do not count: return them")]];
    case "decision": return decided(view, open.decision?.outcome ?? "go_on");
    default: return [];
  }
}

/** @param {StaffView} view @param {string} outcome @returns {Follows[]} */
function decided(view, outcome) {
  if (outcome === "void") return voided(view);
  if (outcome === "remove") return [["back", t("These wagers come off; the round continues")]];
  if (outcome === "reconstruct") return [["cut", t("Cards put in drawn order")]];
  return [["arrow", t("The round continues unchanged")]];
}

/** @param {StaffView} view @returns {Follows[]} */
function voided(view) {
  const lying = view.wagers.filter((each) => each.returned_by === null);
  const whose = new Set(lying.map((each) => each.player)).size;
  const sum = money(lying.reduce((all, each) => all + each.amount, 0));
  /** @type {Follows[]} */
  const found = [["refused", t("Round {n} is cancelled", { n: view.round })]];
  if (app.about?.track_wagers === false) found.unshift(["back", t("All wagers returned")]);
  else if (whose) {
    found.unshift(["back", whose === 1 ? t("Return {amount} to one player", { amount: sum })
      : t("Return {amount} to {n} players", { amount: sum, n: whose })]);
  }
  if (view.cards.length) {
    found.push(["cut", view.cards.length === 1
      ? t("1 card out of play") : t("{n} cards out of play", { n: view.cards.length })]);
  }
  return found;
}

/** @param {StaffView} view @param {Request} request @returns {Follows[]} */
function ofRequest(view, request) {
  switch (request.given.type) {
    case "correct": return [view.over ? ["arrow",
      t("Settle the round again: pay or collect the difference")]
        : ["arrow", t("The hand counts with the corrected card")]];
    case "load_shoe": return [["cut", t("The cards in use leave the table")]];
    case "vouch_for_shoe": return [["cut", t("The shoe may be dealt")]];
    case "count": return [["cut", t("This count applies")]];
    case "first_card": return [["cut", t("Its value sets the number of cards to burn")]];
    case "swap_device": return [["arrow", t("Cards of the new unit count from now on")]];
    case "deck_set": return [["cut", request.given.stage === "destroyed"
      ? t("The set is out of play for good") : t("The set may be loaded")]];
    case "reconcile": return [["cut",
      t("The set is checked against this count; an incomplete set is not loaded again")]];
    default: return goesOn(request.what);
  }
}

/** Play goes on in another way. @param {string} what @returns {Follows[]} */
function goesOn(what) {
  switch (what) {
    case "deal_by_hand": return [["arrow", t("Staff enter the cards, the display shows it, and a count is asked")]];
    case "use_shoe": return [["arrow", t("The shoe reads the cards, and a count is asked")]];
    case "announce": return [["arrow", t("The outcome is announced")]];
    case "resume": return [["arrow", t("The round continues unchanged")]];
    case "close_betting": return [["arrow", t("Betting closes with the wagers on the layout")]];
    case "journal_loss": return [["warn", t("Play resumes without the missing records")]];
    default: return [];
  }
}

// --- what yes and no each lead to ------------------------------------------------------------------

/** What stands on the button. @param {Ask} asked @param {"yes" | "no"} answer */
export function leadNote(asked, answer) {
  const lead = asked.leads?.[answer];
  if (!lead && asked.case === "restarted") {
    return answer === "yes" ? t("apply the power-failure rule") : t("play continues");
  }
  if (!lead) return undefined;
  if (lead.asks) return t("one more question");
  if (lead.decides) return t("{role} decides", { role: roleName(lead.decides) });
  if (lead.steps.some((each) => each.startsWith("void"))) return t("request void");
  if (lead.steps.some((each) => each.startsWith("offer"))) return t("offer withdrawal");
  return lead.steps.some((each) => STAYS.includes(each)) ? t("play continues") : undefined;
}

const STAYS = ["go_on", "stands", "no_effect", "refuse", "as_they_lie", "reconstruct"];

/** @param {Ask} asked @returns {Child} */
export function leadsOf(asked) {
  const { leads } = asked;
  if (!leads) return null;
  return h("div", { class: "leads" }, h("h3", {}, t("What follows")),
    leadOf("Y", t("Yes"), leads.yes), leadOf("N", t("No"), leads.no));
}

/** @param {string} key @param {string} answer @param {Lead} lead */
const leadOf = (key, answer, lead) => h("div", { class: "answer-leads" }, h("kbd", { "aria-hidden": "true" }, key),
  h("div", {}, h("p", {}, h("b", {}, answer), " ", clause(lead.clause)), leadText(lead)));

/** @param {Lead} lead @returns {Child} */
function leadText(lead) {
  if (lead.asks) {
    const asks = sentence(lead.asks.code, lead.asks.gaps, lead.asks.text);
    return h("p", {}, t("One more question: {asks}", { asks }));
  }
  if (lead.decides) return h("p", {}, t("{role} decides", { role: capital(roleName(lead.decides)) }));
  return h("ul", {}, lead.steps.map((each) => h("li", {}, titled("step", each))));
}

/** What happens when it is refused. @param {StaffView} view @param {Request | null} request */
export function ifRefused(view, request) {
  if (request) return t("Nothing changes; {who} may request again", { who: personName(request.by) });
  if (view.case?.approves === "entered_card") return t("The card is entered again");
  const role = app.about?.uncovered?.role;
  return role ? t("{role} then decides", { role: roleName(role) }) : t("The table stays stopped");
}
