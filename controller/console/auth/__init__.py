"""Who may come in: accounts, sessions, and what stands before every request."""
