"""The layer between drivers and the table: events to payloads, steps to commands for devices."""
