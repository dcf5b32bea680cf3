// The few codes that pages decide by; every other one is only ever said.

/** Somebody higher has to say it; the gap `role` is the least that may. */
export const TAKES_ROLE = "takes_role";

/** What has to be put right before bets close, unless the word says `anyway`: a code of this group. */
export const BEFORE_CLOSING = "close_";
