// Accounts that three wrong PINs have locked, here or at another address, and who may open them again.

import { app, least, me } from "./app.js";
import { t } from "./catalogue.js";
import { ABOUT_THE_PIN } from "./codes.js";
import { button, byId, draw, h } from "./dom.js";
import { post, Problem } from "./http.js";
import { everybody, ownPin, reaches, roleName } from "./pin.js";
import { failed } from "./saying.js";
import { icon } from "./signs.js";

/** @import { Child, Person, Speaker } from "./types.d.ts" */

export async function lookAtAccounts() {
  try {
    const staff = await everybody();
    drawLocked(staff.filter((each) => each.locked_anywhere));
  } catch {
    // The banner says so when the console is away.
  }
}

/** @param {Person[]} locked */
function drawLocked(locked) {
  draw(byId("accounts"), locked.length === 0 ? [] : [
    h("header", { class: "task" }, h("h2", {}, t("Locked accounts"))),
    h("ul", {}, locked.map((person) => h("li", {}, icon("lock"),
      h("div", {}, h("b", {}, person.name), h("small", {},
        `${roleName(person.role)} · ${t("locked after three wrong PINs")}`)), opener(person)))),
  ]);
}

/** @param {Person} person @returns {Child} */
function opener(person) {
  const needed = least("unlock_account");
  if (person.who === me().who) {
    return h("small", {},
      t("Another person unlocks it: {role} or above.", { role: roleName(needed) }));
  }
  if (!reaches(me().role, needed)) return h("small", {}, t("{role} or above unlocks it", { role: roleName(needed) }));
  return button(t("Unlock"), () => unlock(person), { "data-key": `unlock-${person.who}` });
}

/** @param {Person} person */
async function unlock(person) {
  const label = t("Unlock the account of {name}", { name: person.name });
  /** @param {Speaker} speaker */
  const tell = async ({ secret }) => {
    try {
      await post(`/api/staff/${encodeURIComponent(person.who)}/unlock`, { secret });
      return true;
    } catch (error) {
      const problem = Problem.of(error);
      if (ABOUT_THE_PIN.includes(problem.code ?? "")) return problem;
      failed(error);
      return false;
    }
  };
  await ownPin({ me: me(), what: label, label: t("Unlock"), tell,
    about: () =>
      h("p", {}, t("Make sure {name} is asking in person. Recorded with your name.", { name: person.name })) });
  await lookAtAccounts();
  app.redraw();
}
