// A program that sees cards, for Sabot's `shoe_feed`: what a recogniser's own program can start from.
//
//     node feed_client.js 4001          and at the table: --shoe shoe_feed --port socket://HOST:4001
//
// Each line of standard input is an event: CARD 9H 0.993, UNREAD, CUT, LOST. What the table has on its
// disk is printed; what it has not is kept and sent again. drivers/shoe_feed/PROTOCOL.md has the rest.
"use strict";
const { randomBytes } = require("node:crypto");
const { createServer } = require("node:net");
const { createInterface } = require("node:readline");
const { crc32 } = require("node:zlib"); // node 22 and later

const session = randomBytes(8).toString("hex"); // new for each run: its numbers begin at 1
const kept = []; // what is not acknowledged; its first has the number `first`
let first = 1;
let sent = 0;
let table = null;

const check = (text) => crc32(text).toString(16).toUpperCase().padStart(8, "0");

function say(text) {
  if (table) table.write(`${text}*${check(text)}\n`);
}

function send(number) {
  for (let n = number; n < first + kept.length; n += 1) {
    sent = Math.max(sent, n);
    say(`${n} ${kept[n - first]}`);
  }
}

function hear(word, ...numbers) {
  const durable = numbers.length ? Number(numbers.at(-1)) - (word === "ACK" ? 0 : 1) : 0;
  for (; kept.length && first <= durable; first += 1) console.log(`durable ${first} ${kept.shift()}`);
  if (word === "WELCOME" || word === "AGAIN") send(first);
  else if (word === "WHO") say(`HELLO 1 ${session} ${first} ${sent}`);
}

const server = createServer((socket) => {
  table = socket;
  hear("WHO");
  socket.on("error", () => socket.destroy()); // the link is gone: it is sent again when the table is back
  socket.on("close", () => {
    if (table === socket) table = null;
  });
  createInterface({ input: socket }).on("line", (line) => {
    const [text, sum] = line.split("*");
    if (sum === check(text) && table === socket) hear(...text.split(" "));
  });
});

server.listen(Number(process.argv[2] ?? 4001), "127.0.0.1", () => {
  console.log(`listening ${server.address().port}`);
});
createInterface({ input: process.stdin }).on("line", (line) => {
  kept.push(line.trim());
  send(first + kept.length - 1);
});
