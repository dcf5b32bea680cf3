// Decisions: what is done, to which wagers, and why.

import { actButtons, inSlots } from "./acts.js";
import { app, least } from "./app.js";
import { t } from "./catalogue.js";
import { ask, foot, options } from "./dialog.js";
import { h } from "./dom.js";
import { reasons, wagersOff, wagersToTake } from "./pickers.js";
import { roleName } from "./pin.js";
import { mayThemselves, word } from "./saying.js";
import { personName } from "./sentences.js";
import { caseTitle, outcomeTitle, takenOff } from "./titles.js";
import { place } from "./wagers.js";

/** @import { Ask, Child, Done, Option, StaffView } from "./types.d.ts" */
/** @import { Step } from "./steps.js" */
/**
 * @typedef {import("./pickers.js").Reasoned & { outcome: string | null, remove: import("./pickers.js").Taken }}
 * Decision
 */

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
export function decide(view, asked) {
  const putRight = asked.ask === "put_right";
  return [
    reported(view),
    h("p", { class: "asks" }, putRight ? t("Correct the wagers, and choose those that come off.")
      : t("Decide how the round continues.")),
    actButtons(decisionActs(view, asked)),
    putRight && view.phase === "betting" && h("p", { class: "soft" },
      hasLayout() ? t("Hold a stack on the layout to raise or decrease it.")
        : t("Tap a wager in the list to raise or decrease it.")),
  ];
}

/** @param {StaffView} view @param {Ask} asked @returns {Step[]} */
export function decisionActs(view, asked) {
  const putRight = asked.ask === "put_right";
  const label = putRight ? t("Choose the wagers that come off") : t("Decide");
  return [
    { key: "decide", label, solid: inSlots() || mayThemselves(asked.role ?? least("void")),
      run: () => decideWindow(view, asked) },
    ...(putRight && takesByWindow(view) ? [{ key: "place", label: t("Place a wager"), run: () => place() }] : []),
  ];
}

// The dealer's page has the layout for it.
const hasLayout = () => document.getElementById("seats") !== null;
/** @param {StaffView} view */
const takesByWindow = (view) => !hasLayout() && app.about?.track_wagers !== false && view.phase === "betting";

const NOT_IN_PLAY = ["closed", "changing_shoe", "ready"];

/** What may change in a round that is played. @param {StaffView} view @returns {string[]} */
const changes = (view) => [
  ...(view.phase !== "betting" ? ["reconstruct"] : []),
  ...(view.wagers.some((each) => each.returned_by === null) ? ["remove"] : []),
];

/** What the table would not refuse as it stands. @param {StaffView} view @returns {string[]} */
function possible(view) {
  const round = view.case?.about?.round ?? null;
  if (round !== null && round !== view.round) return ["go_on"];
  const inPlay = view.phase !== null && !NOT_IN_PLAY.includes(view.phase);
  const open = inPlay && (view.case?.disputed ?? null) === null;
  return [
    "go_on",
    ...((inPlay || view.over) && view.void === null ? ["void"] : []),
    ...(open ? changes(view) : []),
  ];
}

const DECIDED = ["By the rulebook", "After surveillance review", "All players agree",
  "In fairness to all players"];

/** @param {StaffView} view @param {Ask} asked */
export async function decideWindow(view, asked) {
  const putRight = asked.ask === "put_right";
  const outcomes = possible(view).map((each) => /** @type {Option<string>} */ ([each, outcomeTitle(each)]));
  /** @type {Decision} */
  const state = {
    outcome: putRight ? "remove" : null, remove: new Map(), reason: null,
    // Where wagers are put right, raising or decreasing them may have been enough.
    ready: () =>
      Boolean(state.outcome && state.reason && (putRight || state.outcome !== "remove" || state.remove.size)),
  };
  await ask(caseTitle(asked.case), (/** @type {Done<Decision>} */ done, again) => [
    reported(view),
    asked.role && h("p", { class: "soft" }, t("{role} or above", { role: roleName(asked.role) })),
    !putRight && options(outcomes, state.outcome, (value) => { state.outcome = value; again(); }, "column"),
    // After the call a wager counts whole or goes back whole.
    state.outcome === "remove" && wagersToTake(view, state.remove, again, view.phase === "betting"),
    h("h3", {}, t("Reason")),
    reasons(DECIDED, state, again),
    foot(done, { label: t("Confirm"), ready: state.ready(), value: () => state }),
  ], "beside", (decided) => say(view, asked, decided));
}

/** What happened in the words of whoever saw it. @param {StaffView} view @returns {Child} */
const reported = ({ case: open }) => (open?.about?.text
  ? h("blockquote", { class: "in-words" }, open.about.text, h("footer", {}, personName(open.reported_by))) : null);

/** @param {StaffView} view @param {Ask} asked @param {Decision} decided */
async function say(view, asked, decided) {
  const { reason: text, outcome } = decided;
  if (!outcome) return false;
  const remove = outcome === "remove" ? wagersOff(decided.remove) : [];
  const given = outcome === "remove" ? { text, outcome,
    remove: remove.map(({ id, amount }) => (amount === null ? id : { id, amount })) } : { text, outcome };
  const off = remove.map((each) => takenOff(view, each)).join(", ");
  return word("decide", given, { role: asked.role, label: outcomeTitle(outcome),
    what: [`${caseTitle(asked.case)}: ${outcomeTitle(outcome)}`, off, text ? t(text) : ""].filter(Boolean)
      .join(" · ") });
}
