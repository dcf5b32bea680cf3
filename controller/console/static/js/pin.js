// PINs: a pad for gloves, a field for keyboards and passwords, and the second person at the screen.

import { ask } from "./dialog.js";
import { button, h, pretty } from "./dom.js";
import { get } from "./http.js";
import { say, t } from "./words.js";

const LADDER = [
  ["dealer"],
  ["pit_supervisor"],
  ["pit_manager"],
  ["assistant_casino_manager"],
  ["gaming_shift_manager", "table_game_shift_manager"],
];
const height = (role) => LADDER.findIndex((rung) => rung.includes(role));
export const reaches = (role, needed) => height(role) >= height(needed);
export const roleName = (role) => say(pretty(role));

// A pad that calls `enter(secret)`; the field is cleared each time.
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
  const press = (digit) => { field.value += digit; };
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

export function tile(person, choose, chosen = false) {
  return h("button", { type: "button", class: "tile", onclick: () => choose(person), "aria-pressed": String(chosen), disabled: person.locked, "data-key": person.who },
    h("span", { class: "initial", "aria-hidden": "true" }, person.name.slice(0, 1)),
    h("span", { class: "who" }, person.name, h("small", {}, person.locked ? t("locked: see a pit manager") : roleName(person.role))));
}

export const demoPin = (person) =>
  person?.secret ? h("p", { class: "demo-pin" }, t("Demonstration PIN"), " ", h("b", {}, person.secret)) : null;

// The person who is signed in, once more: what is approved is approved by nobody who just walked by.
export async function ownPin({ me, what }) {
  const { staff } = await get("/api/staff");
  return ask(t("Your PIN"), (done) => [
    h("p", { class: "lead" }, what),
    demoPin(staff.find((each) => each.who === me.who)),
    pad(done, t("PIN of {name}", { name: me.name })),
  ], "second");
}

// Another person speaks at this screen: who, and their PIN. Null when nobody does.
export async function secondPerson({ me, role, what, notThese = [] }) {
  const { staff } = await get("/api/staff");
  const may = staff.filter((each) => each.who !== me.who && !notThese.includes(each.who) && reaches(each.role, role));
  let chosen = may.length === 1 ? may[0] : null;
  return ask(t("Second person"), (done, again) => [
    h("p", { class: "lead" }, what),
    h("p", { class: "soft" }, t("{role} or above", { role: roleName(role) })),
    may.length === 0 && h("p", { class: "warn" }, t("Nobody else may do this: ask for an account.")),
    h("div", { class: "tiles" }, may.map((person) => tile(person, (who) => { chosen = who; again(); document.getElementById("secret")?.focus(); }, chosen === person))),
    chosen && demoPin(chosen),
    chosen && pad((secret) => done({ who: chosen.who, secret }), t("PIN of {name}", { name: chosen.name })),
  ], "second");
}
