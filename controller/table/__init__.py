"""What a table knows and what may be said to it: values and words, and nothing that acts."""
