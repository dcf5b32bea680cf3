// Signing in: a tile with one's name, then the PIN.

import { t } from "./catalogue.js";
import { byId, h, must, nodes } from "./dom.js";
import { get, post, Problem } from "./http.js";
import { languages, load, remember, remembered } from "./language.js";
import { showMode } from "./mode.js";
import { codeField, demoPin, pad, tile, wrong } from "./pin.js";

/** @import { Me, Person, Staff } from "./types.d.ts" */

/** @type {Person[]} */
let staff = [];
/** @type {Person | null} */
let chosen = null;
let atTable = true;

async function begin() {
  await load(remembered());
  const choices = await languages();
  const select = /** @type {HTMLSelectElement} */ (byId("language"));
  select.append(...choices.map((each) => h("option",
    { value: each.id, selected: each.id === document.documentElement.lang }, each.name)));
  select.addEventListener("change", () => { remember(select.value); location.reload(); });
  await enrol();
  await people();
}

// The link of a kiosk was opened: this browser counts as the table from now on.
async function enrol() {
  const [, token] = /^#kiosk=([0-9a-f]+)$/.exec(location.hash) ?? [];
  if (!token) return;
  history.replaceState(null, "", "/");
  try {
    await post("/api/kiosk", { token });
  } catch (error) {
    byId("says").textContent = Problem.of(error).text;
  }
}

async function people() {
  try {
    const found = /** @type {Staff} */ (await get("/api/staff"));
    staff = found.staff;
    atTable = found.at_table !== false;
    showMode(found);
    byId("table-name").textContent = found.table ?? "";
  } catch {
    byId("says").textContent = t("Console not responding");
    return;
  }
  if (!staff.length && atTable) {
    byId("says").textContent = t("No account yet: run “sabot staff add” on the table PC.");
  }
  draw();
}

// Away from the table nobody is shown who works here: name, PIN and code are typed.
function drawElsewhere() {
  const name = h("input", { type: "text", autocomplete: "username", autocapitalize: "none", maxlength: "64",
    class: "secret", placeholder: t("Name"), "aria-label": t("Name"), id: "name" });
  const code = codeField();
  byId("people").replaceChildren(h("p", { class: "hint" },
    t("Away from the table, enter your name, PIN and authenticator code.")), name, code);
  byId("enter").replaceChildren(pad((secret) => signIn({ who: name.value.trim(), secret, code: code.value })));
  name.focus();
}

function draw() {
  if (!atTable) {
    drawElsewhere();
    return;
  }
  byId("people")
    .replaceChildren(...staff.map((person) =>
      tile(person, (one) => { chosen = one; byId("says").textContent = ""; draw(); }, chosen === person)));
  byId("enter")
    .replaceChildren(...(chosen
      ? nodes([h("h2", {}, chosen.name), demoPin(chosen),
        pad((secret) => signIn({ who: must(chosen).who, secret }), t("PIN of {name}", { name: chosen.name }))])
          : [h("p", { class: "hint" }, t("Tap your name, then enter your PIN."))]));
  byId("enter").querySelector("input")?.focus();
}

/** What was wrong, if anything was. @param {{ who: string, secret: string, code?: string }} given */
async function signIn(given) {
  byId("says").textContent = "";
  try {
    const me = /** @type {Me} */ (await post("/api/sign-in", given));
    location.replace(goTo(me));
    return null;
  } catch (error) {
    const problem = Problem.of(error);
    if (problem.kind !== "locked" || !atTable) return wrong(problem.text);
    byId("says").textContent = problem.text;
    chosen = null;
    await people();
    return null;
  }
}

// Where the person was, if that is a page of ours; else where their work is.
/** @param {Me} me */
function goTo(me) {
  const next = new URLSearchParams(location.search).get("next") ?? "";
  const [, page] = /^\/(dealer|pit|rounds|report)(?:\/\d+\/\d+)?(?:\?[^#]*)?$/.exec(next) ?? [];
  const seenBy = page === "report" ? "pit" : page;
  if (seenBy && (seenBy === "rounds" || me.feeds.includes(seenBy))) return next;
  if (me.role === "surveillance") return "/rounds";
  return me.role === "dealer" ? "/dealer" : "/pit";
}

begin();
