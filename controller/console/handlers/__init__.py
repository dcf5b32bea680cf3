"""Request handlers: sign-in, reading, sending a command."""
