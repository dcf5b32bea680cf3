// Who ruled: whoever spoke from the floor is seen not to have been at the table.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { use } from "../../controller/console/static/js/catalogue.js";
import { usePeople } from "../../controller/console/static/js/sentences.js";
import { decidedBy, ruler } from "../../controller/console/static/js/titles.js";

const NONE = { sentences: {}, names: {}, pages: {} };
const RULED = { decided_by: "dana", approved_by: "ben" };

beforeEach(() => {
  use("en", NONE, NONE);
  usePeople([{ who: "ben", name: "Ben" }, { who: "dana", name: "Dana" }]);
});

test("each name says whence its word came", () => {
  assert.equal(decidedBy({ ...RULED, from_floor: ["ben"] }), "decided by Dana, approved by Ben (from the floor)");
  assert.equal(decidedBy({ ...RULED, approved_by: "", from_floor: ["dana"] }), "decided by Dana (from the floor)");
});

test("a ruling of people at the table names nobody as away", () => {
  assert.equal(decidedBy(RULED), "decided by Dana, approved by Ben");
  assert.equal(ruler(RULED, "ben"), "Ben");
});
