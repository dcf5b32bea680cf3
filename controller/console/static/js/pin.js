// PINs: a pad for gloves, a field for keyboards and passwords, and the second person at the screen.

import { app } from "./app.js";
import { t, titled } from "./catalogue.js";
import { ask } from "./dialog.js";
import { button, h } from "./dom.js";
import { get } from "./http.js";
import { usePeople } from "./sentences.js";

/** @import { Done, Me, Person, Role, Second, Staff } from "./types.d.ts" */

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
/** @param {{ me: Me, what: string }} asked */
export async function ownPin({ me, what }) {
  const staff = await everybody();
  return ask(t("Your PIN"), (/** @type {Done<string>} */ done) => [
    h("p", { class: "lead" }, what),
    demoPin(staff.find((each) => each.who === me.who)),
    pad(done, t("PIN of {name}", { name: me.name })),
  ], "second");
}

// Another person speaks at this screen: who, and their PIN. Null when nobody does.
/**
 * @param {{ me: Me, role: Role, what: string, notThese?: string[] }} asked
 * @returns {Promise<Second | null>}
 */
export async function secondPerson({ me, role, what, notThese = [] }) {
  const staff = await everybody();
  const may = staff.filter((each) => each.who !== me.who && !notThese.includes(each.who) && reaches(each.role, role));
  /** @type {Person | null} */
  let chosen = (may.length === 1 && may[0]) || null;
  return ask(t("Second person"), (/** @type {Done<Second>} */ done, again) => [
    h("p", { class: "lead" }, what),
    h("p", { class: "soft" }, t("{role} or above", { role: roleName(role) })),
    may.length === 0 && h("p", { class: "warn" }, t("Nobody else may do this: ask for an account.")),
    h("div", { class: "tiles" }, may.map((person) => tile(person, (who) => { chosen = who; again(); document.getElementById("secret")?.focus(); }, chosen === person))),
    demoPin(chosen),
    chosen && secretOf(chosen, done),
  ], "second");
}

/** @param {Person} person @param {Done<Second>} done */
function secretOf({ who, name }, done) {
  return pad((secret) => done({ who, secret }), t("PIN of {name}", { name }));
}
