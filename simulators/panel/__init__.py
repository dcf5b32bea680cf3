"""A device's own page and its back door over HTTP."""
