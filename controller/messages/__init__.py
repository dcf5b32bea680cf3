"""What Sabot says to people: codes with typed gaps, and the catalogues that put them into words."""
