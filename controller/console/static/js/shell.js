// What every page of staff has: the bar, the banners, the live feed.

import { app, me } from "./app.js";
import { enrolPhone } from "./authenticator.js";
import { t, titled } from "./catalogue.js";
import { ask, closeAll, isOpen, options, toast } from "./dialog.js";
import { button, byId, draw, h } from "./dom.js";
import { Feed } from "./feed.js";
import { get, post, whoAmI } from "./http.js";
import { languages, load, remember, remembered } from "./language.js";
import { lockScreen, signOut, stillHere, usable } from "./lock.js";
import { showMode } from "./mode.js";
import { everybody, roleName } from "./pin.js";
import { failed } from "./saying.js";
import { money, useMoney, useWagers } from "./sentences.js";
import { LOUDNESS, loudness, setLoudness } from "./sound.js";

/** @import { Done, Me, Option, Setup, StaffView } from "./types.d.ts" */

/** @type {[string, string, (me: Me) => boolean][]} */
const PAGES = [
  ["dealer", "Dealer", ({ feeds }) => feeds.includes("dealer")],
  ["pit", "Pit", ({ feeds }) => feeds.includes("pit")],
  ["rounds", "Rounds", () => true],
  ["report", "Report", ({ feeds }) => feeds.includes("pit")],
  ["display", "Display", () => true],
];


/** @param {string} page @param {string} audience @param {() => void} redraw */
export async function start(page, audience, redraw) {
  try {
    app.me = await whoAmI();
  } catch {
    location.replace(toSignIn());
    return;
  }
  app.redraw = redraw;
  await load(app.me.language || remembered());
  skeleton(page);
  await setUp();
  bar(page);
  lockScreen(app.me.locked);
  stillHere();
  listen(audience);
  usable();
}

// And back to where one was.
const toSignIn = () => `/?next=${location.pathname}${encodeURIComponent(location.search)}`;

// What does not change while a table runs.
async function setUp() {
  const [about, found] = await Promise.all([
    get("/api/about").catch(() => null), get(`/api/clauses?language=${document.documentElement.lang}`)
      .catch(() => ({})), everybody().catch(() => []),
  ]);
  app.about = /** @type {Setup | null} */ (about);
  useMoney(app.about);
  app.clauses = /** @type {{ clauses?: Record<string, string> }} */ (found).clauses ?? {};
}

/** @param {string} audience */
function listen(audience) {
  new Feed(audience, {
    heard: (view, message) => {
      // Whatever was being chosen was chosen of another table.
      if (app.view && standing(app.view) !== standing(view)) {
        app.choice = null;
        app.refusal = null;
        if (isOpen()) closeAll();
      }
      app.view = view;
      useWagers(view.wagers ?? []);
      app.seq = message.seq;
      app.redraw();
      aboutTable(view);
      document.documentElement.dataset.seq = String(message.seq);
      for (const [seq, done] of app.waiting) if (seq <= message.seq) done();
      app.waiting = app.waiting.filter(([seq]) => seq > message.seq);
    },
    beat: (message) => {
      app.skew = Date.now() / 1000 - message.sent;
      if (message.type === "beat" && message.locked !== undefined) lockScreen(message.locked);
    },
    stale: showStale,
    refused: () => location.replace(toSignIn()),
  });
}

// What a person acts on.
/** @param {StaffView} view */
const standing = (view) => JSON.stringify([view.state, view.round, view.prompt, view.asks, view.offers]);

/** @param {string} page */
function skeleton(page) {
  document.body.prepend(
    h("a", { class: "skip", href: "#work" }, t("To the table")),
    h("div", { id: "demo", hidden: true }),
    h("header", { id: "bar" }),
    h("div", { id: "stale", role: "alert", hidden: true }),
  );
  document.body.append(h("div", { id: "lock", hidden: true }));
  document.documentElement.dataset.page = page;
  showMode(me());
}

/** @param {string} page */
function bar(page) {
  byId("bar").replaceChildren(
    h("strong", { class: "brand" }, "Sabot"),
    h("span", { id: "about" }, me().table || ""),
    h("nav", { "aria-label": t("Pages") }, PAGES.filter(([, , may]) => may(me())).map(([name, title]) =>
      h("a", { href: `/${name}`, "aria-current": name === page ? "page" : null,
        target: name === "display" ? "_blank" : null }, t(title)))),
    h("span", { id: "live", class: "live off" }, t("connecting")),
    h("button", { type: "button", class: "person", onclick: personal, "data-key": "me" }, me().name,
      h("small", {}, roleName(me().role))),
    button(t("Lock"), () => post("/api/lock").then(() => lockScreen(true)).catch((error) => failed(error)),
      { "data-key": "lock" }),
  );
}

// What is one's own: language, light or dark, and going.
async function personal() {
  const choices = (await languages()).map((each) => /** @type {Option<string>} */ ([each.id, each.name]));
  const wanted = await ask(me().name, (/** @type {Done<string>} */ done, again) => [
    h("h3", {}, t("Language")), options(choices, document.documentElement.lang, done),
    h("h3", {}, t("Sound when the table stops")),
    options(LOUDNESS.map((each) => /** @type {Option<import("./sound.js").Loudness>} */ ([each, t(each)])), loudness(),
      (each) => { setLoudness(each); again(); }),
    h("h3", {}, t("Light or dark")), button(t("Change"), changeTheme, { "data-key": "theme" }),
    me().at_table === false ? null : h("h3", {}, t("Signing in away from the table")),
    me().at_table === false ? null : phone(() => done(null)),
    h("footer", {}, button(t("Sign out"), signOut, { "data-key": "sign-out" })),
  ]);
  if (wanted && wanted !== document.documentElement.lang) await changeLanguage(wanted);
}

/** @param {() => void} close */
const phone = (close) => (me().second_factor
  ? h("p", { class: "soft" }, t("Your authenticator is enrolled. If you lost it, tell the technician."))
  : button(t("Enrol my phone"), () => { close(); void enrolPhone(); }, { "data-key": "totp" }));

const hasMethods = () => (app.about?.methods.length ?? 0) > 1;

// By its letter; a book's only method has none.
/** @param {string} id */
export const methodName = (id) => (hasMethods() ? t("Method {m}", { m: id }) : titled("method", id));

/** @param {StaffView} view */
function aboutTable(view) {
  showMode(view);
  const table = view.table ?? me().table ?? "";
  const underneath = view.phase === view.state ? null : view.phase;
  const { min, max } = view.limits;
  draw(byId("about"), [
    h("b", {}, table),
    h("span", { class: "lines" },
      h("span", {}, [view.shoe ? t("Shoe {n}", { n: view.shoe }) : null,
        view.round ? t("Round {n}", { n: view.round }) : null].filter(Boolean).join(" · ")),
      h("span", {}, [view.method && hasMethods() ? methodName(view.method) : null,
        min !== null && max !== null ? t("{min} to {max}", { min: money(min), max: money(max) }) : null].filter(Boolean)
          .join(" · "))),
    h("span", { class: `state ${view.state}` }, titled("phase", view.state)),
    underneath ? h("span", { class: "underneath" }, titled("phase", underneath)) : null,
  ]);
}

/** @param {boolean} stale */
function showStale(stale) {
  app.stale = stale;
  document.documentElement.toggleAttribute("data-stale", stale);
  usable();
  const place = byId("stale");
  place.hidden = !stale;
  place.textContent = stale ? t("Connection lost. Controls are off until it returns.")
    : "";
  byId("live").textContent = stale ? t("no connection") : t("live");
  byId("live").classList.toggle("off", stale);
}

/** @param {string} chosen */
async function changeLanguage(chosen) {
  remember(chosen);
  await post("/api/me/language", { language: chosen }).catch((error) => failed(error));
  location.reload();
}

function changeTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

/** @param {string | null | undefined} number */
export function clause(number, className = "") {
  if (!number) return null;
  const text = app.clauses[number];
  return button(number, () => toast(`${number} · ${text ?? t("See the rulebook for this clause.")}`,
    { tone: "note" }),
    { class: `clause ${className}`, title: text ?? "", "aria-label": t("Clause {n}", { n: number }) });
}

// Keys for whoever works with a keyboard: off while something is being typed or a window is open.
/** @param {(event: KeyboardEvent) => void} handle */
export function onKeys(handle) {
  addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
    const held = event.ctrlKey || event.altKey || event.metaKey || event.repeat;
    if (typing || isOpen() || app.locked || app.stale || held) return;
    handle(event);
  });
}
