"""Webhooks: results, voids, corrections and phases, sent to subscribers signed, in order, with
retries."""
