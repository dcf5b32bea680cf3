"""A device's bench page and its back door over HTTP."""
