"""Emulated devices. This package must not import `drivers` or `controller`."""
