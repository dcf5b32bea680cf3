"""The floor's web side: pages, sign-in and permissions, orders, and the application."""
