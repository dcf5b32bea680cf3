"""Handlers of the requests of the pages."""
