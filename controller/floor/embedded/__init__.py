"""A broker and a database from wheels, to try a floor and to test one: no root, nothing left."""
