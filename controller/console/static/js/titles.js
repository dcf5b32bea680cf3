// What cases and decisions are called.

import { app } from "./app.js";
import { capital, isNamed, speaksEnglish, t, titled } from "./catalogue.js";
import { money, personName, wagerText } from "./sentences.js";

/** @import { Ruling, StaffView, TakenOff } from "./types.d.ts" */

// What happened, in the book's words; ours for what no book has a name for.
/** @param {string | null | undefined} id */
export function caseTitle(id) {
  const own = speaksEnglish() && app.about?.irregularities.find((each) => each.id === id)?.name;
  if (own) return capital(own);
  if (!id) return "";
  return titled(isNamed("irregularity", id) ? "irregularity" : "request", id);
}

/** @type {Record<string, string>} */
const OUTCOMES = {
  go_on: "The round continues",
  void: "Void the round",
  reconstruct: "Put the cards in drawn order",
  remove: "Wagers come off",
};

/** What a decision does. @param {string} outcome */
export const outcomeTitle = (outcome) => t(OUTCOMES[outcome] ?? outcome);

/** A wager that comes off, and how much of it. @param {StaffView} view @param {TakenOff} off */
export function takenOff(view, { id, amount }) {
  const lies = view.wagers.find((each) => each.id === id);
  if (!lies) return amount === null ? id : `${id}: ${money(amount)}`;
  return amount === null || amount === lies.amount
    ? wagerText(lies) : `${wagerText(lies)}: ${t("{n} of it", { n: money(amount) })}`;
}

/** @typedef {Pick<Ruling, "decided_by" | "approved_by" | "from_floor">} RuledBy */

/** Who decided, and who approved where somebody did. @param {RuledBy} ruled */
export function decidedBy(ruled) {
  const decided = t("decided by {who}", { who: ruler(ruled, ruled.decided_by) });
  return ruled.approved_by ? `${decided}, ${t("approved by {who}", { who: ruler(ruled, ruled.approved_by) })}`
    : decided;
}

/**
 * Somebody who ruled; whoever was not at the table is seen not to have been.
 * @param {RuledBy} ruled
 * @param {string} who
 */
export const ruler = ({ from_floor: away }, who) =>
  (away?.includes(who) ? t("{who} (from the floor)", { who: personName(who) }) : personName(who));
