"""What people look at, worked out from records alone: it can be thrown away and made again."""
