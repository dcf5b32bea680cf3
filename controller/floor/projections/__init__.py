"""Projections of records for the pages; they can be deleted and rebuilt from records alone."""
