-- Sign-ins, locks, acknowledgements, publications: who, what, when. Nobody changes or deletes one.
CREATE TABLE floor.event (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    who text NOT NULL,
    what text NOT NULL,
    says text NOT NULL DEFAULT ''
);
CREATE INDEX event_at ON floor.event (site, at);
GRANT SELECT, INSERT ON floor.event TO floor_web;

-- Accounts of the floor are in its private file, as a table's are in the table's.
DROP TABLE floor.account;
