"""The table PC as a machine: hardening, identity, release and retirement."""
