// A program that sees cards, for Sabot's `shoe_feed`: what a recogniser's own program can start from.
//
//     node feed_client.js 4001          and at the table: --shoe shoe_feed --port socket://HOST:4001
//
// Each line of standard input is an event: CARD 9H 0.993, UNREAD, CUT, LOST. Printed is what is
// durable, on the table's disk, and what people count instead; all else is kept and sent again.
"use strict";
const { randomBytes } = require("node:crypto");
const { createServer } = require("node:net");
const { createInterface } = require("node:readline");
const { crc32 } = require("node:zlib"); // node 22 and later

const session = randomBytes(8).toString("hex"); // new for each run: its numbers begin at 1
const kept = new Map(); // by number, what the table may not have
let last = 0;
let sent = 0;
let table = null;
let welcomed = false; // on this link; before that no event is sent

const check = (text) => crc32(text).toString(16).toUpperCase().padStart(8, "0");
const say = (text) => table?.write(`${text}*${check(text)}\n`);

function send(first) {
  for (let n = first; welcomed && n <= last; n += 1) {
    sent = n;
    say(`${n} ${kept.get(n)}`);
  }
}

function hear(word, ...numbers) {
  if (word === "WHO") {
    welcomed = false;
    say(`HELLO 1 ${session} ${last + 1 - kept.size} ${sent}`);
  } else if (welcomed || word === "WELCOME" || word === "COUNTED") {
    welcomed = true;
    const due = Number(numbers.at(-1)) + (word === "ACK" ? 1 : 0);
    for (const [n, event] of [...kept].filter(([number]) => number < due)) {
      kept.delete(n);
      console.log(word === "COUNTED" ? "counted" : "durable", n, event);
    }
    if (word !== "ACK") send(due);
  }
}

const server = createServer((socket) => {
  table = socket;
  hear("WHO");
  socket.on("error", () => socket.destroy()); // the link is gone: the table comes back
  socket.on("close", () => (welcomed &&= table !== socket));
  createInterface({ input: socket }).on("line", (line) => {
    const [text, sum] = line.split("*");
    if (sum === check(text) && table === socket) hear(...text.split(" "));
  });
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log("listening", server.address().port));

createInterface({ input: process.stdin }).on("line", (line) => {
  kept.set((last += 1), line.trim());
  send(last);
});
