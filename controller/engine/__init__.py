"""Steps of a table: computed on a value, recorded, then applied; live and in replay alike."""
