"""Device drivers: bytes to events and back, without game rules or web code."""
