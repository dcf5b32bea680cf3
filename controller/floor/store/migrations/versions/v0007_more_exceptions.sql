-- Of each kind a table has one open row for each thing it is about: a subscriber, a part of the service.
DROP INDEX floor.exception_standing;
CREATE UNIQUE INDEX exception_standing ON floor.exception (site, table_id, kind, what) WHERE seq IS NULL AND closed IS NULL;
GRANT SELECT, INSERT ON floor.exception TO floor_hooks;
GRANT UPDATE (closed) ON floor.exception TO floor_hooks;
-- A record that cannot be read is over once somebody has taken note of it.
GRANT UPDATE (closed) ON floor.exception TO floor_web;
