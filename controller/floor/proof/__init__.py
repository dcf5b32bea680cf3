"""Ten years: hourly roots over all heads, months in files, and whoever checks them alone."""
