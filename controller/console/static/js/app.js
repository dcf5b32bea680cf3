// What a page of staff knows: who is signed in, the table as it is shown, what is chosen.

import { must } from "./dom.js";

/** @import { Choice, Me, Refusal, Role, Seq, Setup, StaffView } from "./types.d.ts" */

export const app = {
  /** @type {Me | null} */
  me: null,
  /** @type {StaffView | null} */
  view: null,
  seq: 0,
  /** How far this clock is ahead of the table's, in seconds. */
  skew: 0,
  stale: true,
  locked: false,
  /** @type {Setup | null} */
  about: null,
  /** @type {Record<string, string>} */
  clauses: {},
  /** @type {Choice | null} */
  choice: null,
  /** What was refused last, until it is settled. @type {Refusal | null} */
  refusal: null,
  busy: 0,
  /** @type {[Seq, () => void][]} */
  waiting: [],
  redraw: () => {},
};

/** The table as this page shows it, once it shows one. */
export const shown = () => must(app.view);

/** The least role for an act, by the table's own rows; while they are not known the table judges.
 * @param {string} act @returns {Role} */
export const least = (act) => app.about?.approvals[act]?.role ?? "dealer";

/** Who is signed in. */
export const me = () => must(app.me);
