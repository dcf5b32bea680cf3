// Asking the console. A word that may have been lost on the way is sent again with the same key, so
// it is carried out once; two taps on the same button are one word.

import { t } from "./words.js";

const PATIENCE_MS = 12000;
const TRIES = 4;
let csrf = "";

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || t("The console does not answer"));
    this.status = status;
    this.body = body;
    this.kind = String(body.type || "").split("/").pop();
    this.clause = body.clause || null;
  }
}

export function signedIn(me) {
  csrf = me.csrf || "";
  return me;
}

async function call(method, path, body) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") Object.assign(headers, { "Content-Type": "application/json", "X-Sabot-Csrf": csrf });
  const answer = await fetch(path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, found);
  return found;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
export const whoAmI = async () => signedIn(await get("/api/me"));

const underWay = new Map();
const keys = new Map();

// One tap, one key: the same word with the same fields, said of the same table, is the same tap.
function keyOf(tap) {
  if (!keys.has(tap)) {
    if (keys.size > 50) keys.delete(keys.keys().next().value);
    keys.set(tap, crypto.randomUUID());
  }
  return keys.get(tap);
}

export function speak(word, given, seen, second) {
  const tap = JSON.stringify([word, given, seen, second?.who ?? null]);
  if (!underWay.has(tap)) {
    const body = { key: keyOf(tap), with: given, seen };
    if (second) body.second = second;
    const said = repeated(`/api/words/${word}`, body).finally(() => underWay.delete(tap));
    // What was refused may be said again, and is another tap then.
    said.catch((problem) => problem instanceof Problem && problem.status !== 504 && keys.delete(tap));
    underWay.set(tap, said);
  }
  return underWay.get(tap);
}

async function repeated(path, body) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await post(path, body);
    } catch (error) {
      const lost = !(error instanceof Problem) || error.status === 504;
      if (!lost || tries === TRIES) throw error;
      await new Promise((ready) => setTimeout(ready, 250 * 2 ** tries));
    }
  }
}
