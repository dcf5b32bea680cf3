-- Derived from records, like rounds: forged, replayed, late, for another table, or too many to note.
CREATE TABLE floor.order_not_taken (
    site text NOT NULL,
    table_id text NOT NULL,
    epoch integer NOT NULL,
    seq bigint NOT NULL,               -- the record in which the table noted it
    at timestamptz NOT NULL,
    who text NOT NULL,                 -- in whose name; `floor` where nobody's signature was on it
    outcome text,                      -- `controller.protocol.orders.Outcome`; none where only counted
    orders bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (site, table_id, epoch, seq)
);
CREATE INDEX order_not_taken_at ON floor.order_not_taken (site, at);
GRANT SELECT, INSERT, UPDATE, DELETE ON floor.order_not_taken TO floor_derive;
GRANT SELECT ON floor.order_not_taken TO floor_web;
