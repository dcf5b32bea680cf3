// What every page of staff has: who is signed in, the bar, the banners, the lock, the live feed, and
// one way to say a word to the table.

import { ask, closeAll, isOpen, options, toast } from "./dialog.js";
import { button, byId, draw, h, pretty } from "./dom.js";
import { Feed } from "./feed.js";
import { get, post, Problem, signedIn, speak, whoAmI } from "./http.js";
import { showMode } from "./mode.js";
import { ownPin, pad, reaches, roleName, secondPerson } from "./pin.js";
import { languages, load, remember, remembered, say, t } from "./words.js";

const HERE_MS = 20000;
const LATE_MS = 2000;
const PAGES = [
  ["dealer", "Dealer", (me) => me.feeds.includes("dealer")],
  ["pit", "Pit", (me) => me.feeds.includes("pit")],
  ["rounds", "Rounds", () => true],
  ["display", "Display", () => true],
];

export const app = {
  me: null, view: null, seq: 0, skew: 0, stale: true, locked: false, about: null, clauses: {}, choice: null, busy: 0, waiting: [],
  redraw: () => {},
};

export async function start(page, audience, redraw) {
  try {
    app.me = await whoAmI();
  } catch {
    location.replace(`/?next=/${page}`);
    return;
  }
  app.redraw = redraw;
  await load(app.me.language || remembered());
  skeleton(page);
  // What does not change while a table runs.
  [app.about, app.clauses] = await Promise.all([
    get("/api/about").catch(() => null),
    get("/api/clauses").then((found) => found.clauses).catch(() => ({})),
  ]);
  bar(page);
  lockScreen(app.me.locked);
  stillHere();
  listen(page, audience);
  usable();
}

function listen(page, audience) {
  app.feed = new Feed(audience, {
    heard: (view, message) => {
      // Whatever was being chosen was chosen of another table.
      if (app.view && standing(app.view) !== standing(view)) {
        app.choice = null;
        if (isOpen()) closeAll();
      }
      app.view = view;
      app.seq = message.seq;
      app.redraw();
      about(view);
      document.documentElement.dataset.seq = message.seq;
      app.waiting = app.waiting.filter(([seq, done]) => seq > message.seq || done());
    },
    beat: (message) => {
      app.skew = Date.now() / 1000 - message.sent;
      if (message.type === "beat" && message.locked !== undefined) lockScreen(message.locked);
    },
    stale: showStale,
    refused: () => location.replace(`/?next=/${page}`),
  });
}

// What a person acts on.
const standing = (view) => JSON.stringify([view.state, view.round, view.prompt, view.asks, view.offers]);

function skeleton(page) {
  document.body.prepend(
    h("a", { class: "skip", href: "#work" }, t("To the table")),
    h("div", { id: "demo", hidden: true }),
    h("header", { id: "bar" }),
    h("div", { id: "stale", role: "alert", hidden: true }),
  );
  document.body.append(h("div", { id: "lock", hidden: true }));
  document.documentElement.dataset.page = page;
  showMode(app.me);
}

function bar(page) {
  byId("bar").replaceChildren(
    h("strong", { class: "brand" }, "Sabot"),
    h("span", { id: "about" }, app.me.table || ""),
    h("nav", { "aria-label": t("Pages") }, PAGES.filter(([, , may]) => may(app.me)).map(([name, title]) =>
      h("a", { href: `/${name}`, "aria-current": name === page ? "page" : null, target: name === "display" ? "_blank" : null }, t(title)))),
    h("span", { id: "live", class: "live off" }, t("connecting")),
    h("button", { type: "button", class: "person", onclick: personal, "data-key": "me" }, app.me.name, h("small", {}, roleName(app.me.role))),
    button(t("Lock"), () => post("/api/lock").then(() => lockScreen(true)).catch(failed), { "data-key": "lock" }),
  );
}

// What is one's own: language, light or dark, and going.
async function personal() {
  const choices = (await languages()).map((each) => [each.id, each.name]);
  const wanted = await ask(app.me.name, (done) => [
    h("h3", {}, t("Language")), options(choices, document.documentElement.lang, done),
    h("h3", {}, t("Light or dark")), button(t("Change"), changeTheme, { "data-key": "theme" }),
    h("footer", {}, button(t("Sign out"), signOut, { "data-key": "sign-out" })),
  ]);
  if (wanted && wanted !== document.documentElement.lang) await changeLanguage(wanted);
}

function about(view) {
  showMode(view);
  const shown = [view.table ?? app.me.table, view.shoe, view.round, view.method, view.state];
  draw(byId("about"), shown, () => [
    h("b", {}, shown[0] || ""),
    h("span", {}, t("Shoe {n}", { n: view.shoe })),
    h("span", {}, t("Round {n}", { n: view.round })),
    view.method ? h("span", {}, t("Method {m}", { m: view.method })) : null,
    h("span", { class: `state ${view.state}` }, say(pretty(view.state))),
  ]);
}

function showStale(stale) {
  app.stale = stale;
  document.documentElement.toggleAttribute("data-stale", stale);
  usable();
  const place = byId("stale");
  place.hidden = !stale;
  place.textContent = stale ? t("No word from the table: what you see may be old. Buttons are off until it is back.") : "";
  byId("live").textContent = stale ? t("stale") : t("live");
  byId("live").classList.toggle("off", stale);
}

// Nobody acts on an old page, at a locked one, or before the last word has been answered.
function usable() {
  byId("work").inert = app.stale || app.locked || app.busy > 0;
  byId("bar").inert = app.locked;
}

async function changeLanguage(chosen) {
  remember(chosen);
  await post("/api/me/language", { language: chosen }).catch(failed);
  location.reload();
}

function changeTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

async function signOut() {
  await post("/api/sign-out").catch(() => null);
  location.replace("/");
}

// --- the lock: the table goes on behind it, and no card is lost by it ----------------------------

function lockScreen(locked) {
  if (locked === app.locked) return;
  app.locked = locked;
  const place = byId("lock");
  place.hidden = !locked;
  usable();
  if (!locked) return;
  closeAll();
  place.replaceChildren(h("section", { role: "dialog", "aria-modal": "true", "aria-labelledby": "lock-title" },
    h("h2", { id: "lock-title" }, t("Locked")),
    h("p", {}, t("{name}, enter your PIN to go on. The table has not stopped.", { name: app.me.name })),
    pad(unlock),
    button(t("Sign out"), signOut, { class: "plain" }),
    h("p", { id: "lock-says", class: "warn", role: "alert" })));
  place.querySelector("input").focus();
}

async function unlock(secret) {
  try {
    app.me = signedIn(await post("/api/unlock", { secret }));
    lockScreen(app.me.locked);
    app.redraw();
  } catch (problem) {
    byId("lock-says").textContent = say(problem.message);
  }
}

function stillHere() {
  let said = performance.now();
  const touched = () => {
    if (app.locked || performance.now() - said < HERE_MS) return;
    said = performance.now();
    post("/api/here").catch(() => null);
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, touched, { capture: true, passive: true });
}

// --- saying a word -------------------------------------------------------------------------------

// `role`: the least that may say it; somebody who is not high enough lets another person speak.
// `notThese`: people whose own word it is, so that another has to say it. `instead(problem)`: what to
// offer when it is refused. `pin`: not without the speaker's own PIN. True when carried out.
export async function word(name, given = {}, { role = "dealer", what = name, notThese = [], second = null, pin = false, instead = () => null } = {}) {
  if (app.stale || app.locked) return false;
  const seen = app.choice?.seen ?? app.seq;
  let other = second;
  if (!other && (!reaches(app.me.role, role) || notThese.includes(app.me.who))) {
    other = await secondPerson({ me: app.me, role, what, notThese });
    if (!other) return false;
  } else if (pin && !other && !(await sure(what))) return false;
  const held = document.activeElement?.dataset?.key;
  busy(1);
  try {
    await caughtUp((await speak(name, given, seen, other)).seq);
    document.getElementById("toasts")?.replaceChildren(); // what was refused before is settled now
    return true;
  } catch (problem) {
    if (problem.kind === "moved_on") await caughtUp(problem.body.seq);
    failed(problem, instead(problem) ?? higher(name, given, what, notThese, problem), other);
    return false;
  } finally {
    app.choice = null;
    busy(-1);
    app.redraw();
    if (held && document.activeElement === document.body) document.querySelector(`[data-key="${CSS.escape(held)}"]`)?.focus();
  }
}

// Approvals and decisions take the PIN of whoever is signed in as well.
async function sure(what) {
  const secret = await ownPin({ me: app.me, what });
  if (!secret) return false;
  try {
    await post("/api/unlock", { secret });
    return true;
  } catch (problem) {
    failed(problem, null, app.me);
    return false;
  }
}

// While a word is on its way nothing else is pressed: what is shown is about to change.
function busy(more) {
  app.busy += more;
  usable();
}

// Until the page shows what a word led to, or the feed is late.
function caughtUp(seq) {
  if (app.seq >= seq) return null;
  const shown = new Promise((done) => app.waiting.push([seq, done]));
  return Promise.race([shown, new Promise((late) => setTimeout(late, LATE_MS))]);
}

// The rules say it takes somebody higher: offer to let one speak at this screen.
function higher(name, given, what, notThese, problem) {
  const needed = /takes an? (.+) or above/.exec(problem.message ?? "")?.[1].replaceAll(" ", "_");
  if (!needed) return null;
  const run = async () => {
    const second = await secondPerson({ me: app.me, role: needed, what, notThese });
    if (second) await word(name, given, { role: needed, what, notThese, second });
  };
  return { label: t("Second person"), run };
}

export function failed(problem, offer = null, other = null) {
  if (!(problem instanceof Problem)) {
    toast(t("The console does not answer. Look at the table before you try again."));
    return;
  }
  if (problem.status === 401 && !other) location.replace(`/?next=${location.pathname}`);
  if (problem.kind === "locked" && problem.body.next?.includes("unlock")) lockScreen(true);
  if (problem.kind === "moved_on") {
    toast(t("The table has moved on. Look again."), { tone: "note" });
    return;
  }
  toast(say(problem.message), { clause: problem.clause, offer });
}

// --- choosing first, confirming after ------------------------------------------------------------

export function choose(choice) {
  app.choice = { ...choice, seen: app.seq };
  app.redraw();
}

export function takeBack() {
  app.choice = null;
  app.redraw();
}

export async function confirmChoice() {
  const chosen = app.choice;
  if (chosen) await word(chosen.word, chosen.given, chosen);
}

export function clause(number, className = "") {
  if (!number) return null;
  const text = app.clauses[number];
  return button(number, () => toast(`${number} · ${text ?? t("The clause's text is in the rulebook.")}`, { tone: "note" }),
    { class: `clause ${className}`, title: text ?? "", "aria-label": t("Clause {n}", { n: number }) });
}

// Keys for whoever works with a keyboard: off while something is being typed or a window is open.
export function onKeys(handle) {
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (typing || isOpen() || app.locked || app.stale || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    handle(event);
  });
}
