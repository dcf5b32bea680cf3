"""The connection between an emulated device and the host: cable, unit, ports, USB/IP, server
loop."""
