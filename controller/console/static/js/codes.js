// The few codes that pages decide by; every other one is only ever said.

/** Somebody higher has to say it; the gap `role` is the least that may. */
export const TAKES_ROLE = "takes_role";

/** What has to be put right before bets close, unless the word says `anyway`: a code of this group. */
export const BEFORE_CLOSING = "close_";

/** Those that are about the differential: who closes over it is told by the book. */
export const OVER_DIFFERENTIAL = ["close_ask_heavy_side", "close_light_side_may_add", "close_pit_manager_removes",
  "close_reject_standing_first"];

/** The first of them: the heavier side is asked to reduce. */
export const ASK_HEAVY_SIDE = "close_ask_heavy_side";

/** Somebody stopped the table; the gap `by` is who. */
export const REMEDY_PAUSED = "remedy_paused";

/** A PIN was wrong: it may be entered again. */
export const WRONG_SECRET = "wrong_secret";

/** Away from the table: name, PIN or code is wrong, or the name is locked there; which is not told. */
export const WRONG_ELSEWHERE = "wrong_elsewhere";

/** Away from the table: the code of the authenticator is missing. */
export const TAKES_CODE = "takes_code";

/** It was wrong once too often: somebody else has to speak, or to unlock the account. */
export const ACCOUNT_LOCKED = "account_locked";

/** What a window for a PIN stays open for. */
export const ABOUT_THE_PIN = [WRONG_SECRET, WRONG_ELSEWHERE, TAKES_CODE, ACCOUNT_LOCKED];
