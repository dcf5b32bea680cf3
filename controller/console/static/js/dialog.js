// Windows over the page. Each gives a promise: what was confirmed, or null when it was taken back.

import { button, h } from "./dom.js";
import { t } from "./words.js";

// `build(done, again)` gives the parts; `done(value)` closes with it, `again()` draws anew.
export function ask(title, build, className = "") {
  return new Promise((resolve) => {
    const body = h("div", { class: "body" });
    const heading = h("h2", { id: "dialog-title" }, title);
    const close = button("×", () => done(null), { class: "close", "aria-label": t("Take back") });
    const box = h("dialog", { class: className, "aria-labelledby": "dialog-title" }, h("header", {}, heading, close), body);
    let answered = false;
    function done(value) {
      if (answered) return;
      answered = true;
      const said = document.getElementById("toasts");
      if (said && box.contains(said)) document.body.append(said);
      box.close();
      box.remove();
      resolve(value);
    }
    function again() {
      const held = body.contains(document.activeElement) ? document.activeElement.dataset.key : null;
      body.replaceChildren(...[build(done, again)].flat(4).filter(Boolean));
      const same = held && body.querySelector(`[data-key="${CSS.escape(held)}"]`);
      (same || body.querySelector("[autofocus]"))?.focus();
    }
    box.addEventListener("cancel", (event) => {
      event.preventDefault();
      done(null);
    });
    box.addEventListener("close", () => done(null));
    document.body.append(box);
    box.showModal();
    again();
  });
}

// The foot of a window: take back, or confirm once everything needed has been chosen.
export function foot(done, { label, value, ready = true }) {
  return h("footer", {},
    button(t("Take back"), () => done(null), { class: "plain", "data-key": "back" }),
    button(label, () => done(value()), { class: "primary", disabled: !ready, "data-key": "confirm" }));
}

// Buttons of which one is chosen.
export function options(list, chosen, pick, className = "") {
  return h("div", { class: `options ${className}` }, list.map(([value, label]) =>
    button(label, () => pick(value), { "aria-pressed": String(chosen === value), "data-key": `o-${value}` })));
}

export const closeAll = () => document.querySelectorAll("dialog[open]").forEach((each) => each.close());
export const isOpen = () => document.querySelector("dialog[open]") !== null;

let toasts = 0;

// Says what went wrong and goes away by itself; `offer` is something that can be done about it.
export function toast(text, { tone = "bad", clause = null, offer = null } = {}) {
  const place = document.getElementById("toasts") ?? h("div", { id: "toasts" });
  // A window makes all that is not in it inert: what is said about it is said in it.
  (document.querySelector("dialog[open]") ?? document.body).append(place);
  const parts = [h("p", {}, text, clause && h("span", { class: "clause" }, clause))];
  if (offer) parts.push(button(offer.label, () => { said.remove(); offer.run(); }, { class: "small" }));
  parts.push(button("×", () => said.remove(), { class: "close", "aria-label": t("Close") }));
  const said = h("div", { class: `toast ${tone}`, role: "alert", "data-toast": String((toasts += 1)) }, parts);
  place.replaceChildren(said);
  if (!offer) setTimeout(() => said.remove(), 9000);
}
