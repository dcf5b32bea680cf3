"""Authentication: accounts, sessions, and the checks before every request."""
