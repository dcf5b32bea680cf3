// The bench page: draws what /state says, makes a button of every word of /words. Asks nobody else.
"use strict";

const REFRESH_MS = 400;
const FACT_MAX = 120;
const RANKS = "A23456789TJQK";
/** @type {Record<string, string>} */
const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const DRAWN = new Set(["cards_left", "next_cards", "counts", "player", "banker", "player_total", "banker_total",
  "last_card", "lid_open", "jammed", "half_drawn", "cutting_card_at"]);

/** @typedef {{ says: string, of: string, fields: Record<string, string>, choices: Record<string, string[]> }} Word */
/** @typedef {Record<string, any>} Device what its own module shows of it */
/** @typedef {{ name: string, connected: boolean, hung: boolean, silent: boolean, device: Device }} State */

/** @type {Record<string, Word>} */
let words = {};
/** @type {State | null} */
let state = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let robot;

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no ${id} on this page`);
  return found;
}

/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (byId(id));

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, string>} [attributes]
 * @param {(string | Node)[]} children
 */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** @param {string} card */
function face(card) {
  if (card === "CUT") return "cutting card";
  const rank = card.charAt(0) === "T" ? "10" : card.charAt(0);
  return rank + SUITS[card.charAt(1)];
}

/** @param {string} text */
function readable(text) {
  return text === "CUT" || /^[A2-9TJQK][SHDC]$/.test(text) ? face(text) : text;
}

/** @param {string} path @param {object} [given] @returns {Promise<any>} */
async function ask(path, given) {
  /** @type {RequestInit} */
  const request = given === undefined ? {} :
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) };
  const reply = await fetch(path, request);
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.error);
  return body;
}

/** @param {string} word @param {object} [given] */
async function act(word, given = {}) {
  const said = byId("said");
  try {
    const { answer } = await ask(`/do/${word}`, given);
    const shown = answer === null ? "done" : [answer].flat().map(String).map(readable).join(", ");
    said.textContent = `${word}: ${shown}`;
    said.className = "";
  } catch (error) {
    said.textContent = `${word}: ${error instanceof Error ? error.message : error}`;
    said.className = "bad";
    stopRobot();
  }
  await refresh();
}

// --- words --------------------------------------------------------------------------------------

/** @param {Word} word @param {string} name @param {string} says */
function fieldOf(word, name, says) {
  const choices = word.choices[name] ?? [];
  const label = element("label", { title: says }, name);
  if (choices.length) {
    const select = element("select", { name });
    for (const choice of choices) select.append(element("option", {}, choice));
    label.append(select);
  } else {
    const usual = /\(([^)]*)\)$/.exec(says);
    label.append(element("input", { name, autocomplete: "off", placeholder: usual?.[1] ?? "" }));
  }
  return label;
}

/** @param {string} name @param {Word} word */
function formOf(name, word) {
  const button = element("button", { type: "submit", title: word.says }, name.replaceAll("_", " "));
  const row = element("div", { class: "row" }, button);
  for (const [field, says] of Object.entries(word.fields)) row.append(fieldOf(word, field, says));
  const form = element("form", { "data-word": name }, row, element("p", {}, explained(word)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act(name, Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== "")));
  });
  return form;
}

/** @param {Word} word */
function explained({ says, fields, choices }) {
  const notes = Object.entries(fields)
    .filter(([name, text]) => !choices[name]?.length && !text.endsWith(")"))
    .map(([name, text]) => `${name}: ${text}`);
  return [says, ...notes].join(" · ");
}

function buildWords() {
  for (const [name, word] of Object.entries(words)) byId(`${word.of}-words`).append(formOf(name, word));
  const draws = "draw" in words;
  for (const id of ["quick", "cards", "slip"]) byId(id).hidden = !draws;
  if (!draws) return;
  for (const suit of Object.keys(SUITS)) {
    for (const rank of RANKS) {
      const card = rank + suit;
      const button = element("button", { type: "button", class: suit, "data-card": card, "aria-label": `draw ${card}` },
        face(card), element("small"));
      button.addEventListener("click", () => act("draw", input("extra").checked ? { card, extra: true } : { card }));
      byId("cards").append(button);
    }
  }
}

// --- the drawing --------------------------------------------------------------------------------

/** @param {string} name @param {Record<string, string | number>} [attributes] */
function svg(name, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

/** @type {Record<string, string>} */
const INKS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };

/** @param {number} x @param {number} y @param {string | null} card */
function cardAt(x, y, card) {
  const group = svg("g", { transform: `translate(${x} ${y})` });
  group.append(svg("rect", { width: 34, height: 46, rx: 4, fill: "var(--paper)", stroke: "var(--edge)" }));
  if (card) {
    group.append(svg("text", { x: 17, y: 29, "text-anchor": "middle", "font-size": 16, "font-weight": 700,
      fill: `var(--${INKS[card.charAt(1)]})` }, face(card)));
  }
  return group;
}

/** @param {Element} drawing @param {number} x @param {number} y @param {string} name @param {string[]} cards @param {number} total */
function handAt(drawing, x, y, name, cards, total) {
  const heading = cards.length ? `${name} ${total}` : name;
  drawing.append(svg("text", { x, y, "font-size": 12, fill: "#ffffff" }, heading));
  cards.forEach((card, index) => drawing.append(cardAt(x + index * 38, y + 6, card)));
}

/** @param {Device} device */
function drawShoe(device) {
  const drawing = svg("svg", { viewBox: "0 0 420 156", role: "img", "aria-label": `shoe with ${device.cards_left} cards` });
  drawing.append(svg("rect", { width: 420, height: 156, rx: 8, fill: "var(--felt)" }));
  drawing.append(svg("path", { d: "M14 34 H176 L212 66 V96 H14 Z", fill: "#30343a", stroke: "#0d0f11" }));
  const length = Math.round(138 * Math.min(1, device.cards_left / 416));
  drawing.append(svg("rect", { x: 166 - length, y: 44, width: length, height: 42, fill: "#f4f1e4" }));
  for (let x = 164; x > 166 - length; x -= 4) drawing.append(svg("path", { d: `M${x} 44 V86`, stroke: "#c9c3ac" }));
  if (device.cutting_card_at !== null && device.cutting_card_at !== undefined) {
    const at = 166 - length * (device.cutting_card_at / Math.max(1, device.cards_left));
    drawing.append(svg("path", { d: `M${at} 40 V90`, stroke: "#ffcf33", "stroke-width": 4 }));
  }
  if (device.lid_open) drawing.append(svg("path", { d: "M14 34 L120 8", stroke: "#d8dde2", "stroke-width": 5 }));
  drawing.append(svg("circle", { cx: 192, cy: 62, r: 6, fill: trouble(device) ? "#ff5148" : "#45d483" }));
  drawing.append(svg("text", { x: 20, y: 114, "font-size": 13, fill: "#ffffff" }, `${device.cards_left} cards left`));
  const next = device.next_cards.map(face).slice(0, 7).join("  ");
  drawing.append(svg("text", { x: 20, y: 146, "font-size": 13, fill: "#ffffff" }, next ? `next: ${next}` : "the shoe is empty"));
  if (device.half_drawn) drawing.append(cardAt(196, 58, null));
  else if (device.last_card) drawing.append(cardAt(214, 58, device.last_card));
  if (device.player) {
    handAt(drawing, 266, 24, "Player", device.player, device.player_total);
    handAt(drawing, 266, 92, "Banker", device.banker, device.banker_total);
  }
  return drawing;
}

/** @param {Device} device */
function drawBox(device) {
  const drawing = svg("svg", { viewBox: "0 0 420 120", role: "img", "aria-label": "the machine" });
  drawing.append(svg("rect", { width: 420, height: 120, rx: 8, fill: "var(--felt)" }));
  drawing.append(svg("rect", { x: 130, y: 18, width: 160, height: 84, rx: 8, fill: "#30343a", stroke: "#0d0f11" }));
  drawing.append(svg("rect", { x: 150, y: 32, width: 120, height: 30, rx: 4, fill: "#0d1512" }));
  const line = String(device.state ?? device.doing ?? "");
  drawing.append(svg("text", { x: 210, y: 52, "text-anchor": "middle", "font-size": 14, fill: "#8ef0b6" }, line || "idle"));
  drawing.append(svg("circle", { cx: 210, cy: 82, r: 8, fill: trouble(device) ? "#ff5148" : "#45d483" }));
  return drawing;
}

/** @param {Device} device */
function trouble(device) {
  return Boolean(device.error || device.jammed || device.lid_open || device.locked || device.fault);
}

// --- refreshing ---------------------------------------------------------------------------------

/** @param {State} shown */
function chips(shown) {
  const { device } = shown;
  /** @type {[string | false | null | undefined, boolean][]} */
  const list = [
    [shown.connected ? "cable in" : "cable out", !shown.connected],
    [device.phase ?? device.mode ?? device.state, false],
    [device.plugged === false && "unplugged", true],
    [shown.hung && "hangs", true],
    [shown.silent && "silent behind the server", true],
    [device.error && `error ${device.error}`, true],
    [device.locked && "locked", true],
    [device.jammed && "jammed", true],
    [device.lid_open && "lid open", true],
  ];
  byId("chips").replaceChildren(...list.flatMap(([text, bad]) =>
    (text ? [element("li", bad ? { class: "bad" } : {}, text)] : [])));
}

/** @param {Device} device */
function facts(device) {
  const rows = [];
  for (const [key, value] of Object.entries(device)) {
    if (DRAWN.has(key)) continue;
    const shown = value !== null && typeof value === "object" ? JSON.stringify(value) : String(value ?? "–");
    const short = shown.length > FACT_MAX ? `${shown.slice(0, FACT_MAX)} …` : shown;
    rows.push(element("dt", {}, key.replaceAll("_", " ")), element("dd", {}, short));
  }
  byId("facts").replaceChildren(...rows);
}

/** @param {State} fresh */
function show(fresh) {
  if (JSON.stringify(fresh) === JSON.stringify(state)) return;
  state = fresh;
  const { device } = state;
  document.title = `${state.name} · emulator bench`;
  byId("name").textContent = state.name.replaceAll("_", " ");
  chips(state);
  facts(device);
  byId("drawing").replaceChildren("cards_left" in device ? drawShoe(device) : drawBox(device));
  for (const button of byId("cards").querySelectorAll("button")) {
    const left = device.counts[button.dataset.card ?? ""];
    for (const small of button.getElementsByTagName("small")) small.textContent = left;
    button.disabled = left === 0 && !input("extra").checked;
  }
}

async function refresh() {
  try {
    show(await ask("/state"));
    byId("gone").hidden = true;
  } catch {
    byId("gone").hidden = false;
    stopRobot();
  }
}

async function keepRefreshing() {
  if (!document.hidden) await refresh();
  setTimeout(keepRefreshing, REFRESH_MS);
}

// --- the robot ----------------------------------------------------------------------------------

// It draws whenever the shoe waits for a card, and stops at the first trouble or at an empty shoe.
async function robotDraws() {
  const device = state?.device ?? {};
  const over = device.error || device.locked || !device.cards_left;
  if (over) stopRobot();
  else if (device.phase !== "result shown") await act("draw");
  if (robot !== undefined) robot = setTimeout(robotDraws, Number(input("robot-s").value) * 1000 || 2000);
}

function stopRobot() {
  clearTimeout(robot);
  robot = undefined;
  byId("robot").setAttribute("aria-pressed", "false");
  byId("robot").textContent = "Start robot";
}

function startRobot() {
  byId("robot").setAttribute("aria-pressed", "true");
  byId("robot").textContent = "Stop robot";
  robot = setTimeout(robotDraws, 0);
}

// --- begin --------------------------------------------------------------------------------------

async function begin() {
  words = await ask("/words");
  buildWords();
  byId("draw-next").addEventListener("click", () => act("draw"));
  byId("robot").addEventListener("click", () => (robot === undefined ? startRobot() : stopRobot()));
  byId("extra").addEventListener("change", () => { state = null; refresh(); });
  await keepRefreshing();
}

begin().catch(() => { byId("gone").hidden = false; });
