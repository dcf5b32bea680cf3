// The guided first round and first void: which step is next, by what the table and the shoe show. It
// only looks on: nothing here says a word to the table.

import { t } from "./catalogue.js";

/** @import { PlayPhase, StaffView } from "./types.d.ts" */
/** What the coach looks at: the table as the dealer sees it, and the shoe's own idea of its round. */
/** @typedef {{ view: StaffView, phase: string | null }} Seen */
/** @typedef {"dealer" | "shoe" | "guests"} Where */
/**
 * @typedef {{ id: string, part: "round" | "void", where: Where, says: () => string, hint: () => string, done: (seen:
 * Seen) => boolean }} Step
 */

/** @type {PlayPhase[]} */
const BETWEEN = ["closed", "changing_shoe", "ready"];
/** @type {PlayPhase[]} */
const DEALT = ["revealing", "players_third", "bankers_third", "outcome", "settling"];

/** @param {Seen} seen */
const phase = ({ view }) => view.phase ?? /** @type {PlayPhase} */ (view.state);
/** @param {Seen} seen */
const isOpen = (seen) => !BETWEEN.includes(phase(seen));
/** @param {Seen} seen */
const isHeld = ({ view }) => view.state === "halted" || view.state === "suspended";
/** @param {Seen} seen */
const cards = ({ view }) => view.hands.player.length + view.hands.banker.length;

/** @type {Step[]} */
export const STEPS = [
  {
    id: "load", part: "round", where: "dealer",
    says: () => t("Load a shoe"), hint: () => t("A second person vouches for the cards: Ben, PIN 2222."),
    done: (seen) => !["closed", "changing_shoe"].includes(phase(seen)),
  },
  {
    id: "open", part: "round", where: "dealer",
    says: () => t("Open betting"), hint: () => t("Tap the big button. Say aloud the words above it."),
    done: isOpen,
  },
  {
    id: "wager", part: "round", where: "dealer",
    says: () => t("Place a wager"), hint: () => t("Tap a seat, a wager, a chip. Or skip this."),
    done: ({ view, ...rest }) => view.wagers.length > 0 || (isOpen({ view, ...rest }) && view.state !== "betting"),
  },
  {
    id: "close", part: "round", where: "dealer",
    says: () => t("No more bets"), hint: () => t("Now cards may be drawn from the shoe."),
    done: (seen) => isOpen(seen) && phase(seen) !== "betting",
  },
  {
    id: "draw", part: "round", where: "shoe",
    says: () => t("Draw four cards"), hint: () =>
      t("Draw next, four times. The shoe reads each card to the table."),
    done: (seen) => DEALT.includes(phase(seen)),
  },
  {
    id: "third", part: "round", where: "shoe",
    says: () => t("Draw third cards if required"),
    hint: () => t("The dealer's page shows who draws and why."),
    done: (seen) => ["outcome", "settling"].includes(phase(seen)),
  },
  {
    id: "announce", part: "round", where: "dealer",
    says: () => t("Announce the outcome"), hint: () =>
      t("Say the words on the screen. Guests see the outcome on the display."),
    done: (seen) => phase(seen) === "settling",
  },
  {
    id: "pay", part: "round", where: "dealer",
    says: () => t("Collect and pay"), hint: () =>
      t("Each seat's payout is shown, with its clause."),
    done: (seen) => !isOpen(seen),
  },
  {
    id: "again", part: "void", where: "dealer",
    says: () => t("Now something goes wrong: open betting, then close it"),
    hint: () => t("That was a full round. The next one goes wrong on purpose."),
    done: (seen) => phase(seen) === "dealing",
  },
  {
    id: "two", part: "void", where: "shoe",
    says: () => t("Draw two at once"), hint: () => t("The shoe noticed nothing. You did."),
    done: (seen) => cards(seen) > 1 || isHeld(seen),
  },
  {
    id: "report", part: "void", where: "dealer",
    says: () => t("Report it: something is wrong"), hint: () => t("Two or more cards drawn at once. The table stops."),
    done: isHeld,
  },
  {
    id: "answer", part: "void", where: "dealer",
    says: () => t("Answer the question"), hint: () => t("Tap No: the order is not known."),
    done: ({ view, ...rest }) => !isHeld({ view, ...rest }) || view.asks.some((each) => each.ask === "approve"),
  },
  {
    id: "approve", part: "void", where: "dealer",
    says: () => t("A supervisor approves"),
    hint: () => t("Ben, PIN 2222, at the same screen. A void needs two people."),
    done: (seen) => !isHeld(seen),
  },
  {
    id: "exit", part: "void", where: "shoe",
    says: () => t("Press forced exit on the shoe"), hint: () => t("The round is void: close it at the shoe too."),
    done: ({ phase: own }) => own !== "dealing",
  },
];

/** Where a step that cannot be done any more sends the newcomer back to. */
/** @type {Record<string, string>} */
const BACK = { draw: "open", third: "open", announce: "open", two: "again", report: "again" };

/** How far it has gone: the number of the first step that is not done. @param {number} at @param {Seen} seen */
export function advanced(at, seen) {
  let next = at;
  const lost = BACK[STEPS[next]?.id ?? ""];
  if (lost && !isOpen(seen)) next = STEPS.findIndex((each) => each.id === lost);
  while (STEPS[next]?.done(seen)) next += 1;
  return next;
}

/** @type {Step} */
const DETOUR = {
  id: "detour", part: "void", where: "dealer",
  says: () => t("Table stopped: follow the dealer's page"),
  hint: () => t("It shows who can clear it, and the clause."),
  done: () => false,
};

/** @type {Step} */
const CLEARING = {
  id: "clearing", part: "void", where: "dealer",
  says: () => t("Round void: clear the layout first"),
  hint: () => t("The dealer's page has the list. Betting opens once the list is done."),
  done: () => false,
};

/** @type {Step} */
const TURNING = {
  id: "turning", part: "round", where: "dealer",
  says: () => t("Pass the hands, then turn them"),
  hint: () => t("Cards stay face down until the hand is turned; no screen shows them before."),
  done: () => false,
};

/** Method A and C: nothing is drawn while cards lie face down. @param {Seen} seen */
const liesSealed = ({ view }) => [...view.hands.player, ...view.hands.banker].includes(null);

/** What the last round leaves to be done before betting opens: a void that nobody planned. @param {Seen} seen */
function leftOver({ view }) {
  if (view.left_at_shoe?.to_be_ended) return STEPS.find((each) => each.id === "exit");
  return view.void !== null && view.over ? CLEARING : undefined;
}

/** What to do now; nothing when the guide is over. @param {number} at @param {Seen | null} seen */
export function stepNow(at, seen) {
  const step = STEPS[at];
  if (!step || !seen) return step;
  if (isHeld(seen)) return ["report", "answer", "approve"].includes(step.id) ? step : DETOUR;
  if (step.id === "third" && liesSealed(seen)) return TURNING;
  return (["open", "again"].includes(step.id) && !isOpen(seen) && leftOver(seen)) || step;
}
