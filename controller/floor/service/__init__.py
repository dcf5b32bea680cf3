"""The floor as a running service: broker, sink, projections, pages."""
