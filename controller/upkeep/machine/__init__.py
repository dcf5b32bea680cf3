"""The table PC as a machine: closed to other programs, known again, and taken out of service."""
