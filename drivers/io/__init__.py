"""The modules that open ports or files; no driver imports them."""
