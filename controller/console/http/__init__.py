"""The web application: endpoints, their description, the server."""
