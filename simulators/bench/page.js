// The bench page: draws what /state says, makes a button of every word of /words. Asks nobody else.
"use strict";

const REFRESH_MS = 400;
const FACT_MAX = 120;
const RANKS = "A23456789TJQK";
const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const DRAWN = new Set(["cards_left", "next_cards", "counts", "player", "banker", "player_total", "banker_total",
  "last_card", "lid_open", "jammed", "half_drawn", "cutting_card_at"]);
const byId = (id) => document.getElementById(id);
let words = {};
let state = null;
let robot = null;

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function face(card) {
  if (card === "CUT") return "cutting card";
  return (card[0] === "T" ? "10" : card[0]) + SUITS[card[1]];
}

function readable(text) {
  return text === "CUT" || /^[A2-9TJQK][SHDC]$/.test(text) ? face(text) : text;
}

async function ask(path, given) {
  const request = given === undefined ? {} :
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) };
  const reply = await fetch(path, request);
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.error);
  return body;
}

async function act(word, given = {}) {
  const said = byId("said");
  try {
    const { answer } = await ask("/do/" + word, given);
    const shown = answer === null ? "done" : [answer].flat().map(String).map(readable).join(", ");
    said.textContent = word + ": " + shown;
    said.className = "";
  } catch (error) {
    said.textContent = word + ": " + error.message;
    said.className = "bad";
    stopRobot();
  }
  await refresh();
}

// --- words --------------------------------------------------------------------------------------

function fieldOf(word, name, says) {
  const choices = words[word].choices[name];
  const label = element("label", { title: says }, name);
  if (choices.length) {
    const select = element("select", { name });
    for (const choice of choices) select.append(element("option", {}, choice));
    label.append(select);
  } else {
    const usual = /\(([^)]*)\)$/.exec(says);
    label.append(element("input", { name, autocomplete: "off", placeholder: usual ? usual[1] : "" }));
  }
  return label;
}

function formOf(word) {
  const button = element("button", { type: "submit", title: words[word].says }, word.replaceAll("_", " "));
  const row = element("div", { class: "row" }, button);
  for (const [name, says] of Object.entries(words[word].fields)) row.append(fieldOf(word, name, says));
  const form = element("form", { "data-word": word }, row, element("p", {}, explained(word)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = {};
    for (const [key, value] of new FormData(form)) if (value !== "") given[key] = value;
    act(word, given);
  });
  return form;
}

function explained(word) {
  const { says, fields, choices } = words[word];
  const notes = Object.entries(fields)
    .filter(([name, text]) => !choices[name].length && !text.endsWith(")"))
    .map(([name, text]) => name + ": " + text);
  return [says, ...notes].join(" · ");
}

function buildWords() {
  for (const word of Object.keys(words)) byId(words[word].of + "-words").append(formOf(word));
  const draws = "draw" in words;
  for (const id of ["quick", "cards", "slip"]) byId(id).hidden = !draws;
  if (!draws) return;
  for (const suit of Object.keys(SUITS)) {
    for (const rank of RANKS) {
      const card = rank + suit;
      const button = element("button", { type: "button", class: suit, "data-card": card, "aria-label": "draw " + card },
        face(card), element("small"));
      button.addEventListener("click", () => act("draw", byId("extra").checked ? { card, extra: true } : { card }));
      byId("cards").append(button);
    }
  }
}

// --- the drawing --------------------------------------------------------------------------------

function svg(name, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function cardAt(x, y, card) {
  const group = svg("g", { transform: `translate(${x} ${y})` });
  group.append(svg("rect", { width: 34, height: 46, rx: 4, fill: "var(--paper)", stroke: "var(--edge)" }));
  if (card) {
    group.append(svg("text", { x: 17, y: 29, "text-anchor": "middle", "font-size": 16, "font-weight": 700,
      fill: `var(--${{ S: "spades", H: "hearts", D: "diamonds", C: "clubs" }[card[1]]})` }, face(card)));
  }
  return group;
}

function handAt(drawing, x, y, name, cards, total) {
  const heading = cards.length ? `${name} ${total}` : name;
  drawing.append(svg("text", { x, y, "font-size": 12, fill: "#ffffff" }, heading));
  cards.forEach((card, index) => drawing.append(cardAt(x + index * 38, y + 6, card)));
}

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

function trouble(device) {
  return Boolean(device.error || device.jammed || device.lid_open || device.locked || device.fault);
}

// --- refreshing ---------------------------------------------------------------------------------

function chips() {
  const { device } = state;
  const list = [
    [state.connected ? "cable in" : "cable out", !state.connected],
    [device.phase ?? device.mode ?? device.state, false],
    [device.plugged === false && "unplugged", true],
    [state.hung && "hangs", true],
    [state.silent && "silent behind the server", true],
    [device.error && "error " + device.error, true],
    [device.locked && "locked", true],
    [device.jammed && "jammed", true],
    [device.lid_open && "lid open", true],
  ];
  byId("chips").replaceChildren(...list.filter(([text]) => text)
    .map(([text, bad]) => element("li", bad ? { class: "bad" } : {}, text)));
}

function facts(device) {
  const rows = [];
  for (const [key, value] of Object.entries(device)) {
    if (DRAWN.has(key)) continue;
    const shown = value !== null && typeof value === "object" ? JSON.stringify(value) : String(value ?? "–");
    const short = shown.length > FACT_MAX ? shown.slice(0, FACT_MAX) + " …" : shown;
    rows.push(element("dt", {}, key.replaceAll("_", " ")), element("dd", {}, short));
  }
  byId("facts").replaceChildren(...rows);
}

function show(fresh) {
  if (JSON.stringify(fresh) === JSON.stringify(state)) return;
  state = fresh;
  const { device } = state;
  document.title = `${state.name} · emulator bench`;
  byId("name").textContent = state.name.replaceAll("_", " ");
  chips();
  facts(device);
  byId("drawing").replaceChildren("cards_left" in device ? drawShoe(device) : drawBox(device));
  for (const button of byId("cards").children) {
    const left = device.counts[button.dataset.card];
    button.lastChild.textContent = left;
    button.disabled = left === 0 && !byId("extra").checked;
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
  const { device } = state;
  const over = device.error || device.locked || !device.cards_left;
  if (over) stopRobot();
  else if (device.phase !== "result shown") await act("draw");
  if (robot !== null) robot = setTimeout(robotDraws, Number(byId("robot-s").value) * 1000 || 2000);
}

function stopRobot() {
  clearTimeout(robot);
  robot = null;
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
  byId("robot").addEventListener("click", () => (robot === null ? startRobot() : stopRobot()));
  byId("extra").addEventListener("change", () => { state = null; refresh(); });
  await keepRefreshing();
}

begin().catch(() => { byId("gone").hidden = false; });
