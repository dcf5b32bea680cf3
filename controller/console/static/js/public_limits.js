// The limits by wager, kinds with the same range together.

import { both, bothNamed } from "./bilingual.js";
import { h } from "./dom.js";
import { coins, money } from "./sentences.js";

/** @import { Child, Limits } from "./types.d.ts" */
/** @typedef {{ kinds: string[], min: number | null, max: number | null }} Group */

const MAX_NAMED = 3;
const FIRST = ["banker", "player", "tie", "banker_pair", "player_pair"];

/** @param {Limits} set @param {string[]} wagers every kind that the table takes @returns {Group[]} */
export function grouped(set, wagers) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  const known = [...FIRST.filter((kind) => wagers.includes(kind)), ...wagers.filter((kind) => !FIRST.includes(kind))];
  for (const kind of known) {
    const { min, max } = set.wagers[kind] ?? set;
    const range = `${min} ${max}`;
    const group = groups.get(range) ?? { kinds: [], min, max };
    group.kinds.push(kind);
    groups.set(range, group);
  }
  return [...groups.values()].filter(({ min, max }) => min !== null || max !== null);
}

/** @param {Group} group @param {number} of how many groups @returns {Child} */
function nameOf({ kinds }, of) {
  if (of === 1) return both("All wagers");
  if (kinds.length === 2 && kinds.every((kind) => kind.endsWith("_pair"))) return both("Pairs");
  if (kinds.length > MAX_NAMED) return both("Other wagers");
  return kinds.map((kind, at) => [at ? " · " : null, bothNamed("wager", kind)]);
}

/** @param {Group} group @param {boolean} withCurrency */
function rangeOf({ min, max }, withCurrency) {
  const first = withCurrency ? money : coins;
  if (min === null) return `≤ ${first(max ?? 0)}`;
  return max === null ? `≥ ${first(min)}` : `${first(min)} – ${coins(max)}`;
}

/** @param {Limits | undefined} set @param {string[]} wagers @returns {HTMLElement[]} */
export function limitRows(set, wagers) {
  if (!set) return [];
  const groups = grouped(set, wagers);
  const rows = groups.map((group, at) => h("p", { class: "limit" }, h("span", {}, nameOf(group, groups.length)),
    h("b", {}, rangeOf(group, at === 0))));
  if (set.differential !== null) {
    rows.push(h("p", { class: "limit" }, h("span", {}, both("Differential")), h("b", {}, coins(set.differential))));
  }
  return rows;
}
