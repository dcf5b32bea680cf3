// Every round as it was played: found, recalled step by step, with what was corrected and the proof.

import { app } from "./app.js";
import { card, cardName } from "./cards.js";
import { t, titled } from "./catalogue.js";
import { button, byId, clock, day, h } from "./dom.js";
import { get } from "./http.js";
import { handName } from "./pickers.js";
import { checked } from "./proof.js";
import { failed } from "./saying.js";
import { money, personName, sentence } from "./sentences.js";
import { clause, start } from "./shell.js";
import { caseTitle } from "./titles.js";

/** @import { CardCode, Child, Correction, Irregularity, Option, Proof, Recalled, Recollection, Side, StaffView, Summary } from "./types.d.ts" */

/** @type {Option<string>[]} */
const RESULTS = [["", "Any result"], ["B", "Banker"], ["P", "Player"], ["T", "Tie"], ["void", "Void"]];
/** @type {Side[]} */
const SIDES = ["player", "banker"];
/** @type {Record<string, string>} */
let query = {};
/** @type {Summary[]} */
let rounds = [];
/** @type {string | null} where older rounds begin */
let more = null;
/** @type {Summary | null} */
let shown = null;

// The public feed tells it whether the console lives and whether the screen is locked.
start("rounds", "public", () => {}).then(begin);

async function begin() {
  if (!app.me) return;
  const found = await get("/api/irregularities").catch(() => ({ irregularities: [] }));
  const { irregularities } = /** @type {{ irregularities: Irregularity[] }} */ (found);
  form(irregularities);
  await search({});
}

// --- searching ---------------------------------------------------------------------------------------

/** @param {Irregularity[]} irregularities */
function form(irregularities) {
  /** @param {string} label @param {Child} control */
  const labelled = (label, control) => h("label", {}, h("span", {}, label), control);
  /** @param {Option<string>[]} offered */
  const choices = (offered) => offered.map(([value, label]) => h("option", { value }, label));
  byId("search").replaceChildren(h("form", { onsubmit: submitted },
    labelled(t("Shoe"), h("input", { name: "shoe", inputmode: "numeric", size: "4" })),
    labelled(t("Round"), h("input", { name: "round", inputmode: "numeric", size: "5" })),
    labelled(t("From (UTC)"), h("input", { name: "since", type: "datetime-local" })),
    labelled(t("To (UTC)"), h("input", { name: "until", type: "datetime-local" })),
    labelled(t("Result"), h("select", { name: "result" }, choices(RESULTS.map(([value, label]) => [value, t(label)])))),
    labelled(t("What happened"), h("select", { name: "irregularity" }, choices([["", t("Anything")], ...irregularities.map((each) => /** @type {Option<string>} */ ([each.id, caseTitle(each.id)]))]))),
    labelled(t("Dealer"), h("input", { name: "dealer", size: "8", autocapitalize: "none" })),
    labelled(t("Reference"), h("input", { name: "ref", size: "12", autocapitalize: "none" })),
    labelled(t("Contains"), h("input", { name: "text", type: "search", size: "12" })),
    h("label", { class: "tick" }, h("input", { type: "checkbox", name: "corrected", value: "1" }), h("span", {}, t("Corrected"))),
    h("button", { class: "primary" }, t("Search")),
    h("a", { id: "csv", class: "button", href: "/api/rounds/export.csv", download: "" }, "CSV"),
    h("a", { id: "jsonl", class: "button", href: "/api/rounds/export.jsonl", download: "" }, "JSONL")));
}

/** @param {SubmitEvent & { target: HTMLFormElement }} event */
function submitted(event) {
  event.preventDefault();
  /** @type {Record<string, string>} */
  const wanted = {};
  for (const [name, value] of new FormData(event.target)) {
    if (!String(value).trim()) continue;
    wanted[name] = name === "since" || name === "until" ? String(Date.parse(`${value}Z`) / 1000) : String(value).trim();
  }
  search(wanted);
}

/** @param {Record<string, string>} wanted @param {string | null} [before] */
async function search(wanted, before = null) {
  const asked = new URLSearchParams({ ...wanted, limit: "50", ...(before === null ? {} : { before }) });
  try {
    const found = /** @type {{ rounds: Summary[], before: string | null }} */ (await get(`/api/rounds?${asked}`));
    rounds = before === null ? found.rounds : [...rounds, ...found.rounds];
    [query, more] = [wanted, found.before];
  } catch (problem) {
    failed(problem);
    return;
  }
  for (const kind of ["csv", "jsonl"]) byId(kind).setAttribute("href", `/api/rounds/export.${kind}?${new URLSearchParams(query)}`);
  list();
}

function list() {
  const older = more;
  byId("found").replaceChildren(
    h("h2", {}, t("{n} rounds", { n: rounds.length })),
    h("table", {}, h("thead", {}, h("tr", {}, ["Round", "UTC", "Dealer", "Player", "Banker", "Result"].map((each) => h("th", { scope: "col" }, t(each))))),
      h("tbody", {}, rounds.map((each) => [listed(each), noted(each)]))),
    rounds.length === 0 ? h("p", { class: "soft" }, t("No round fits.")) : "",
    older === null ? "" : button(t("Older rounds"), () => search(query, older), { class: "plain" }));
}

/** @param {Summary} each */
function listed(each) {
  const name = t("Shoe {s}, round {n}", { s: each.shoe, n: each.round });
  const chosen = shown && shown.shoe === each.shoe && shown.round === each.round;
  return h("tr", { class: chosen ? "chosen" : "" },
    h("td", {}, button(`${each.shoe}/${each.round}`, () => open(each), { class: "link", "aria-label": name, "data-key": `round-${each.round}` })),
    h("td", { title: `${day(each.began)} ${clock(each.began)}` }, clock(each.began)),
    h("td", {}, each.dealer === null ? "" : personName(each.dealer)),
    h("td", {}, faces(each.player)), h("td", {}, faces(each.banker)),
    h("td", {}, resultName(each)));
}

/** @param {(CardCode | null)[]} codes */
const faces = (codes) => h("span", { class: "faces" }, codes.map((code) => h("span", { class: code ? `suit-${code.slice(-1)}` : "", title: cardName(code) }, short(code))));
/** @type {Record<string, string>} */
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
/** @param {CardCode | null} code */
const short = (code) => (code ? `${code.slice(0, -1).replace("T", "10")}${SIGNS[code.slice(-1)]}` : "▮");

/** @type {Record<string, string>} */
const WINNERS = { B: "banker", P: "player", T: "tie" };

/** @param {Summary} each */
function resultName(each) {
  if (each.void) return h("b", { class: "void" }, t("Void"));
  const side = WINNERS[each.result?.charAt(0) ?? ""];
  return side ? h("b", { class: side }, titled("hand", side)) : t(each.over ? "–" : "in play");
}

/** @param {Summary} each */
function noted(each) {
  if (!each.corrected && !each.rulings.length && each.ref === null) return null;
  return h("tr", { class: "notes" }, h("td", { colspan: "6" },
    each.ref === null ? null : h("span", { class: "tag ref" }, each.ref),
    each.corrected ? h("span", { class: "tag" }, t("Corrected")) : null,
    each.rulings.map((ruled) => h("span", { class: "tag" }, caseTitle(ruled.id), ruled.clause ? ` § ${ruled.clause}` : ""))));
}

// --- one round ------------------------------------------------------------------------------------------

/** @param {Summary} each */
async function open(each) {
  const where = `/api/rounds/${each.shoe}/${each.round}`;
  /** @type {[Recalled, Proof]} */
  let read;
  try {
    read = /** @type {[Recalled, Proof]} */ (await Promise.all([get(where), get(`${where}/proof`)]));
  } catch (problem) {
    failed(problem);
    return;
  }
  const [found, proof] = read;
  shown = each;
  list();
  const steps = h("section", { class: "recall" });
  byId("round").replaceChildren(
    h("h2", {}, t("Shoe {s}, round {n}", { s: each.shoe, n: each.round }), " ", resultName(found.summary)),
    named(found),
    steps, corrections(found.corrections), h("section", { class: "proof" }, proofParts(proof)));
  recall(steps, found.phases, Math.max(0, found.phases.length - 1));
  byId("round").scrollIntoView({ block: "nearest" });
}

/** Whose round it is, what it is called elsewhere, and which record holds. @param {Recalled} found */
function named({ summary, superseded }) {
  const parts = [
    summary.dealer === null ? null : `${t("Dealer")}: ${personName(summary.dealer)}`,
    summary.ref === null ? null : `${t("Reference")}: ${summary.ref}`,
    superseded.length ? t("Its summary, record {n}, supersedes {was}", { n: summary.summary ?? "–", was: superseded.map((seq) => `#${seq}`).join(", ") }) : null,
  ];
  return h("p", { class: "soft named" }, parts.filter((each) => each !== null).join(" · "));
}

// Phase by phase: a slider, arrows, and the list to jump from.
/** @param {Element} place @param {Recollection[]} phases @param {number} at */
function recall(place, phases, at) {
  const phase = phases[at];
  if (!phase) return;
  /** @param {number} to */
  const go = (to) => recall(place, phases, Math.max(0, Math.min(phases.length - 1, to)));
  place.replaceChildren(
    h("h3", {}, t("Step {n} of {m}", { n: at + 1, m: phases.length })),
    h("div", { class: "stepper" },
      button("◀", () => go(at - 1), { "aria-label": t("Step back"), disabled: at === 0 }),
      h("input", { type: "range", min: "0", max: String(phases.length - 1), value: String(at), "aria-label": t("Step"), oninput: (event) => go(Number(event.target.value)) }),
      button("▶", () => go(at + 1), { "aria-label": t("Step on"), disabled: at === phases.length - 1 })),
    h("div", { class: "phase" },
      h("p", {}, h("b", {}, titled("word", phase.what)), " ", h("span", { class: "soft" }, `${clock(phase.at)} UTC · #${phase.seq} · ${personName(phase.who ?? phase.from)}`)),
      phase.accepted ? null : h("p", { class: "refused" }, t("Refused"), ": ", sentence(phase.code, phase.gaps, phase.reason), " ", clause(phase.clause)),
      phase.accepted && phase.clause ? h("p", {}, clause(phase.clause)) : null,
      phase.view ? picture(phase.view) : null),
    h("ol", { class: "phases" }, phases.map((each, place_) => h("li", { class: `${each.accepted ? "" : "refused"} ${place_ === at ? "now" : ""}` },
      button(`${clock(each.at)}  ${titled("word", each.what)}`, () => go(place_), { class: "link", "aria-current": place_ === at ? "step" : null })))));
  place.querySelector("input")?.focus({ preventScroll: true });
}

/** @param {StaffView} view */
const picture = (view) => h("div", { class: "picture" },
  SIDES.map((side) => h("div", { class: `mini ${side}` }, h("b", {}, handName(side)),
    h("output", {}, view.totals[side] === null ? "–" : String(view.totals[side])),
    h("div", { class: "cards" }, view.hands[side].map((code) => card(code))))),
  view.settlements.length ? h("ul", { class: "settled" }, view.settlements.map((each) =>
    h("li", {}, personName(each.player), " ", h("b", {}, titled("result", each.result)), " ", each.pays ? `+${money(each.pays)} ` : "", each.returned ? t("{n} back", { n: money(each.returned) }) : ""))) : null);

/** @param {Correction[]} made */
function corrections(made) {
  if (!made.length) return "";
  return h("section", { class: "corrections" }, h("h3", {}, t("Corrections")), made.map((each) => h("article", {},
    h("p", {}, t("{by} asked, {who} approved: {why}", { by: personName(each.by), who: personName(each.approved_by ?? "–"), why: t(each.reason) }), " ", h("span", { class: "soft" }, `#${each.seq}`)),
    h("div", { class: "before-after" }, h("figure", {}, h("figcaption", {}, t("before")), picture(each.before)), h("figure", {}, h("figcaption", {}, t("after")), picture(each.after))))));
}

// --- the proof ---------------------------------------------------------------------------------------------

/** @param {Proof} proof @returns {Child[]} */
function proofParts(proof) {
  /** @param {boolean} holds */
  const verdict = (holds) => h("b", { class: holds ? "holds" : "broken" }, holds ? t("holds") : t("DOES NOT HOLD"));
  const place = h("tbody", {});
  const table = h("table", {}, h("thead", {}, h("tr", {}, ["Card", "Commitment", "Salt", "Face", "Checked here"].map((each) => h("th", { scope: "col" }, t(each))))), place);
  for (const { n, commitment, salt, card: code } of proof.commitments) {
    const cell = h("td", {}, code && salt ? "…" : t("sealed"));
    place.append(h("tr", {}, h("td", {}, String(n)), h("td", {}, h("code", {}, commitment)), h("td", {}, h("code", {}, salt ?? "")), h("td", {}, short(code)), cell));
    if (code && salt) checked({ commitment, salt, card: code }).then((holds) => cell.replaceChildren(verdict(holds)));
  }
  return [
    h("h3", {}, t("Proof")),
    h("p", {}, t("Records {a} to {b} of the journal; the chain", { a: proof.first, b: proof.last }), " ", verdict(proof.chain_holds), ". ",
      t("The journal's head is record {n}.", { n: proof.head.seq })),
    h("p", {}, h("span", { class: "soft" }, t("Head")), " ", h("code", {}, proof.head.digest)),
    proof.commitments.length
      ? [h("p", { class: "soft" }, t("Each commitment is SHA-256 of “sabot card commitment 1”, a zero byte, the salt and the card's code. Your browser has worked them out again:")), table]
      : h("p", { class: "soft" }, t("No card of this round was sealed.")),
    h("details", {}, h("summary", {}, t("Records")), h("ol", { class: "records" }, proof.records.map((each) => h("li", {}, `#${each.seq} `, h("code", {}, each.digest), " ", verdict(each.fits))))),
  ];
}
