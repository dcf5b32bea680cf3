// One way to say a word to the table: at once, or chosen first and confirmed after.

import { app, least, me } from "./app.js";
import { t } from "./catalogue.js";
import { TAKES_ROLE } from "./codes.js";
import { toast } from "./dialog.js";
import { focusKey, keyHeld } from "./dom.js";
import { post, Problem, speak } from "./http.js";
import { lockScreen, usable } from "./lock.js";
import { ownPin, reaches, secondPerson } from "./pin.js";

/** @import { Choice, Remedy, Role, Saying, Second, Seq } from "./types.d.ts" */

const LATE_MS = 2000;

// `role`: the least that may say it; somebody who is not high enough lets another person speak.
// `notThese`: people whose own word it is, so that another has to say it. `instead(problem)`: what to
// offer when it is refused. `pin`: not without the speaker's own PIN. True when carried out.
/** @param {string} name @param {object} [given] @param {Saying} [saying] */
export async function word(name, given = {}, saying = {}) {
  if (app.stale || app.locked) return false;
  const seen = app.choice?.seen ?? app.seq;
  const asked = { what: name, ...saying };
  const speaker = await whoSpeaks(asked);
  if (!speaker) return false;
  const held = keyHeld();
  busy(1);
  try {
    return await carriedOut(name, given, seen, speaker.other);
  } catch (error) {
    const problem = Problem.of(error);
    if (problem.kind === "moved_on") await caughtUp(problem.body.seq ?? 0);
    failed(error, asked.instead?.(problem) ?? higher(name, given, asked, problem), speaker.other !== null);
    return false;
  } finally {
    app.choice = null;
    busy(-1);
    app.redraw();
    if (held && document.activeElement === document.body) focusKey(held);
  }
}

/** @param {string} name @param {object} given @param {Seq} seen @param {Second | null} other */
async function carriedOut(name, given, seen, other) {
  await caughtUp((await speak(name, given, seen, other)).seq);
  document.getElementById("toasts")?.replaceChildren(); // what was refused before is settled now
  return true;
}

// Whoever is signed in, or another person at this screen; null when nobody does after all.
/** @param {Saying & { what: string }} asked @returns {Promise<{ other: Second | null } | null>} */
async function whoSpeaks({ role, what, notThese = [], second = null, pin = false }) {
  const needed = role ?? least("deal");
  if (second) return { other: second };
  if (!reaches(me().role, needed) || notThese.includes(me().who)) {
    const other = await secondPerson({ me: me(), role: needed, what, notThese });
    return other && { other };
  }
  return pin && !(await sure(what)) ? null : { other: null };
}

// Approvals and decisions take the PIN of whoever is signed in as well.
/** @param {string} what */
async function sure(what) {
  const secret = await ownPin({ me: me(), what });
  if (!secret) return false;
  try {
    await post("/api/unlock", { secret });
    return true;
  } catch (problem) {
    failed(problem, null, true);
    return false;
  }
}

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
  const needed = /** @type {Role} */ (problem.gaps.role);
  const run = async () => {
    const second = await secondPerson({ me: me(), role: needed, what, notThese });
    if (second) await word(name, given, { role: needed, what, notThese, second });
  };
  return { label: t("Second person"), run };
}

/** @param {unknown} problem @param {Remedy | null} [offer] @param {boolean} [other] somebody else spoke */
export function failed(problem, offer = null, other = false) {
  if (!(problem instanceof Problem)) {
    toast(t("The console does not answer. Look at the table before you try again."));
    return;
  }
  if (problem.status === 401 && !other) location.replace(`/?next=${location.pathname}`);
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
