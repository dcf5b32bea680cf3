-- The rounds of one table in an hour are counted anew whenever one of them ends.
CREATE INDEX round_of_table ON floor.round (site, table_id, ended);

-- Derived, like what it is counted from: rounds that hold and are not void.
CREATE TABLE floor.book_hour (
    site text NOT NULL,
    table_id text NOT NULL,
    hour timestamptz NOT NULL,
    rulebook text NOT NULL,
    result text NOT NULL,              -- its first letter: B, P or T
    rounds bigint NOT NULL,
    kept_minor bigint NOT NULL,
    PRIMARY KEY (site, table_id, hour, rulebook, result)
);
CREATE INDEX book_hour_hour ON floor.book_hour (site, hour);

-- What lay on one kind of wager, and beside another in the same rounds: each pair once, by its names.
CREATE TABLE floor.stake_hour (
    site text NOT NULL,
    table_id text NOT NULL,
    hour timestamptz NOT NULL,
    rulebook text NOT NULL,
    one text NOT NULL,
    two text NOT NULL,
    staked numeric NOT NULL,           -- on `one`
    product numeric NOT NULL,          -- of both stakes of a round, added up
    PRIMARY KEY (site, table_id, hour, rulebook, one, two)
);
CREATE INDEX stake_hour_hour ON floor.stake_hour (site, hour);

GRANT SELECT, INSERT, UPDATE, DELETE ON floor.book_hour, floor.stake_hour TO floor_derive;
GRANT SELECT ON floor.book_hour, floor.stake_hour TO floor_web;

INSERT INTO floor.book_hour
SELECT site, table_id, date_trunc('hour', ended, 'UTC'), rulebook, left(coalesce(result, ''), 1),
       count(*), sum(hold_minor)
FROM floor.round WHERE NOT superseded AND void IS NULL GROUP BY 1, 2, 3, 4, 5;

INSERT INTO floor.stake_hour
SELECT site, table_id, date_trunc('hour', ended, 'UTC'), rulebook, one.kind, two.kind,
       sum((one.totals->>'staked')::numeric),
       sum((one.totals->>'staked')::numeric * (two.totals->>'staked')::numeric)
FROM floor.round, jsonb_each(wagers) AS one (kind, totals), jsonb_each(wagers) AS two (kind, totals)
WHERE NOT superseded AND void IS NULL AND one.kind COLLATE "C" <= two.kind COLLATE "C"
GROUP BY 1, 2, 3, 4, 5, 6;
