"""Devices: bytes to events and back. Knows no game and no web."""
