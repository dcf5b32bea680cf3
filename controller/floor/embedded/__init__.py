"""A broker and a database from wheels, for demonstrations and tests: no root, no traces."""
