"""What a request asks for, and its answer: signing in, reading, saying a word."""
