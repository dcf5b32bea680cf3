// Every round as it was played. The address says which: /rounds/SHOE/ROUND?filters, so that a round
// can be linked to, shared, and left with the browser's own back button.

import { app } from "./app.js";
import { t } from "./catalogue.js";
import { byId, h, redrawn } from "./dom.js";
import { get } from "./http.js";
import { everybody } from "./pin.js";
import { round } from "./round.js";
import { exportsOf, filled, filters } from "./rounds_filters.js";
import { list } from "./rounds_list.js";
import { failed } from "./saying.js";
import { start } from "./shell.js";

/** @import { Found, Irregularity, Proof, Query, Recalled, RoundKey, Summary } from "./types.d.ts" */

const PAGE = 50;
/**
 * @type {{ query: string | null, rounds: Summary[], before: string | null }} what was asked for last, and what was
 * found
 */
const found = { query: null, rounds: [], before: null };
/** @type {RoundKey | null} */
let open = null;

// The public feed tells it whether the console lives and whether the screen is locked.
start("rounds", "public", () => {}).then(begin);

async function begin() {
  if (!app.me) return;
  const [known, staff] = await Promise.all([get("/api/irregularities").catch(() => ({ irregularities: [] })),
    everybody().catch(() => [])]);
  const { irregularities } = /** @type {{ irregularities: Irregularity[] }} */ (known);
  byId("search").replaceChildren(filters(irregularities, staff, (query) => go(query, null)));
  addEventListener("popstate", show);
  await show();
}

// --- the address ----------------------------------------------------------------------------------

/** @returns {[Query, RoundKey | null]} */
function addressed() {
  const [, shoe, number] = /^\/rounds\/(\d+)\/(\d+)$/.exec(location.pathname) ?? [];
  const query = Object.fromEntries([...new URLSearchParams(location.search)].filter(([, value]) => value !== ""));
  return [query, shoe && number ? { shoe: Number(shoe), round: Number(number) } : null];
}

/** @param {Query} query @param {RoundKey | null} key */
function addressOf(query, key) {
  const asked = new URLSearchParams(query).toString();
  return `/rounds${key ? `/${key.shoe}/${key.round}` : ""}${asked ? `?${asked}` : ""}`;
}

/** @param {Query} query @param {RoundKey | null} key */
function go(query, key) {
  const wanted = addressOf(query, key);
  if (wanted !== location.pathname + location.search) history.pushState(null, "", wanted);
  return show();
}

// What the address says is what is shown.
async function show() {
  const [query, key] = addressed();
  filled(query);
  const asked = new URLSearchParams(query).toString();
  const again = key === null || found.query !== asked;
  open = key;
  document.documentElement.toggleAttribute("data-round", key !== null);
  if (key === null) closed();
  await Promise.all([again ? search(query) : listed(query), key === null ? null : opened(query, key)]);
}

// --- the list -------------------------------------------------------------------------------------

/** @param {Query} query @param {string | null} [before] */
async function search(query, before = null) {
  const asked = new URLSearchParams({ ...query, limit: String(PAGE), ...(before === null ? {} : { before }) });
  try {
    const answer = /** @type {Found} */ (await get(`/api/rounds?${asked}`));
    found.rounds = before === null ? answer.rounds : [...found.rounds, ...answer.rounds];
    found.before = answer.before;
    found.query = new URLSearchParams(query).toString();
  } catch (problem) {
    failed(problem);
    return;
  }
  exportsOf(query);
  listed(query);
}

/** @param {Query} query */
function listed(query) {
  const older = found.before;
  redrawn(byId("found"), list(found.rounds, {
    open,
    href: (key) => addressOf(query, key),
    go: (key) => go(query, key),
    older: older === null ? null : () => search(query, older),
  }));
}

// --- one round ------------------------------------------------------------------------------------

function closed() {
  byId("round").replaceChildren();
  document.title = `${t("Rounds")} · Sabot`;
}

/** @param {Query} query @param {RoundKey} key */
async function opened(query, key) {
  const where = `/api/rounds/${key.shoe}/${key.round}`;
  try {
    const [recalled, proof] = /** @type {[Recalled, Proof]} */ (await Promise.all([get(where), get(`${where}/proof`)]));
    if (open?.shoe !== key.shoe || open.round !== key.round) return; // somebody has gone on since
    byId("round").replaceChildren(...round(recalled, proof, {
      list: addressOf(query, null),
      href: addressOf({}, key),
      beside: (by) => beside(key, by, query),
      go: (to) => go(query, to),
    }));
    document.title = `${t("Shoe {s}, round {n}", { s: key.shoe, n: key.round })} · Sabot`;
    byId("round").scrollTop = 0;
  } catch (problem) {
    failed(problem);
    byId("round").replaceChildren(h("p", {}, t("This round cannot be shown.")),
      h("a", { href: addressOf(query, null) }, t("To the list")));
  }
}

// The round before or after in what was found.
/** @param {RoundKey} key @param {number} by @param {Query} query */
function beside(key, by, query) {
  const at = found.rounds.findIndex((each) => each.shoe === key.shoe && each.round === key.round);
  const other = at < 0 ? undefined : found.rounds[at - by];
  return other ? { key: { shoe: other.shoe, round: other.round }, href: addressOf(query, other) } : null;
}
