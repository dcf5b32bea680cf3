// One way to say a word to the table: at once, or chosen first and confirmed after.

import { app, least, me } from "./app.js";
import { t } from "./catalogue.js";
import { ABOUT_THE_PIN, TAKES_ROLE } from "./codes.js";
import { toast } from "./dialog.js";
import { focusKey, keyHeld } from "./dom.js";
import { Problem, speak } from "./http.js";
import { lockScreen, usable } from "./lock.js";
import { ownPin, reaches, secondPerson } from "./pin.js";
import { forgetRefusal, refused } from "./refusal.js";
import { seenAtTouch } from "./touch.js";

/** @import { Choice, Remedy, Role, Saying, Seq, Speaker, Tell } from "./types.d.ts" */

const LATE_MS = 2000;

// `role`: the least that may say it; somebody who is not high enough lets another person speak.
// `notThese`: people whose own word it is, so that another has to say it. `only`: who is asked by name
// and nobody in their place. `instead(problem)`: what to offer when it is refused. `seen`: the step it
// is said of, where that is not the one the person saw as they touched. `heard`: told the record it
// became. `quiet`: the page takes other taps meanwhile, and each counts, as chips are put down one after
// another. True when carried out.
/** @param {string} name @param {object} [given] @param {Saying} [saying] */
export async function word(name, given = {}, saying = {}) {
  if (app.stale || app.locked) return false;
  const seen = saying.seen ?? app.choice?.seen ?? seenAtTouch();
  const held = keyHeld();
  const asked = { what: name, ...saying };
  const done = await spoken(name, asked, (speaker) => told(name, given, seen, asked, speaker));
  if (done === null) return false; // nobody spoke after all
  app.choice = null;
  app.redraw();
  if (held && document.activeElement === document.body) focusKey(held);
  return done;
}

/**
 * @param {string} name
 * @param {object} given
 * @param {Seq} seen
 * @param {Saying & { what: string }} asked
 * @param {Speaker} speaker
 * @returns {Promise<boolean | Problem>}
 */
async function told(name, given, seen, asked, speaker) {
  const waits = asked.quiet ? 0 : 1;
  busy(waits);
  try {
    const seq = await carriedOut(name, given, seen, speaker, asked.quiet ? (taps += 1) : 0);
    asked.heard?.(seq);
    return true;
  } catch (error) {
    const problem = Problem.of(error);
    if (ABOUT_THE_PIN.includes(problem.code ?? "") && withPin(speaker)) return problem;
    if (problem.kind === "moved_on") await caughtUp(problem.body.seq ?? 0);
    const offer = asked.instead?.(problem) ?? higher(name, given, asked, problem);
    failed(error, { word: name, given, what: asked.what, offers: offer ? [offer].flat() : [], pin: withPin(speaker) });
    return false;
  } finally {
    busy(-waits);
  }
}

let taps = 0;

/** @param {string} name @param {object} given @param {Seq} seen @param {Speaker} speaker @param {number} nth */
async function carriedOut(name, given, seen, speaker, nth) {
  const { seq } = await speak(name, given, seen, speaker, nth);
  await caughtUp(seq);
  forgetRefusal();
  return seq;
}

// Whoever is signed in, or another person at this screen; null when nobody does after all. What others
// rely on takes the PIN of whoever is signed in as well: the console does not hear it without.
/**
 * @param {string} name
 * @param {Saying & { what: string }} asked
 * @param {Tell} tell
 * @returns {Promise<boolean | null>}
 */
async function spoken(name, asked, tell) {
  const { role, notThese = [], only = null } = asked;
  const needed = role ?? least("deal");
  if (!mayThemselves(needed, notThese, only)) return secondPerson({ ...asked, me: me(), role: needed, tell });
  if (!app.about?.in_person.includes(name)) return (await tell({})) === true;
  return ownPin({ ...asked, me: me(), tell });
}

/**
 * Whether whoever is signed in may say it, or another person has to.
 * @param {Role} needed
 * @param {string[]} [notThese]
 * @param {string | null} [only]
 */
export const mayThemselves = (needed, notThese = [], only = null) =>
  reaches(me().role, needed) && !notThese.includes(me().who) && (!only || only === me().who);

/**
 * How a word is said by whoever enters their PIN.
 * @param {string} name
 * @param {object} given
 * @param {Saying & { what: string }} asked
 * @returns {Tell}
 */
export const teller = (name, given, asked) => {
  const seen = seenAtTouch();
  return (speaker) => told(name, given, seen, asked, speaker);
};

/** @param {Speaker} speaker */
const withPin = ({ second, secret }) => Boolean(second || secret);

// While a word is on its way nothing else is pressed: what is shown is about to change.
/** @param {number} more */
function busy(more) {
  app.busy += more;
  usable();
}

// Until the page shows what a word led to, or the feed is late.
/** @param {Seq} seq */
export function caughtUp(seq) {
  if (app.seq >= seq) return null;
  const seen = new Promise((done) => app.waiting.push([seq, () => done(null)]));
  return Promise.race([seen, new Promise((late) => setTimeout(late, LATE_MS))]);
}

// The rules say it takes somebody higher: offer to let one speak at this screen.
/** @param {string} name @param {object} given @param {Saying & { what: string }} asked @param {Problem} problem */
function higher(name, given, { what, notThese = [] }, problem) {
  if (problem.code !== TAKES_ROLE) return null;
  const role = /** @type {Role} */ (problem.gaps.role);
  return { label: t("Second person"), run: () => word(name, given, { role, what, notThese }) };
}

/**
 * @typedef {{ word?: string, given?: object, what?: string, offers?: Remedy[], pin?: boolean }} Failing `pin`: one was
 * given and may have been wrong
 */

/** @param {unknown} problem @param {Failing} [more] */
export function failed(problem, { word: name = "", given = {}, what = "", offers = [], pin = false } = {}) {
  if (!(problem instanceof Problem)) {
    toast(t("Console not responding. Check the table before you try again."));
    return;
  }
  if (problem.status === 401 && !pin) location.replace(`/?next=${location.pathname}`);
  if (problem.kind === "locked" && problem.body.next?.includes("unlock")) lockScreen(true);
  const { code, gaps, clause } = problem;
  const movedOn = problem.kind === "moved_on";
  refused({
    word: name, given, what, code, gaps, clause, offers, tone: movedOn ? "note" : "bad",
    text: movedOn ? t("The table has moved on. Check again.") : problem.text,
  });
}

// --- choosing first, confirming after ------------------------------------------------------------

/** @param {Choice} choice */
export function choose(choice) {
  app.choice = { ...choice, seen: seenAtTouch() };
  app.redraw();
}

export function takeBack() {
  app.choice = null;
  app.redraw();
}

export async function confirmChoice() {
  const chosen = app.choice;
  return chosen ? word(chosen.word, chosen.given, chosen) : false;
}
