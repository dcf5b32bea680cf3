"""The floor as a running service: wire, sink, what is derived, pages."""
