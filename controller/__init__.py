"""The table: events to rounds to journal to screen."""
