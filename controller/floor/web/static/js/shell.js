// What every page of the floor has: the bar, the banners, the feed.

import { t, titled } from "/static/js/catalogue.js";
import { ask, closeAll, toast } from "/static/js/dialog.js";
import { button, byId, clock, draw, goBy, h } from "/static/js/dom.js";
import { get, post, Problem, signedIn } from "/static/js/http.js";
import { chooseHere, chosenHere, forgetChoice, languages, load, remembered } from "/static/js/language.js";
import { pad, wrong } from "/static/js/pin.js";
import { FloorFeed } from "./feed.js";
import { floor, me, now } from "./floor.js";
import { octagon } from "./marks.js";

/** @import { FloorMessage, FloorPerson } from "./types.d.ts" */
/** @import { Me } from "/static/js/types.d.ts" */

/** @type {[string, string][]} */
const PAGES = [["floor", "Floor"], ["devices", "Devices"], ["people", "People"], ["trends", "Trends"],
  ["proof", "Proof"], ["orders", "Orders"], ["site", "Site"]];

const toSignIn = () => `/?next=${encodeURIComponent(location.pathname)}`;

/** @param {() => void} redraw drawn at every change @param {string} page */
export async function start(page, redraw) {
  const words = load(remembered());
  const heard = listen(redraw);
  try {
    floor.me = /** @type {FloorPerson} */ (/** @type {unknown} */ (signedIn(/** @type {Me} */ (await get("/api/me")))));
  } catch {
    location.replace(toSignIn());
    return;
  }
  await words;
  goBy(floor.me.zone);
  const language = chosenHere() ?? floor.me.language;
  if (language && language !== remembered()) await load(language);
  skeleton(page);
  heard();
  lockScreen(floor.me.locked);
  stillHere();
  setInterval(() => drawClock(), 1000);
}

/** @param {string} page */
function skeleton(page) {
  document.body.prepend(
    h("a", { class: "skip", href: "#work" }, t("Back to the tables")),
    h("div", { id: "demo", hidden: !me().demo },
      h("p", {}, t("Demonstration: emulated tables, no real money"))),
    h("header", { id: "bar" },
      h("strong", { class: "brand" }, t("Floor")),
      h("span", { id: "counts" }),
      h("nav", { "aria-label": t("Pages") },
        PAGES.map(([name, title]) => h("a", { href: `/${name}`, "aria-current": name === page ? "page" : null },
          t(title)))),
      h("span", { id: "clock" }),
      h("span", { id: "live", class: "live off" }, t("connecting")),
      h("button", { type: "button", class: "person", onclick: personal, "data-key": "me" }, me().name,
        h("small", {}, titled("role", me().role))),
      button(t("Lock"), () => post("/api/lock").then(() => lockScreen(true)).catch(failed), { "data-key": "lock" })),
    h("div", { id: "stale", role: "alert", hidden: true }),
  );
  document.body.append(h("div", { id: "lock", hidden: true }));
  document.documentElement.toggleAttribute("data-demo", me().demo);
}

/**
 * Asked for at once; what comes before the page can show it waits.
 * @param {() => void} redraw
 * @returns {() => void} from now on it can
 */
function listen(redraw) {
  let ready = false;
  let revision = "";
  const show = () => {
    drawCounts();
    redraw();
    document.documentElement.dataset.revision = revision;
  };
  const feed = new FloorFeed({
    heard: (message) => {
      take(message);
      revision = String(message.revision);
      if (ready) show();
    },
    stale: (stale) => ready && showStale(stale),
    refused: () => location.replace(toSignIn()),
  });
  return () => {
    ready = true;
    if (revision) show();
    showStale(feed.isStale);
  };
}

/** @param {FloorMessage} message */
function take(message) {
  if (message.whole) floor.tiles.clear();
  for (const tile of message.tiles) floor.tiles.set(tile.table, tile);
  floor.counts = message.counts;
  if (message.exceptions) floor.exceptions = message.exceptions;
  floor.skew = Date.now() / 1000 - message.now;
  floor.storeDown = message.store_down;
}

function drawCounts() {
  const counts = floor.counts;
  if (!counts) return;
  const down = floor.storeDown !== null;
  draw(byId("counts"), [
    counts.stopped ? h("span", { class: "n stopped" }, octagon(22), h("b", {}, String(counts.stopped)), t("stopped"))
      : null,
    h("span", { class: "n" }, h("b", {}, String(counts.in_play)), t("in play")),
    counts.changing_shoe ? h("span", { class: "n" }, h("b", {}, String(counts.changing_shoe)), t("changing shoe"))
      : null,
    counts.closed ? h("span", { class: "n" }, h("b", {}, String(counts.closed)), t("closed")) : null,
    counts.away ? h("span", { class: "n away" }, h("b", {}, String(counts.away)), t("offline")) : null,
    h("span", { class: "n all" }, t("{n} tables", { n: counts.tables })),
    down ? h("span", { class: "n away" }, t("Floor database not responding: tables play on and report later"))
      : null,
  ]);
  document.title = counts.stopped ? `(${counts.stopped}) ${t("Floor")} · Sabot` : `${t("Floor")} · Sabot`;
}

function drawClock() {
  byId("clock").textContent = clock(now());
  byId("clock").title = me().zone;
}

/** @param {boolean} stale */
function showStale(stale) {
  floor.stale = stale;
  document.documentElement.toggleAttribute("data-stale", stale);
  const place = byId("stale");
  place.hidden = !stale;
  place.textContent = stale ? t("Connection to the floor lost. This page may be out of date.") : "";
  byId("live").textContent = stale ? t("no connection") : t("live");
  byId("live").classList.toggle("off", stale);
}

async function personal() {
  const spoken = await languages();
  const speak = h("select", { "data-key": "language", onchange: () => { chooseHere(speak.value); location.reload(); } },
    spoken.map((each) => h("option", { value: each.id, selected: each.id === document.documentElement.lang },
      each.name)));
  await ask(me().name, () => [
    h("p", {}, titled("role", me().role)),
    h("label", { class: "field" }, t("Language"), speak),
    h("footer", {}, button(t("Light or dark"), changeTheme, { "data-key": "theme" }),
      button(t("Sign out"), signOut, { "data-key": "sign-out" })),
  ]);
}

function signOut() {
  forgetChoice();
  return post("/api/sign-out").finally(() => location.replace("/"));
}

function changeTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

/** @param {boolean} locked */
function lockScreen(locked) {
  const place = byId("lock");
  place.hidden = !locked;
  byId("work").inert = locked;
  byId("bar").inert = locked;
  if (!locked || place.firstChild) {
    if (!locked) place.replaceChildren();
    return;
  }
  closeAll();
  place.replaceChildren(h("section", { role: "dialog", "aria-modal": "true", "aria-label": t("Locked") },
    h("h2", {}, t("Locked")), h("p", {}, me().name), pad(unlock)));
  place.querySelector("input")?.focus();
}

/** What was wrong, if anything was. @param {string} secret */
async function unlock(secret) {
  try {
    await post("/api/unlock", { secret });
    lockScreen(false);
    return null;
  } catch (error) {
    return wrong(Problem.of(error).text);
  }
}

const TOUCH_MS = 30_000;
/** A screen that nobody touches locks itself, whatever it shows meanwhile. */
function stillHere() {
  let told = -TOUCH_MS;
  let touched = performance.now();
  const touch = () => {
    if (!byId("lock").hidden) return;
    touched = performance.now();
    if (touched - told < TOUCH_MS) return;
    told = touched;
    post("/api/here").catch((error) => Problem.of(error).kind === "locked" && lockScreen(true));
  };
  addEventListener("pointerdown", touch);
  addEventListener("keydown", touch);
  setInterval(() => byId("lock").hidden && performance.now() - touched > me().idle_s * 1000 && lockScreen(true), 1000);
}

/** @param {unknown} error */
export function failed(error) {
  const problem = Problem.of(error);
  if (problem.kind === "locked") lockScreen(true);
  toast(problem.text, { tone: "bad" });
}
