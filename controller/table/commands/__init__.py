"""Every command and event a table accepts: one struct each, who may send it and when, and as
JSON."""
