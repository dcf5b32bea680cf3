// Asking the console. A word that may have been lost on the way is sent again with the same key, so
// it is carried out once; two taps on the same button are one word.

import { t } from "./catalogue.js";
import { sentence } from "./sentences.js";

/** @import { Me, ProblemBody, Said, Seq, Speaker } from "./types.d.ts" */

const PATIENCE_MS = 12000;
const TRIES = 4;
let csrf = "";

/** @type {Record<string, string>} */
const TECHNICAL = {
  stopped: "Table stopped. Call the technician.",
  error: "Console error. If it happens again, tell the technician.",
  bad_request: "Page out of date. Reload it.",
};

export class Problem extends Error {
  /** @param {number} status @param {ProblemBody} body */
  constructor(status, body) {
    super(body.detail || body.title || t("Console not responding"));
    this.status = status;
    this.body = body;
    this.kind = String(body.type || "").split("/").at(-1) ?? "";
    this.clause = body.clause || null;
    this.code = body.code ?? null;
    this.gaps = body.gaps ?? {};
  }

  // What technicians are told (files, fields) is not what a dealer reads.
  get text() {
    const instead = TECHNICAL[this.kind];
    return instead ? t(instead) : sentence(this.code, this.gaps, this.message);
  }

  /** Whatever went wrong; what is no answer of the console has status 0. @param {unknown} error */
  static of(error) {
    return error instanceof Problem ? error : new Problem(0, {});
  }
}

/** @param {Me} me */
export function signedIn(me) {
  csrf = me.csrf || "";
  return me;
}

/** @param {string} method @param {string} path @param {object} [body] @returns {Promise<unknown>} */
async function call(method, path, body) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (method !== "GET") Object.assign(headers, { "Content-Type": "application/json", "X-Sabot-Csrf": csrf });
  const answer = await fetch(path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  // A good answer that broke off is no answer: nothing of it is shown, and a word is said again.
  if (answer.ok) return answer.json();
  throw new Problem(answer.status, await answer.json().catch(() => ({})));
}

/** @param {string} path */
export const get = (path) => call("GET", path);
/** @param {string} path @param {object} [body] */
export const post = (path, body = {}) => call("POST", path, body);
export const whoAmI = async () => signedIn(/** @type {Me} */ (await get("/api/me")));

/** @type {Map<string, Promise<Said>>} */
const underWay = new Map();
/** @type {Map<string, string>} */
const keys = new Map();

// One tap, one key: the same word with the same fields, said of the same table, is the same tap.
/** @param {string} tap */
function keyOf(tap) {
  const known = keys.get(tap);
  if (known) return known;
  if (keys.size > 50) keys.delete(keys.keys().next().value ?? "");
  const made = crypto.randomUUID();
  keys.set(tap, made);
  return made;
}

// `nth`: which of several taps it is that mean the same and all count, as chips on one spot do.
/** @param {string} word @param {object} given @param {Seq} seen @param {Speaker} speaker @param {number} [nth] */
export function speak(word, given, seen, speaker, nth = 0) {
  const tap = JSON.stringify([word, given, seen, speaker.second?.who ?? null, nth]);
  const before = underWay.get(tap);
  if (before) return before;
  const body = { key: keyOf(tap), with: given, seen, ...speaker };
  const said = repeated(`/api/commands/${word}`, body).finally(() => underWay.delete(tap));
  // What was refused may be said again, and is another tap then.
  said.catch((problem) => problem instanceof Problem && problem.status !== 504 && keys.delete(tap));
  underWay.set(tap, said);
  return said;
}

/** @param {string} path @param {object} body */
async function repeated(path, body) {
  for (let tries = 1; ; tries += 1) {
    try {
      return /** @type {Said} */ (await post(path, body));
    } catch (error) {
      const lost = !(error instanceof Problem) || error.status === 504;
      if (!lost || tries === TRIES) throw error;
      await new Promise((ready) => setTimeout(ready, 250 * 2 ** tries));
    }
  }
}
