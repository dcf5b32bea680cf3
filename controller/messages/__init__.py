"""Messages for people: codes with typed parameters, and the catalogues with their texts."""
