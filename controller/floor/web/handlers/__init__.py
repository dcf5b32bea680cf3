"""What each request of a page asks for, and what comes back."""
