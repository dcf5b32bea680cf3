"""The floor's pages: what they show, who may look and speak, and the application."""
