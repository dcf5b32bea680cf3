"""Every word a table understands: one struct each, who may say it and where, and as JSON."""
