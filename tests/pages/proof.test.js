// A commitment made by the journal's own code (salt 00..0f, the nine of hearts) is opened here.

import assert from "node:assert/strict";
import { test } from "node:test";

import { checked } from "../../controller/console/static/js/proof.js";

const commitment = "57978116b1708dbfbe4e18132e37adcfcd90b3629f3c4369bf480cf44b433d0d";
const salt = "000102030405060708090a0b0c0d0e0f";

test("a commitment opens with its card and salt", async () => {
  assert.equal(await checked({ commitment, salt, card: "9H" }), true);
});

test("another card, or another salt, does not open it", async () => {
  assert.equal(await checked({ commitment, salt, card: "9S" }), false);
  assert.equal(await checked({ commitment, salt: salt.replace("0f", "0e"), card: "9H" }), false);
});
