"""The table and its rules on standard input and output: words for people, JSON for programs."""
