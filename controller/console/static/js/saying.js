// One way to say a word to the table: at once, or chosen first and confirmed after.

import { app, least, me } from "./app.js";
import { t } from "./catalogue.js";
import { TAKES_ROLE, WRONG_SECRET } from "./codes.js";
import { toast } from "./dialog.js";
import { focusKey, keyHeld } from "./dom.js";
import { Problem, speak } from "./http.js";
import { lockScreen, usable } from "./lock.js";
import { ownPin, reaches, secondPerson } from "./pin.js";

/** @import { Choice, Remedy, Role, Saying, Seq, Speaker, Tell } from "./types.d.ts" */

const LATE_MS = 2000;

// `role`: the least that may say it; somebody who is not high enough lets another person speak.
// `notThese`: people whose own word it is, so that another has to say it. `only`: who is asked by name
// and nobody in their place. `instead(problem)`: what to offer when it is refused. True when carried out.
/** @param {string} name @param {object} [given] @param {Saying} [saying] */
export async function word(name, given = {}, saying = {}) {
  if (app.stale || app.locked) return false;
  const seen = app.choice?.seen ?? app.seq;
  const held = keyHeld();
  const asked = { what: name, ...saying };
  const done = await spoken(name, asked, (speaker) => told(name, given, seen, asked, speaker));
  if (done === null) return false; // nobody spoke after all
  app.choice = null;
  app.redraw();
  if (held && document.activeElement === document.body) focusKey(held);
  return done;
}

/** @param {string} name @param {object} given @param {Seq} seen @param {Saying & { what: string }} asked @param {Speaker} speaker @returns {Promise<boolean | null>} */
async function told(name, given, seen, asked, speaker) {
  busy(1);
  try {
    return await carriedOut(name, given, seen, speaker);
  } catch (error) {
    const problem = Problem.of(error);
    if (problem.code === WRONG_SECRET && withPin(speaker)) return null;
    if (problem.kind === "moved_on") await caughtUp(problem.body.seq ?? 0);
    failed(error, asked.instead?.(problem) ?? higher(name, given, asked, problem), withPin(speaker));
    return false;
  } finally {
    busy(-1);
  }
}

/** @param {string} name @param {object} given @param {Seq} seen @param {Speaker} speaker */
async function carriedOut(name, given, seen, speaker) {
  await caughtUp((await speak(name, given, seen, speaker)).seq);
  document.getElementById("toasts")?.replaceChildren(); // what was refused before is settled now
  return true;
}

// Whoever is signed in, or another person at this screen; null when nobody does after all. What others
// rely on takes the PIN of whoever is signed in as well: the console does not hear it without.
/** @param {string} name @param {Saying & { what: string }} asked @param {Tell} tell @returns {Promise<boolean | null>} */
async function spoken(name, { role, what, notThese = [], only = null }, tell) {
  const needed = role ?? least("deal");
  if (!reaches(me().role, needed) || notThese.includes(me().who) || (only && only !== me().who)) {
    return secondPerson({ me: me(), role: needed, what, notThese, only, tell });
  }
  if (!app.about?.in_person.includes(name)) return tell({});
  return ownPin({ me: me(), what, tell });
}

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
function caughtUp(seq) {
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

/** @param {unknown} problem @param {Remedy | null} [offer] @param {boolean} [pin] one was given and may have been wrong */
export function failed(problem, offer = null, pin = false) {
  if (!(problem instanceof Problem)) {
    toast(t("The console does not answer. Look at the table before you try again."));
    return;
  }
  if (problem.status === 401 && !pin) location.replace(`/?next=${location.pathname}`);
  if (problem.kind === "locked" && problem.body.next?.includes("unlock")) lockScreen(true);
  if (problem.kind === "moved_on") {
    toast(t("The table has moved on. Look again."), { tone: "note" });
    return;
  }
  toast(problem.text, { clause: problem.clause, offer });
}

// --- choosing first, confirming after ------------------------------------------------------------

/** @param {Choice} choice */
export function choose(choice) {
  app.choice = { ...choice, seen: app.seq };
  app.redraw();
}

export function takeBack() {
  app.choice = null;
  app.redraw();
}

export async function confirmChoice() {
  const chosen = app.choice;
  if (chosen) await word(chosen.word, chosen.given, chosen);
}
