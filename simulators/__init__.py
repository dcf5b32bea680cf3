"""The other end of the wire. Nothing here may import `drivers` or `controller`."""
