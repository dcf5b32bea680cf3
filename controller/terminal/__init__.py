"""The table and its rules on standard input and output: commands for people, JSON for programs."""
