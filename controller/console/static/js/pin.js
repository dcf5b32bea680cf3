// PINs: a pad for gloves, a field for keyboards and passwords, and the second person at the screen.

import { app } from "./app.js";
import { t, titled } from "./catalogue.js";
import { ask } from "./dialog.js";
import { button, h } from "./dom.js";
import { get } from "./http.js";
import { usePeople } from "./sentences.js";

/** @import { Again, Child, Done, Me, Person, Role, Staff, Tell } from "./types.d.ts" */

/** @param {Role} role */
const height = (role) => (app.about?.ladder ?? []).findIndex((rung) => rung.includes(role));
/** @param {Role} role @param {Role} needed */
export const reaches = (role, needed) => height(role) >= height(needed);
/** @param {Role} role */
export const roleName = (role) => titled("role", role);

// A pad that calls `enter(secret)`; the field is cleared each time.
/** @param {(secret: string) => unknown} enter */
export function pad(enter, label = t("PIN")) {
  const field = h("input", {
    type: "password", inputmode: "numeric", autocomplete: "off", id: "secret", maxlength: "128", "aria-label": label, autofocus: true,
  });
  const send = () => {
    const secret = field.value;
    field.value = "";
    if (secret) enter(secret);
    else field.focus();
  };
  /** @param {string} digit */
  const press = (digit) => { field.value += digit; };
  /** @param {string} each */
  const digit = (each) => button(each, () => press(each), { class: "digit" });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      send();
    }
  });
  return h("div", { class: "pad" }, field,
    h("div", { class: "digits" }, ..."123456789".split("").map(digit),
      button("⌫", () => { field.value = field.value.slice(0, -1); }, { class: "digit plain", "aria-label": t("Delete") }),
      digit("0"),
      button("✓", send, { class: "digit primary", "aria-label": t("Enter") })));
}

/** @param {Person} person @param {(person: Person) => void} choose */
export function tile(person, choose, chosen = false) {
  return h("button", { type: "button", class: "tile", onclick: () => choose(person), "aria-pressed": String(chosen), disabled: person.locked, "data-key": person.who },
    h("span", { class: "initial", "aria-hidden": "true" }, person.name.slice(0, 1)),
    h("span", { class: "who" }, person.name, h("small", {}, person.locked ? t("locked: see a pit manager") : roleName(person.role))));
}

/** @param {Person | null | undefined} person */
export const demoPin = (person) =>
  person?.secret ? h("p", { class: "demo-pin" }, t("Demonstration PIN"), " ", h("b", {}, person.secret)) : null;

/** Everybody who can sign in, by name from now on. */
export async function everybody() {
  const { staff } = /** @type {Staff} */ (await get("/api/staff"));
  usePeople(staff);
  return staff;
}

// The person who is signed in, once more: what is approved is approved by nobody who just walked by.
/** @param {{ me: Me, what: string, tell: Tell }} asked */
export async function ownPin({ me, what, tell }) {
  const staff = await everybody();
  const entry = entering();
  return ask(t("Your PIN"), (/** @type {Done<boolean>} */ done, again) => [
    h("p", { class: "lead" }, what),
    demoPin(staff.find((each) => each.who === me.who)),
    entry(me.name, (secret) => tell({ secret }), done, again),
  ], "second");
}

// Another person speaks at this screen: who, and their PIN. Null when nobody does.
/**
 * @param {{ me: Me, role: Role, what: string, tell: Tell, notThese?: string[], only?: string | null }} asked
 * @returns {Promise<boolean | null>}
 */
export async function secondPerson({ me, role, what, tell, notThese = [], only = null }) {
  const staff = await everybody();
  const may = staff.filter((each) => each.who !== me.who && (!only || each.who === only) && !notThese.includes(each.who) && reaches(each.role, role));
  /** @type {Person | null} */
  let chosen = (may.length === 1 && may[0]) || null;
  let entry = entering();
  return ask(t("Second person"), (/** @type {Done<boolean>} */ done, again) => [
    h("p", { class: "lead" }, what),
    h("p", { class: "soft" }, t("{role} or above", { role: roleName(role) })),
    may.length === 0 && h("p", { class: "warn" }, t("Nobody else may do this: ask for an account.")),
    h("div", { class: "tiles" }, may.map((person) => tile(person, (who) => { chosen = who; entry = entering(); again(); document.getElementById("secret")?.focus(); }, chosen === person))),
    demoPin(chosen),
    chosen && secretOf(chosen, entry, tell, done, again),
  ], "second");
}

/** @param {Person} person @param {ReturnType<typeof entering>} entry @param {Tell} tell @param {Done<boolean>} done @param {Again} again */
function secretOf({ who, name }, entry, tell, done, again) {
  return entry(name, (secret) => tell({ second: { who, secret } }), done, again);
}

// A pad that stays while the PIN is wrong, and says whose was.
function entering() {
  let wrong = false;
  /** @param {string} name @param {(secret: string) => Promise<boolean | null>} say @param {Done<boolean>} done @param {Again} again @returns {Child} */
  return (name, say, done, again) => [
    wrong && h("p", { class: "warn", role: "alert" }, t("The PIN of {name} is wrong. Try again.", { name })),
    pad(async (secret) => {
      const carriedOut = await say(secret);
      wrong = carriedOut === null;
      if (wrong) again();
      else done(carriedOut);
    }, t("PIN of {name}", { name })),
  ];
}
