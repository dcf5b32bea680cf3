// What the console answered, or that it did not: half an answer is none.

import assert from "node:assert/strict";
import { test } from "node:test";
import { get, Problem } from "../../controller/console/static/js/http.js";

/** @param {string} body @param {number} status */
const answering = (body, status) => { globalThis.fetch = async () => new Response(body, { status }); };

test("a good answer that breaks off is no answer", async () => {
  answering('{"counts": {"banker"', 200);
  await assert.rejects(get("/api/roads"), SyntaxError);
});

test("a refusal counts, whatever can be read of it", async () => {
  answering("", 503);
  await assert.rejects(get("/api/roads"), (problem) => problem instanceof Problem && problem.status === 503);
});

test("an answer is what it says", async () => {
  answering('{"counts": {}}', 200);
  assert.deepEqual(await get("/api/roads"), { counts: {} });
});
