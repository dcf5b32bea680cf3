// Signing in: a tile with one's name, then the PIN.

import { t } from "./catalogue.js";
import { byId, h, must, nodes } from "./dom.js";
import { get, post, Problem } from "./http.js";
import { languages, load, remember, remembered } from "./language.js";
import { showMode } from "./mode.js";
import { demoPin, pad, tile } from "./pin.js";

/** @import { Me, Person, Staff } from "./types.d.ts" */

/** @type {Person[]} */
let staff = [];
/** @type {Person | null} */
let chosen = null;

async function begin() {
  await load(remembered());
  const choices = await languages();
  const select = /** @type {HTMLSelectElement} */ (byId("language"));
  select.append(...choices.map((each) => h("option", { value: each.id, selected: each.id === document.documentElement.lang }, each.name)));
  select.addEventListener("change", () => { remember(select.value); location.reload(); });
  await people();
}

async function people() {
  try {
    const found = /** @type {Staff} */ (await get("/api/staff"));
    staff = found.staff;
    showMode(found);
  } catch {
    byId("says").textContent = t("The console does not answer");
    return;
  }
  if (!staff.length) byId("says").textContent = t("There is no account yet: on the table PC run “sabot staff add”.");
  draw();
}

function draw() {
  byId("people").replaceChildren(...staff.map((person) => tile(person, (one) => { chosen = one; byId("says").textContent = ""; draw(); }, chosen === person)));
  byId("enter").replaceChildren(...(chosen ? nodes([h("h2", {}, chosen.name), demoPin(chosen), pad(signIn, t("PIN of {name}", { name: chosen.name }))]) : []));
  byId("enter").querySelector("input")?.focus();
}

/** @param {string} secret */
async function signIn(secret) {
  try {
    const me = /** @type {Me} */ (await post("/api/sign-in", { who: must(chosen).who, secret }));
    location.replace(goTo(me));
  } catch (error) {
    const problem = Problem.of(error);
    byId("says").textContent = problem.text;
    if (problem.kind === "locked") await people();
    byId("enter").querySelector("input")?.focus();
  }
}

// Where the person was, if that is a page of ours; else where their work is.
/** @param {Me} me */
function goTo(me) {
  const next = new URLSearchParams(location.search).get("next") ?? "";
  if (/^\/(dealer|pit|rounds)$/.test(next) && (next === "/rounds" || me.feeds.includes(next.slice(1)))) return next;
  if (me.role === "surveillance") return "/rounds";
  return me.role === "dealer" ? "/dealer" : "/pit";
}

begin();
