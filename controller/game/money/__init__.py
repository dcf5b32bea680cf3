"""Pay-offs of wagers: limits, settlement, rounding."""
