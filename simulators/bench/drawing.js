// The device as a drawing: a shoe with its cards, or a box with a lamp. For page.js, which loads first.
"use strict";

/** @param {string} name @param {Record<string, string | number>} [attributes] */
function svg(name, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

/** @type {Record<string, string>} */
const INKS = { S: "black", H: "red", D: "red", C: "black" };

/** @param {number} x @param {number} y @param {string | null} card */
function cardAt(x, y, card) {
  const group = svg("g", { transform: `translate(${x} ${y})` });
  group.append(svg("rect", { width: 34, height: 46, rx: 4, fill: "var(--card)", stroke: "#b9c0bc" }));
  if (card) {
    group.append(svg("text", { x: 17, y: 29, "text-anchor": "middle", "font-size": 16, "font-weight": 700,
      fill: `var(--${INKS[card.charAt(1)]})` }, face(card)));
  }
  return group;
}

/**
 * @param {Element} drawing
 * @param {number} x
 * @param {number} y
 * @param {string} name
 * @param {string[]} cards
 * @param {number} total
 */
function handAt(drawing, x, y, name, cards, total) {
  const heading = cards.length ? `${name} ${total}` : name;
  drawing.append(svg("text", { x, y, "font-size": 12, fill: "#ffffff" }, heading));
  cards.forEach((card, index) => drawing.append(cardAt(x + index * 38, y + 6, card)));
}

/** @param {Device} device */
function drawShoe(device) {
  const drawing = svg("svg", { viewBox: "0 0 420 156", role: "img",
    "aria-label": say("shoe with {n} cards", { n: device.cards_left }) });
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
  drawing.append(svg("text", { x: 20, y: 114, "font-size": 13, fill: "#ffffff" },
    say("{n} cards left", { n: device.cards_left })));
  const next = device.next_cards.map(face).slice(0, 7).join("  ");
  drawing.append(svg("text", { x: 20, y: 146, "font-size": 13, fill: "#ffffff" },
    next ? say("next: {cards}", { cards: next }) : say("the shoe is empty")));
  if (device.half_drawn) drawing.append(cardAt(196, 58, null));
  else if (device.last_card) drawing.append(cardAt(214, 58, device.last_card));
  if (device.player) {
    handAt(drawing, 266, 24, say("Player"), device.player, device.player_total);
    handAt(drawing, 266, 92, say("Banker"), device.banker, device.banker_total);
  }
  return drawing;
}

/** @param {Device} device */
function drawBox(device) {
  const drawing = svg("svg", { viewBox: "0 0 420 120", role: "img", "aria-label": say("the machine") });
  drawing.append(svg("rect", { width: 420, height: 120, rx: 8, fill: "var(--felt)" }));
  drawing.append(svg("rect", { x: 130, y: 18, width: 160, height: 84, rx: 8, fill: "#30343a", stroke: "#0d0f11" }));
  drawing.append(svg("rect", { x: 150, y: 32, width: 120, height: 30, rx: 4, fill: "#0d1512" }));
  const line = String(device.state ?? device.doing ?? "");
  drawing.append(svg("text", { x: 210, y: 52, "text-anchor": "middle", "font-size": 14, fill: "#8ef0b6" },
    say(line || "idle")));
  drawing.append(svg("circle", { cx: 210, cy: 82, r: 8, fill: trouble(device) ? "#ff5148" : "#45d483" }));
  return drawing;
}

/** @param {Device} device */
function trouble(device) {
  return Boolean(device.error || device.jammed || device.lid_open || device.locked || device.fault);
}
