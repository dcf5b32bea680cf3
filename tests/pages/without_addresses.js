// Takes every address out of the lock: npm leaves out where packages came from (.npmrc), but not
// where their makers ask for money. `make lock` runs it.

import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf-8"));
for (const each of Object.values(lock.packages)) delete each.funding;
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
