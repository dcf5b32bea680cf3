// The bench page: draws what /state says, makes a button of every word of /words. Asks nobody else.
"use strict";

const REFRESH_MS = 400;
const MAX_FACT = 120;
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
  if (card === "CUT") return say("cutting card");
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
  if (!reply.ok) throw new Error(body.sentence ? refusal(body) : say(body.error));
  return body;
}

// Names of words, fields and cards stand in a refusal's gaps: each as this page writes it.
/** @param {{ sentence: string, gaps: Record<string, string> }} refused */
function refusal({ sentence, gaps }) {
  const parts = Object.entries(gaps).map(([name, value]) =>
    [name, value.split(", ").map((each) => readable(isChinese ? say(each.replaceAll("_", " ")) : each))
      .join(isChinese ? "、" : ", ")]);
  return say(sentence.replaceAll("!r}", "}").replaceAll(":g}", "}"), Object.fromEntries(parts));
}

/** @param {string} word @param {object} [given] */
async function act(word, given = {}) {
  const said = byId("said");
  try {
    const { answer } = await ask(`/do/${word}`, given);
    const shown = answer === null ? say("done") : [answer].flat().map(String).map(readable).join(", ");
    said.textContent = told(word, shown);
    said.className = "";
  } catch (error) {
    said.textContent = told(word, String(error instanceof Error ? error.message : error));
    said.className = "bad";
    stopRobot();
  }
  await refresh();
}

/** @param {string} word @param {string} what */
const told = (word, what) => say("{word}: {what}", { word: isChinese ? say(word.replaceAll("_", " ")) : word, what });

// --- words --------------------------------------------------------------------------------------

/** @param {Word} word @param {string} name @param {string} says */
function fieldOf(word, name, says) {
  const choices = word.choices[name] ?? [];
  const label = element("label", isChinese ? {} : { title: says }, say(name));
  if (choices.length) {
    const select = element("select", { name });
    for (const choice of choices) select.append(element("option", { value: choice }, say(choice)));
    label.append(select);
  } else {
    const usual = /\(([^)]*)\)$/.exec(says);
    label.append(element("input", { name, autocomplete: "off", placeholder: isChinese ? "" : usual?.[1] ?? "" }));
  }
  return label;
}

/** @param {string} name @param {Word} word */
function formOf(name, word) {
  const button = element("button", { type: "submit", title: say(word.says) }, say(name.replaceAll("_", " ")));
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
  if (isChinese) return say(says);
  const notes = Object.entries(fields)
    .filter(([name, text]) => !choices[name]?.length && !text.endsWith(")"))
    .map(([name, text]) => `${name}: ${text}`);
  return [says, ...notes].join(" · ");
}

// What a newcomer tries first, on top: the rest is behind a fold.
/** @type {[string, string, Record<string, unknown>, string, string?][]} */
const USUAL = [
  ["press", "Forced exit", { button: "forced_exit" }, "X", "way-out"],
  ["press", "Clear error", { button: "clear" }, "C"],
  ["draw_two", "Two at once", { read: "both" }, "2"],
  ["overdraw", "Excess card", {}, ""],
  ["unreadable", "Unreadable card", {}, ""],
  ["foreign", "Foreign card", {}, ""],
];
// What is either one way or the other is one button.
/**
 * @type {[string, string, string, (shown: State) => boolean, Record<string, unknown>, string, Record<string,
 * unknown>][]}
 */
const EITHER = [
  ["Pull the cable", "Plug the cable in", "unplug", (shown) => !shown.connected, {}, "plug", {}],
  ["Open the lid", "Close the lid", "lid", (shown) => Boolean(shown.device.lid_open), { open: true }, "lid",
    { open: false }],
];

function buildUsual() {
  for (const [word, label, given, key, className] of USUAL) {
    const known = words[word];
    const fits = known && (word !== "press" || (known.choices.button ?? []).includes(String(given.button)));
    if (!fits) continue;
    const button = element("button", { type: "button", "data-usual": word, title: say(known.says),
      ...(className ? { class: className } : {}) },
      ...(key ? [element("kbd", {}, key), " "] : []), say(label));
    button.addEventListener("click", () => act(word, given));
    byId("usual").append(button);
  }
  for (const [label, , word, isSo, given, back, givenBack] of EITHER) {
    if (!words[word] || !words[back]) continue;
    const button = element("button", { type: "button", "data-usual": word }, say(label));
    button.addEventListener("click", () => (state && isSo(state) ? act(back, givenBack) : act(word, given)));
    byId("usual").append(button);
  }
}

/** @param {State} shown */
function showEither(shown) {
  for (const [label, other, word, isSo] of EITHER) {
    const button = byId("usual").querySelector(`[data-usual="${word}"]`);
    if (button) button.textContent = say(isSo(shown) ? other : label);
  }
}

// A letter does what it stands beside, unless something is being typed.
/** @param {KeyboardEvent} event */
function byKey(event) {
  const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
  if (typing || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  for (const button of document.querySelectorAll("button")) {
    const mark = button.querySelector("kbd");
    if (mark?.textContent === event.key.toUpperCase() && !button.disabled && button.checkVisibility()) button.click();
  }
}

function buildWords() {
  for (const [name, word] of Object.entries(words)) byId(`${word.of}-words`).append(formOf(name, word));
  buildUsual();
  const draws = "draw" in words;
  for (const id of ["draw-next", "choose", "by-itself"]) byId(id).hidden = !draws;
  if (!draws) return;
  for (const suit of Object.keys(SUITS)) {
    for (const rank of RANKS) {
      const card = rank + suit;
      const button = element("button", { type: "button", class: suit, "data-card": card,
        "aria-label": say("draw {card}", { card }) },
        face(card), element("small"));
      button.addEventListener("click", () => act("draw", input("extra").checked ? { card, extra: true } : { card }));
      byId("cards").append(button);
    }
  }
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
    [device.error && say("error {n}", { n: device.error }), true],
    [device.locked && "locked", true],
    [device.jammed && "jammed", true],
    [device.lid_open && "lid open", true],
  ];
  byId("chips").replaceChildren(...list.flatMap(([text, bad]) =>
    (text ? [element("li", bad ? { class: "bad" } : {}, say(text))] : [])));
}

/** @param {Device} device */
function facts(device) {
  const rows = [];
  for (const [key, value] of Object.entries(device)) {
    if (DRAWN.has(key)) continue;
    const shown = value !== null && typeof value === "object" ? JSON.stringify(value) : String(value ?? "–");
    const short = shown.length > MAX_FACT ? `${shown.slice(0, MAX_FACT)} …` : shown;
    rows.push(element("dt", {}, say(key.replaceAll("_", " "))), element("dd", {}, say(short)));
  }
  byId("facts").replaceChildren(...rows);
}

/** @param {State} fresh */
function show(fresh) {
  if (JSON.stringify(fresh) === JSON.stringify(state)) return;
  state = fresh;
  const { device } = state;
  document.title = say("{name} · emulator panel", { name: state.name });
  byId("name").textContent = state.name.replaceAll("_", " ");
  chips(state);
  facts(device);
  showEither(state);
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

// --- drawing by itself ----------------------------------------------------------------------------------

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
  byId("robot").textContent = say("Start drawing");
}

function startRobot() {
  byId("robot").setAttribute("aria-pressed", "true");
  byId("robot").textContent = say("Stop drawing");
  robot = setTimeout(robotDraws, 0);
}

// --- begin --------------------------------------------------------------------------------------

async function begin() {
  const theme = new URLSearchParams(location.search).get("theme"); // of the page that frames this one
  if (theme) document.documentElement.dataset.theme = theme;
  words = await ask("/words");
  buildWords();
  byId("draw-next").addEventListener("click", () => act("draw"));
  byId("robot").addEventListener("click", () => (robot === undefined ? startRobot() : stopRobot()));
  // a tap before would be lost
  for (const button of document.querySelectorAll("#draw-next, #robot")) button.removeAttribute("disabled");
  addEventListener("keydown", byKey);
  byId("choose").toggleAttribute("open", innerWidth >= 900);
  byId("extra").addEventListener("change", () => { state = null; refresh(); });
  await keepRefreshing();
}

begin().catch(() => { byId("gone").hidden = false; });
