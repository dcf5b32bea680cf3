// Signing in at the floor: name, PIN and the code of an authenticator. A demonstration shows tiles.

import { t } from "/static/js/catalogue.js";
import { byId, h } from "/static/js/dom.js";
import { get, post, Problem } from "/static/js/http.js";
import { chooseHere, languages, load, remember, remembered } from "/static/js/language.js";
import { codeField, pad, tile, wrong } from "/static/js/pin.js";

/** @import { FloorStaff } from "./types.d.ts" */
/** @import { Person } from "/static/js/types.d.ts" */

/** @type {Person | null} */
let chosen = null;

async function begin() {
  await load(remembered());
  const select = /** @type {HTMLSelectElement} */ (byId("language"));
  select.append(...(await languages()).map((each) =>
    h("option", { value: each.id, selected: each.id === document.documentElement.lang }, each.name)));
  select.addEventListener("change", () => { remember(select.value); chooseHere(select.value); location.reload(); });
  const found = /** @type {FloorStaff} */ (await get("/api/staff"));
  byId("table-name").textContent = found.title;
  if (found.demo) people(found);
  else typed();
}

// Nobody is shown who works here.
function typed() {
  const name = h("input", { type: "text", autocomplete: "username", autocapitalize: "none", maxlength: "64",
    class: "secret", placeholder: t("Name"), "aria-label": t("Name"), id: "name" });
  const code = codeField();
  byId("people").replaceChildren(h("p", { class: "hint" },
    t("Enter your name, your authenticator code, then your PIN.")), name, code);
  byId("enter").replaceChildren(pad((secret) => signIn({ who: name.value.trim(), secret, code: code.value })));
  name.focus();
}

/** @param {FloorStaff} found */
function people(found) {
  const staff = /** @type {Person[]} */ (/** @type {unknown} */ (found.staff));
  byId("people")
    .replaceChildren(...staff.map((person) =>
      tile(person, (one) => { chosen = one; people(found); }, chosen === person)));
  if (!chosen) {
    byId("enter").replaceChildren(h("p", { class: "hint" }, t("Tap your name, then enter your PIN.")));
    return;
  }
  const { who, name, secret } = chosen;
  byId("enter").replaceChildren(h("h2", {}, name),
    h("p", { class: "demo-pin" }, t("Demonstration PIN"), " ", h("b", {}, secret ?? "")),
    pad((pin) => signIn({ who, secret: pin })));
  byId("enter").querySelector("input")?.focus();
}

/** What was wrong, if anything was. @param {{ who: string, secret: string, code?: string }} given */
async function signIn(given) {
  try {
    await post("/api/sign-in", given);
    const next = new URLSearchParams(location.search).get("next") ?? "";
    location.replace(/^\/[a-z]+(\/[a-z0-9-]+)?$/.test(next) ? next : "/floor");
    return null;
  } catch (error) {
    return wrong(Problem.of(error).text);
  }
}

begin();
