// The demo's page: the dealer's page, the emulated shoe's from its own process, and what guests see, in
// one window, with a coach above. It draws no card and says no word to the table itself.

import { t, titled } from "./catalogue.js";
import { advanced, STEPS, stepNow } from "./coach.js";
import { button, byId, draw, h, redrawn } from "./dom.js";
import { Feed } from "./feed.js";
import { get, post, Problem, signedIn, whoAmI } from "./http.js";
import { languages, load, remember, remembered } from "./language.js";

/** @import { Child, Me, Person, Staff, StaffView } from "./types.d.ts" */

const LEAST_WIDTH = 1024; // what the dealer's page is made for; where there is less it is shown smaller
const LEAST_HEIGHT = 740;
const SCREEN = { width: 1280, height: 720 };
const SKIPPED = "skipped";

const demo = {
  /** @type {Person[]} */
  staff: [],
  bench: "",
  /** @type {StaffView | null} */
  view: null,
  /** @type {string | null} */
  phase: null,
  /** @type {string | null} */
  playing: null,
  why: "",
  at: 0,
  seated: false,
  /** The shoe's page has said something. */
  answers: false,
};

async function begin() {
  await load(remembered());
  const found = /** @type {Staff} */ (await get("/api/staff"));
  demo.staff = found.staff;
  demo.bench = found.benches?.shoe ?? "";
  guests();
  shoe();
  const me = await whoAmI().catch(() => null);
  if (me?.feeds.includes("dealer")) sit();
  else welcome();
  coach();
}

// --- frames ------------------------------------------------------------------------------------------

// A page in a frame, never narrower than it is made for: where its place is, it is drawn smaller.
/**
 * @param {Element} place
 * @param {string} src
 * @param {string} title
 * @param {(width: number, height: number) => number} scale
 */
function framed(place, src, title, scale) {
  const frame = h("iframe", { src, title });
  const box = h("div", { class: "framed" }, frame);
  new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = box;
    if (!width || !height) return;
    const k = scale(width, height);
    frame.style.setProperty("--k", String(k));
    frame.style.setProperty("--w", `${Math.ceil(width / k)}px`);
    frame.style.setProperty("--h", `${Math.ceil(height / k)}px`);
  }).observe(box);
  place.append(box);
  return frame;
}

function guests() {
  byId("guests").replaceChildren(h("h2", {}, t("What guests see"),
    h("a", { href: "/display", target: "_blank", rel: "noopener" }, t("Large"))));
  framed(byId("guests"), "/display", t("Public display"), (width) => width / SCREEN.width);
}

function shoe() {
  if (!demo.bench) return;
  const { dataset, lang } = document.documentElement;
  const wears = new URLSearchParams({ lang, ...(dataset.theme ? { theme: dataset.theme } : {}) });
  const frame = framed(byId("shoe"), `${demo.bench}/?${wears}`, t("The emulated shoe"), () => 1);
  // The shoe's page tells whoever asked, and asks for nothing itself.
  frame.addEventListener("load", () => send({}));
  addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow || event.origin !== demo.bench) return;
    /** @type {{ phase: string | null, playing: string | null, why: string }} */
    const said = event.data.shoe;
    Object.assign(demo, { phase: said.phase, playing: said.playing, why: said.why });
    demo.answers = true;
    if (wanted) send({ robot: wanted });
    wanted = "";
    coach();
  });
}

/** What the robot is to do as soon as the shoe's page answers. */
let wanted = "";

/** @param {string} robot */
function tellRobot(robot) {
  if (demo.answers) send({ robot });
  else wanted = robot;
}

/** @param {{ robot?: string }} message */
function send(message) {
  byId("shoe").getElementsByTagName("iframe")[0]?.contentWindow?.postMessage(message, demo.bench);
}

// --- sitting down --------------------------------------------------------------------------------------

function welcome() {
  demo.seated = false;
  const dealer = whoDeals();
  byId("seat").replaceChildren(h("div", { class: "welcome" },
    h("h2", {}, t("A baccarat table on this machine")),
    h("p", {},
      t("In the middle: the dealer's page. Beside it: the shoe, and above it what guests see. No real money.")),
    h("div", { class: "choices" },
      button([h("b", {}, t("Watch the robot deal")),
        h("span", {}, t("A table in play. Take over any time."))],
        () => sitDown("normal"), { class: "primary", "data-key": "watch" }),
      button([h("b", {}, t("Deal a round yourself")), h("span", {}, t("Step by step, in two minutes."))],
        () => sitDown(null), { "data-key": "deal" })),
    h("p", { class: "soft" }, dealer ? t("You sit down as {name}, PIN {pin}.",
      { name: dealer.name, pin: dealer.secret ?? "" }) : ""),
    h("p", { class: "warn", role: "alert", id: "says" }),
    h("p", { id: "tongues" })));
  tongues();
}

async function tongues() {
  const found = await languages();
  byId("tongues")
    .replaceChildren(...found.map((each) => button(each.name, () => { remember(each.id); location.reload(); },
    { class: "small", "aria-pressed": String(each.id === document.documentElement.lang), lang: each.id })));
}

// A dealer who speaks the page's language, if there is one.
function whoDeals() {
  const dealers = demo.staff.filter((each) => each.role === "dealer" && each.secret && each.who !== "robot");
  return dealers.find((each) => each.language === document.documentElement.lang) ?? dealers[0];
}

/** @param {string | null} robot */
async function sitDown(robot) {
  const dealer = whoDeals();
  if (!dealer) return;
  try {
    signedIn(/** @type {Me} */ (await post("/api/sign-in", { who: dealer.who, secret: dealer.secret })));
  } catch (error) {
    byId("says").textContent = Problem.of(error).text;
    return;
  }
  if (robot) tellRobot(robot);
  sit();
}

function sit() {
  demo.seated = true;
  byId("seat").replaceChildren();
  const frame = framed(byId("seat"), "/dealer", t("The dealer's page"),
    (width, height) => Math.min(1, width / LEAST_WIDTH, height / LEAST_HEIGHT));
  frame.addEventListener("load", () => openElsewhere(frame));
  new Feed("dealer", {
    heard: (view) => {
      demo.view = view;
      coach();
    },
    stale: (stale) => document.documentElement.toggleAttribute("data-stale-coach", stale),
    refused: () => { welcome(); coach(); },
  });
}

// Only the dealer's page may stand in the frame: what it links to opens beside.
/** @param {HTMLIFrameElement} frame */
function openElsewhere(frame) {
  try {
    frame.contentDocument?.addEventListener("click", (event) => {
      const href = /** @type {Element} */ (event.target).closest("a[href]")?.getAttribute("href") ?? "#";
      if (href.startsWith("#")) return;
      event.preventDefault();
      open(href, "_blank", "noopener");
    }, true);
  } catch {
    // Another page than ours stands there: whoever sat has signed out, and the feed says so.
  }
}

// --- the coach -----------------------------------------------------------------------------------------

const seen = () => (demo.view ? { view: demo.view, phase: demo.phase } : null);

function coach() {
  const now = seen();
  if (now && !demo.playing) demo.at = advanced(demo.at, now);
  const skipped = localStorage.getItem("coach") === SKIPPED;
  const step = demo.seated && !demo.playing && !skipped ? stepNow(demo.at, seen()) : null;
  document.documentElement.dataset.where = step?.where ?? "";
  const state = demo.view?.state ?? "";
  draw(byId("coach"), [
    h("p", { class: "brand" }, h("strong", {}, "Sabot"), h("span", {}, t("Demonstration"))),
    parts(skipped, state),
  ]);
}

/** @param {boolean} skipped @param {string} state @returns {Child} */
function parts(skipped, state) {
  if (demo.playing) return playing(state);
  if (!demo.seated) return said(t("Welcome"), t("Demonstration. No real money."), []);
  if (skipped) {
    return said(t("Deal as you like"), t("The robot is on the shoe's page."),
      [button(t("Show me how"), () => keep(""), { "data-key": "coach" })]);
  }
  const step = stepNow(demo.at, seen());
  if (!step) return finished();
  return [
    h("p", { class: `where ${step.where}` }, step.where === "shoe" ? t("On the shoe") : t("On the dealer's page")),
    said(step.says(), step.hint(),
      [dots(), button(t("Skip guide"), () => keep(SKIPPED), { class: "plain", "data-key": "skip" })]),
  ];
}

/** @param {string} state */
function playing(state) {
  return said(t("The robot deals"), state ? titled("phase", state) : t("It signs in, as a dealer would."),
    [button(t("Take over"), () => tellRobot("stop"), { class: "primary", "data-key": "take-over" })]);
}

function finished() {
  return said(t("You dealt a round, and resolved an irregularity"),
    t("Every step is recorded, with its proof: look up the round."), [
    h("a", { class: "button", href: "/rounds", target: "_blank", rel: "noopener" }, t("Rounds")),
    button(t("Start again"), () => { demo.at = 0; coach(); }, { "data-key": "again" }),
    button(t("Done"), () => keep(SKIPPED), { class: "plain", "data-key": "skip" }),
  ]);
}

/** @param {string} what @param {string} hint @param {Child[]} buttons @returns {Child} */
const said = (what, hint, buttons) => [h("div", { class: "said" }, h("b", {}, what), h("span", {}, hint)),
  h("div", { class: "doing" }, buttons)];

const dots = () => h("ol", { class: "dots", "aria-label": t("Step {n} of {of}", { n: demo.at + 1, of: STEPS.length }) },
  STEPS.map((each, at) => h("li", { class: `${each.part} ${dot(at)}`, "aria-hidden": "true" })));

/** @param {number} at */
function dot(at) {
  if (at === demo.at) return "now";
  return at < demo.at ? "done" : "";
}

/** @param {string} wish */
function keep(wish) {
  localStorage.setItem("coach", wish);
  coach();
}

begin().catch(() => redrawn(byId("seat"), h("p", { class: "warn" }, t("Console not responding"))));
