// Every part of the pages in every state, with made-up data: to look at, and for pictures. A demo's
// page alone. `?of=dealer|stopped|pit|public` for whose parts, each with that page's own styles;
// `?theme=light|dark`, `?lang=`, `?part=` for one part by itself. A new part is one entry in the
// module of its page.

import { app } from "./app.js";
import { speak } from "./bilingual.js";
import { byId, h, must, nodes } from "./dom.js";
import { haltState } from "./halt.js";
import { get } from "./http.js";
import { load, remembered } from "./language.js";
import { useMoney, usePeople, useWagers } from "./sentences.js";
import { LID, ME, PEOPLE, table, WAGERS } from "./style_data.js";

/** @import { Child, Setup } from "./types.d.ts" */
/** What to draw for each of its states; a part that needs its room before it is drawn takes it.
 * @typedef {{ name: string, states: Record<string, (place: HTMLElement) => Child> }} Part */

const asked = new URLSearchParams(location.search);

/** Whose parts: the styles of that page beside the common ones, and the module that draws them.
 * @type {Record<string, { styles: string[], parts: () => Promise<{ PARTS: Part[] }> }>} */
const PAGES = {
  dealer: { styles: ["windows", "questions", "dealer", "hands", "slots", "layout", "halt"],
    parts: () => import("./style_dealer.js") },
  stopped: { styles: ["windows", "questions", "dealer", "hands", "slots", "layout", "halt"],
    parts: () => import("./style_stopped.js") },
  pit: { styles: ["windows", "questions", "pit", "halt"], parts: () => import("./style_pit.js") },
  public: { styles: ["public", "display"], parts: () => import("./style_public.js") },
};

async function begin() {
  const root = document.documentElement;
  const theme = asked.get("theme");
  if (theme) root.dataset.theme = theme;
  const of = asked.get("of") ?? "dealer";
  const { styles, parts } = must(PAGES[of]);
  root.dataset.of = of;
  await Promise.all([...styles, "style"].map(styled));
  if (of === "public") await speak(asked.get("lang"));
  else await load(asked.get("lang") ?? remembered());
  app.me = ME;
  app.about = /** @type {Setup} */ (await get("/api/about"));
  const found = await get(`/api/clauses?language=${document.documentElement.lang}`);
  app.clauses = /** @type {{ clauses: Record<string, string> }} */ (found).clauses;
  app.view = table();
  useMoney(app.about);
  usePeople(PEOPLE);
  useWagers(WAGERS);
  byId("bar").append(h("strong", { class: "brand" }, "Sabot"), h("span", {}, "Style"),
    h("nav", { "aria-label": "Pages" }, Object.keys(PAGES).map((each) => linked({ of: each }, each, each === of))),
    h("nav", { "aria-label": "Themes" }, ["light",
      "dark"].map((each) => linked({ theme: each }, each, each === theme))));
  if (of === "stopped") haltState(table({ state: "halted", held: [LID] }));
  const only = asked.get("part");
  for (const part of (await parts()).PARTS) if (!only || part.name === only) show(part);
  root.dataset.ready = "";
}

// In the order of the page itself: what comes later wins.
/** @param {string} name */
function styled(name) {
  const link = h("link", { rel: "stylesheet", href: `/static/css/${name}.css` });
  document.head.append(link);
  return new Promise((done) => { link.addEventListener("load", done); });
}

/** @param {Part} part */
function show({ name, states }) {
  const places = Object.keys(states).map((state) =>
    h("figure", { class: "specimen", "data-state": state }, h("figcaption", {}, state), h("div", { class: "drawn" })));
  byId("parts").append(h("article", { class: "part", id: `part-${name}` }, h("h2", {}, linked({ part: name }, name)),
    places));
  Object.values(states).forEach((draw, at) =>
    drawIn(/** @type {HTMLElement} */ (must(places[at]?.lastElementChild)), draw));
}

// A part that cannot be drawn says so and leaves the others alone.
/** @param {HTMLElement} place @param {Part["states"][string]} draw */
function drawIn(place, draw) {
  try {
    place.append(...nodes(draw(place)));
  } catch (error) {
    place.append(h("p", { class: "warn broken" }, String(error)));
  }
}

/** @param {Record<string, string>} change @param {string} text @param {boolean} [here] */
function linked(change, text, here = false) {
  const kept = Object.fromEntries([...asked].filter(([name]) => name !== "part"));
  return h("a", { href: `?${new URLSearchParams({ ...kept, ...change })}`, "aria-current": here ? "page" : null },
    text);
}

begin();
