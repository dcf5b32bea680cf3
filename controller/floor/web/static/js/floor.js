// What a page of the floor knows: who is signed in, the tables as they stand.

import { t } from "/static/js/catalogue.js";
import { must } from "/static/js/dom.js";

/** @import { Counts, ExceptionRow, FloorPerson, MapTile } from "./types.d.ts" */

export const floor = {
  /** @type {FloorPerson | null} */
  me: null,
  /** @type {Map<string, MapTile>} */
  tiles: new Map(),
  /** @type {Counts | null} */
  counts: null,
  /** @type {ExceptionRow[]} */
  exceptions: [],
  /** How far this clock is ahead of the floor's, in seconds. */
  skew: 0,
  stale: true,
  /** @type {string | null} */
  storeDown: null,
};

export const me = () => must(floor.me);

/** The floor's clock. */
export const now = () => Date.now() / 1000 - floor.skew;

/** @param {string} role */
const height = (role) => me().ladder.findIndex((rung) => rung.includes(role));

/** Whether who is signed in may do one of the floor's own acts. @param {string} act */
export const may = (act) => me().may.includes(act);

/**
 * Whether who is signed in stands high enough to speak of it from here; the table itself judges.
 * @param {string | null} role
 */
export const reaches = (role) => may("speak_from_floor") && height(me().role) >= (role === null ? 0 : height(role));

const DAYS_FROM_H = 72;

/** Minutes and seconds since a time, hours where it takes them. @param {number} since */
export function elapsed(since) {
  if (!since) return t("never");
  const seconds = Math.max(0, Math.floor(now() - since));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  if (hours >= DAYS_FROM_H) return t("{n} days", { n: Math.floor(hours / 24) });
  const rest = `${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

/** An amount in a table's own money. @param {number} minor @param {{ minor_units: number }} table */
export const amount = (minor, table) =>
  (minor / 10 ** table.minor_units).toLocaleString("en-US", { maximumFractionDigits: table.minor_units });

/** Short enough for a tile: 10k. @param {number} minor @param {{ minor_units: number }} table */
export function short(minor, table) {
  const whole = minor / 10 ** table.minor_units;
  return whole >= 10_000 && whole % 1000 === 0 ? `${whole / 1000}k` : whole.toLocaleString("en-US");
}
