// Signing in: a tile with one's name, then the PIN.

import { byId, h } from "./dom.js";
import { get, post } from "./http.js";
import { showMode } from "./mode.js";
import { demoPin, pad, tile } from "./pin.js";
import { languages, load, remember, remembered, say, t } from "./words.js";

let staff = [];
let chosen = null;

async function begin() {
  await load(remembered());
  const choices = await languages();
  const select = byId("language");
  select.append(...choices.map((each) => h("option", { value: each.id, selected: each.id === document.documentElement.lang }, each.name)));
  select.addEventListener("change", () => { remember(select.value); location.reload(); });
  await people();
}

async function people() {
  try {
    const found = await get("/api/staff");
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
  byId("enter").replaceChildren(...(chosen ? [h("h2", {}, chosen.name), demoPin(chosen), pad(signIn, t("PIN of {name}", { name: chosen.name }))].filter(Boolean) : []));
  byId("enter").querySelector("input")?.focus();
}

async function signIn(secret) {
  try {
    const me = await post("/api/sign-in", { who: chosen.who, secret });
    location.replace(goTo(me));
  } catch (problem) {
    byId("says").textContent = say(problem.message);
    if (problem.kind === "locked") await people();
    byId("enter").querySelector("input")?.focus();
  }
}

// Where the person was, if that is a page of ours; else where their work is.
function goTo(me) {
  const next = new URLSearchParams(location.search).get("next") ?? "";
  if (/^\/(dealer|pit|rounds)$/.test(next) && (next === "/rounds" || me.feeds.includes(next.slice(1)))) return next;
  if (me.role === "surveillance") return "/rounds";
  return me.role === "dealer" ? "/dealer" : "/pit";
}

begin();
