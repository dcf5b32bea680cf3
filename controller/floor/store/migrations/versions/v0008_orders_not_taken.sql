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

-- What is in the records already. Alarms are for what comes: of these nobody has to be woken.
DO $$
DECLARE
    noted record;
    said jsonb;
    words text[];
BEGIN
    FOR noted IN SELECT * FROM floor.record WHERE kind = 'step' AND position('"floor_order_not_taken"'::bytea IN body) > 0 LOOP
        BEGIN
            said := convert_from(noted.body, 'UTF8')::jsonb#>'{in,with}';
            IF said->>'what' = 'floor_order_not_taken' THEN
                words := regexp_match(said->>'says', '^([a-z_]+)(?:; (\d+) more were not written down)?$');
                INSERT INTO floor.order_not_taken (site, table_id, epoch, seq, at, who, outcome, orders)
                VALUES (noted.site, noted.table_id, noted.epoch, noted.seq, noted.at, said->>'who', words[1],
                        1 + coalesce(words[2], '0')::bigint);
            END IF;
        EXCEPTION WHEN data_exception OR integrity_constraint_violation THEN
            NULL; -- what the floor cannot read it has told already
        END;
    END LOOP;
END $$;
