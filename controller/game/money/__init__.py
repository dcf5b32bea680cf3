"""What wagers get: limits, settlement, and how a payment becomes whole."""
