// The few codes that pages decide by; every other one is only ever said.

/** Somebody higher has to say it; the gap `role` is the least that may. */
export const TAKES_ROLE = "takes_role";

/** What has to be put right before bets close, unless the word says `anyway`: a code of this group. */
export const BEFORE_CLOSING = "close_";

/** Those that are about the differential: who closes over it is told by the book. */
export const OVER_DIFFERENTIAL = ["close_ask_heavy_side", "close_light_side_may_add", "close_pit_manager_removes", "close_reject_standing_first"];

/** A PIN was wrong: it may be entered again. */
export const WRONG_SECRET = "wrong_secret";
