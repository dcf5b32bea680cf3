// One's own authenticator: a key is shown once, and its first code shows that the telephone has it.

import { app, me } from "./app.js";
import { t } from "./catalogue.js";
import { ABOUT_THE_PIN } from "./codes.js";
import { ask, foot, toast } from "./dialog.js";
import { h } from "./dom.js";
import { post, Problem, signedIn } from "./http.js";
import { codeField, ownPin } from "./pin.js";
import { failed } from "./saying.js";

/** @import { Done, Me, Speaker } from "./types.d.ts" */

export async function enrolPhone() {
  let key = "";
  /** @param {Speaker} speaker */
  const tell = async ({ secret }) => {
    try {
      ({ key } = /** @type {{ key: string }} */ (await post("/api/me/totp", { secret })));
      return true;
    } catch (error) {
      const problem = Problem.of(error);
      if (ABOUT_THE_PIN.includes(problem.code ?? "")) return problem;
      failed(error);
      return false;
    }
  };
  await ownPin({ me: me(), what: t("Enrol my phone"), label: t("Show the key"), tell });
  if (key) await firstCode(key);
}

// In fours, as it is typed.
/** @param {string} key */
const inFours = (key) => (key.match(/.{1,4}/g) ?? []).join(" ");

/** @param {string} key */
async function firstCode(key) {
  const field = codeField(t("First code"));
  field.autofocus = true;
  /** @param {string} code */
  const tell = async (code) => {
    try {
      app.me = signedIn(/** @type {Me} */ (await post("/api/me/totp/confirm", { code })));
      return true;
    } catch (error) {
      field.value = "";
      failed(error);
      return false;
    }
  };
  const done = await ask(t("Enrol my phone"), (/** @type {Done<string>} */ end) => [
    h("ol", {},
      h("li", {}, t("In the authenticator app on your phone, add an account and type this key.")),
      h("li", {}, t("Account {name}. The key is shown only once:", { name: me().who }), " ",
        h("code", { class: "key", "data-key": "totp-key" }, inFours(key))),
      h("li", {}, t("Enter the code it shows now."), " ", field)),
    foot(end, { label: t("Confirm"), value: () => field.value }),
  ], "", tell);
  if (done !== null) toast(t("Your phone is enrolled."), { tone: "note" });
}
