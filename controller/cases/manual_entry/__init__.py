"""Cards that people name or count because no device read them: manual mode, entry, the count."""
