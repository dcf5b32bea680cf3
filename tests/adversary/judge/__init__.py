"""What the adversary must not be able to do, judged by the documents."""
