"""A table's TOML file: typed, checked, explained."""
