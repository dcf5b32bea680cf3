"""The journal: every step on disk before anybody sees it, chained, readable and checkable."""
