"""Who may speak for a table: the site's own authority, and what its broker lets each one do."""
