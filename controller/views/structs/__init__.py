"""The structs that are sent: parts of views, the view of each audience, feed messages."""
