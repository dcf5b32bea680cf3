// Whom a change of the limits concerns: the wagers that lie there, or lay there last.

import { t } from "./catalogue.js";
import { money, personName, wagerName } from "./sentences.js";

/** @import { StaffView } from "./types.d.ts" */
/** @typedef {{ minimum?: number, maximum?: number, differential?: number }} Amounts 0: none */

export const DIFFERENTIAL = "differential";
const MOST = 4;

/**
 * @param {StaffView} view
 * @param {string | null} kind
 * @param {Amounts} amounts
 * @returns {{ code: string, text: string }[]}
 */
export function affected(view, kind, { minimum, maximum, differential }) {
  const own = view.limits?.wagers ?? {};
  const lying = view.wagers.filter((each) => each.returned_by === null || view.over)
    .filter((each) => (kind === null ? !(each.wager in own) : each.wager === kind));
  const found = lying.flatMap((each) => {
    const where = { who: personName(each.player), wager: wagerName(each.wager), amount: money(each.amount) };
    if (minimum && each.amount < minimum) {
      return [{ code: "minimum", text: t("{who}: {wager} {amount} below {limit}",
        { ...where, limit: money(minimum) }) }];
    }
    if (maximum && each.amount > maximum) {
      return [{ code: "maximum", text: t("{who}: {wager} {amount} above {limit}",
        { ...where, limit: money(maximum) }) }];
    }
    return [];
  });
  const all = [...apart(view, differential ?? 0), ...found];
  if (all.length <= MOST) return all;
  return [...all.slice(0, MOST), { code: "more", text: t("and {n} more", { n: all.length - MOST }) }];
}

/** @param {StaffView} view @param {number} differential */
function apart({ wagers }, differential) {
  /** @param {string} hand */
  const on = (hand) => wagers.filter((each) => each.wager === hand).reduce((sum, each) => sum + each.amount, 0);
  const by = Math.abs(on("player") - on("banker"));
  return differential && by > differential
    ? [{ code: DIFFERENTIAL, text: t("Differential {amount}, above {limit}",
      { amount: money(by), limit: money(differential) }) }] : [];
}
