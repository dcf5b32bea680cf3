"""How the checks of this repository are grouped and run: `make quick` and `make test-all`."""
