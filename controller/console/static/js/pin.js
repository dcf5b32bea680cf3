// PINs: a pad for gloves, a field for keyboards and passwords, and the second person at the screen.

import { app, least } from "./app.js";
import { t, titled } from "./catalogue.js";
import { ACCOUNT_LOCKED } from "./codes.js";
import { ask, oneAtATime } from "./dialog.js";
import { button, h, nodes } from "./dom.js";
import { get, Problem } from "./http.js";
import { usePeople } from "./sentences.js";

/** @import { Again, Child, Done, Me, Person, Role, Staff, Tell } from "./types.d.ts" */
/** @typedef {{ key: string, label: string, note?: string, tell: Tell, plain?: boolean }} Act */

/** @param {Role} role */
const height = (role) => (app.about?.ladder ?? []).findIndex((rung) => rung.some((each) => each === role));
/** @param {Role} role @param {Role} needed */
export const reaches = (role, needed) => height(role) >= height(needed);
/** @param {Role} role */
export const roleName = (role) => titled("role", role);

let pads = 0;

// The field, its digits, and above them one line that has its place always, so that no key moves under
// a finger: what is at stake, that a PIN is being checked, what was wrong. `last` is the key after nought.
/**
 * @param {() => unknown} enter
 * @param {string} label
 * @param {(clear: () => void) => HTMLElement} last
 * @param {Child} [before] what was said before
 */
function keys(enter, label, last, before = null) {
  const field = h("input", {
    type: "password", inputmode: "numeric", autocomplete: "off", class: "secret", id: `pin-${(pads += 1)}`,
    maxlength: "128", "aria-label": label, autofocus: true,
  });
  const line = h("div", { class: "pad-says", role: "alert" });
  /** @param {Child} what */
  const says = (what) =>
    line.replaceChildren(...nodes(what ?? h("p", { class: "soft" }, t("Three wrong PINs lock an account."))));
  const clear = () => { field.value = ""; field.focus(); };
  /** @param {string} each */
  const digit = (each) => button(each, () => { field.value += each; }, { class: "digit" });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      enter();
    }
  });
  says(before);
  const part = h("div", { class: "pad" }, line, field,
    h("div", { class: "digits" }, ..."123456789".split("").map(digit),
      button("⌫", () => { field.value = field.value.slice(0, -1); },
        { class: "digit plain", "aria-label": t("Delete") }), digit("0"), last(clear)));
  return { field, part, says, attempt: oneAtATime((/** @type {(secret: string) => Promise<Child>} */ check) =>
    attempted({ field, part, says }, check)) };
}

// While a PIN is checked the pad says so; what is typed meanwhile stays, for the next try.
/**
 * @param {{ field: HTMLInputElement, part: HTMLElement, says: (what: Child) => void }} keyed
 * @param {(secret: string) => Promise<Child>} check gives what was wrong
 */
async function attempted({ field, part, says }, check) {
  const secret = field.value;
  field.focus();
  if (secret === "") return;
  field.value = "";
  part.setAttribute("aria-busy", "true");
  says(h("p", { class: "checking" }, t("Checking the PIN …")));
  says(await check(secret).finally(() => part.removeAttribute("aria-busy")));
}

/** Whoever has just been picked types next: the pad that was drawn last. */
const focusPin = () => document.getElementById(`pin-${pads}`)?.focus();

/** A pad; `check(secret)` gives what was wrong. @param {(secret: string) => Promise<Child>} check */
export function pad(check, label = t("PIN")) {
  const send = () => attempt(check);
  const { part, attempt } = keys(send, label,
    () => button("✓", send, { class: "digit primary", "aria-label": t("Enter") }));
  return part;
}

/** What was wrong, on the line of a pad. @param {string} text */
export const wrong = (text) => h("p", { class: "warn" }, text);

/** @param {Person} person @param {(person: Person) => void} choose */
export function tile(person, choose, chosen = false) {
  return h("button", { type: "button", class: "tile", onclick: () => choose(person), "aria-pressed": String(chosen),
    disabled: person.locked, "data-key": person.who },
    h("span", { class: "initial", "aria-hidden": "true" }, person.name.slice(0, 1)),
    h("span", { class: "who" }, person.name,
      h("small", {}, person.locked ? t("locked after three wrong PINs") : roleName(person.role))));
}

// Who opens a locked account again.
/** @param {Person[]} staff */
export const lockedNote = (staff) => (staff.some((each) => each.locked)
  ? h("p", { class: "soft" }, t("{role} or above unlocks an account on the pit's page.",
    { role: roleName(least("unlock_account")) })) : null);

/** @param {Person | null | undefined} person */
export const demoPin = (person) =>
  person?.secret ? h("p", { class: "demo-pin" }, t("Demonstration PIN"), " ", h("b", {}, person.secret)) : null;

/** Everybody who can sign in, by name from now on. */
export async function everybody() {
  const { staff } = /** @type {Staff} */ (await get("/api/staff"));
  usePeople(staff);
  return staff;
}

/** The field of an authenticator's code. */
export const codeField = (label = t("Authenticator code")) =>
  h("input", { type: "text", inputmode: "numeric", autocomplete: "one-time-code", class: "secret", maxlength: "7",
    placeholder: t("Code"), "aria-label": label });

/** How often a PIN may be tried yet. @param {number} left */
export const triesLeft = (left) => (left === 1
  ? t("1 try left, then the account locks") : t("{n} tries left", { n: left }));

export const ownPin = oneAtATime(askOwnPin);
export const secondPerson = oneAtATime(askSecondPerson);

// The person who is signed in, once more: what is approved is approved by nobody who just walked by.
/** @param {{ me: Me, what: string, tell: Tell, label?: string, about?: () => Child }} asked */
async function askOwnPin({ me, what, tell, label = t("Confirm"), about = () => null }) {
  const staff = await everybody();
  const self = staff.find((each) => each.who === me.who) ?? { ...me, locked_anywhere: me.locked };
  const entry = entering([{ key: "say-it", label, tell: ({ second }) => tell({ secret: second?.secret ?? "" }) }]);
  return ask(t("Your PIN"), (/** @type {Done<boolean>} */ done, again) => [
    h("div", { class: "said" }, h("p", { class: "lead" }, what), about(), self.locked && lockedNote([self])),
    self.locked ? entry.said() : entry(self, done, again),
  ], "second beside");
}

// Another person speaks at this screen: who, and their PIN. Null when nobody does. `acts`: what they
// may say, the last of them solid; without any it is `tell`.
/**
   @param {{ me: Me, role: Role, what: string, tell: Tell, notThese?: string[], only?: string | null, label?: string,
   about?: () => Child, acts?: Act[] }} asked
 * @returns {Promise<boolean | null>}
 */
async function askSecondPerson({ me, role, what, tell, notThese = [], only = null, label = t("Confirm"),
  about = () => null, acts = [{ key: "say-it", label, tell }] }) {
  const staff = await everybody();
  const may = staff.filter((each) => each.who !== me.who && (!only || each.who === only) && !notThese.includes(each.who)
    && reaches(each.role, role));
  const awake = may.filter((each) => !each.locked);
  /** @type {Person | null} */
  let chosen = (may.length === 1 && awake[0]) || null;
  const withCode = me.at_table === false;
  let entry = entering(acts, null, withCode);
  return ask(t("Second person"), (/** @type {Done<boolean>} */ done, again) => [
    h("div", { class: "said" },
      h("p", { class: "lead" }, what), about(),
      h("h3", {}, t("Who are you?"), " ", h("span", { class: "soft" }, t("{role} or above", { role: roleName(role) }))),
      may.length === 0 && h("p", { class: "warn" }, t("Nobody else may do this: ask for an account.")),
      h("div", { class: "tiles" },
        may.map((person) =>
          tile(person, (who) => { chosen = who; entry = entering(acts, null, withCode); again(); focusPin(); },
            chosen === person))),
      lockedNote(may)),
    chosen && !chosen.locked ? entry(chosen, done, again) : entry.said() ?? pickFirst(awake),
  ], "second beside");
}

// The pad's place before anybody is picked.
/** @param {Person[]} people */
const pickFirst = (people) => h("div", { class: "pin" },
  people.length ? h("p", { class: "soft" }, t("Tap your name, then enter your PIN.")) : null);

/** @param {Person} person @param {Pick<Problem, "code" | "gaps">} problem @returns {Child} */
function whatWasWrong(person, { code, gaps }) {
  const { name } = person;
  if (code === ACCOUNT_LOCKED) return t("{name} is locked: three wrong PINs.", { name });
  if (gaps.left === undefined) {
    return t("Wrong PIN or code for {name}, or the name is locked here.",
      { name });
  }
  return [t("Wrong PIN for {name}. Try again.", { name }), " ",
    h("b", { class: "tries" }, triesLeft(Number(gaps.left)))];
}

/** @param {Person} person @param {Pick<Problem, "code" | "gaps">} problem */
export function wrongPin(person, problem) {
  if (problem.code === ACCOUNT_LOCKED) person.locked = true;
  return h("p", { class: "warn" }, whatWasWrong(person, problem));
}

// A pad that stays while the PIN is wrong, says whose was and how often it may be tried again; the
// buttons below it repeat what is said, and as whom.
/**
 * @param {Act[]} acts
 * @param {Child} [before] what was said about the PIN before
 * @param {boolean} [withCode] away from the table
 */
export function entering(acts, before = null, withCode = false) {
  let said = before;
  /** @param {Person} person @param {Done<boolean>} done @param {Again} again @returns {Child} */
  const entry = (person, done, again) => {
    /** @param {Act} act */
    const say = ({ tell }) => attempt(async (secret) => {
      const carriedOut = await tell({ second: { who: person.who, secret, ...(code ? { code: code.value } : {}) } });
      if (!(carriedOut instanceof Problem)) return void done(carriedOut);
      said = wrongPin(person, carriedOut);
      return person.locked ? void again() : said;
    });
    const main = acts.at(-1);
    const code = withCode ? codeField() : null;
    const label = t("PIN of {name}", { name: person.name });
    const { part, attempt } = keys(() => main && say(main), label,
      (clear) => button(t("Clear"), clear, { class: "digit plain", "data-key": "clear-pin" }), said);
    return [
      h("div", { class: "pin" }, h("h3", {}, label), demoPin(person), code, part),
      h("footer", {},
        acts.map((act) =>
          button([h("b", {}, act.label), h("small", {},
            act.note ?? t("as {name}, {role}", { name: person.name, role: roleName(person.role) }))],
        () => say(act), { class: act.plain ? "act plain" : "act primary", "data-key": act.key }))),
    ];
  };
  entry.said = () => (said ? h("div", { class: "pin", role: "alert" }, said) : null);
  return entry;
}
