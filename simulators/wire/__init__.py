"""How an emulated device meets the host: cable, unit, ports, USB/IP, the loop that serves it."""
