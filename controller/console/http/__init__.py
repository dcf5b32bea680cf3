"""The web application: its endpoints, their description, the server."""
