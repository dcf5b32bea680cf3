CREATE SCHEMA floor;

-- Every record of every table, as it left the table: the copy of record. Nobody updates or deletes.
CREATE TABLE floor.record (
    site text NOT NULL,
    table_id text NOT NULL,
    epoch integer NOT NULL,
    seq bigint NOT NULL,
    at timestamptz NOT NULL,           -- for the month it lies in; `at_s` is what the digest covers
    at_s double precision NOT NULL,
    shoe bigint NOT NULL,
    round bigint NOT NULL,
    kind text NOT NULL,
    version integer NOT NULL,
    body bytea NOT NULL,
    sealed bytea,                      -- SHA-256 of what the journal has there
    digest bytea NOT NULL,
    received timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (site, table_id, epoch, seq, at)
) PARTITION BY RANGE (at);
CREATE TABLE floor.record_default PARTITION OF floor.record DEFAULT;  -- for clocks that are wrong

-- How far each table's records are here: the real guard against doubles.
CREATE TABLE floor.head (
    site text NOT NULL,
    table_id text NOT NULL,
    epoch integer NOT NULL,
    seq bigint NOT NULL,
    digest bytea NOT NULL,
    journal_key bytea,                 -- named by the last `keys` record of those
    received timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (site, table_id, epoch)
);

-- The tables of the site: who they are and where they stand.
CREATE TABLE floor.table_register (
    site text NOT NULL,
    table_id text NOT NULL,
    title text NOT NULL DEFAULT '',
    pit text NOT NULL DEFAULT '',
    epoch integer NOT NULL DEFAULT 1,
    journal_key bytea,                 -- the public half that signs its journal: as first heard, or handed on since
    certificate text,                  -- fingerprint of the certificate that is good now
    bearer bytea,                      -- SHA-256 of the token it shows over HTTPS
    enrolled timestamptz NOT NULL DEFAULT now(),
    revoked timestamptz,
    PRIMARY KEY (site, table_id)
);

-- What a table sent that is another history than the floor has: kept beside it, never in its place.
CREATE TABLE floor.divergence (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site text NOT NULL,
    table_id text NOT NULL,
    epoch integer NOT NULL,
    at_seq bigint NOT NULL,            -- the first record that is another
    instance text NOT NULL,
    journal_key bytea NOT NULL,
    batch bytea NOT NULL,              -- MessagePack, as it came
    batch_sha256 bytea NOT NULL,
    received timestamptz NOT NULL DEFAULT now(),
    UNIQUE (site, table_id, epoch, batch_sha256)
);

-- Every new history of a table, by two people's word.
CREATE TABLE floor.reset_log (
    site text NOT NULL,
    table_id text NOT NULL,
    epoch integer NOT NULL,            -- the new one
    by_who text NOT NULL,
    second text NOT NULL,
    reason text NOT NULL,
    made timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (site, table_id, epoch),
    CHECK (by_who <> second)
);

-- The last beat of each table: what it says of itself between records.
CREATE TABLE floor.beat (
    site text NOT NULL,
    table_id text NOT NULL,
    received timestamptz NOT NULL,
    offset_s double precision NOT NULL,   -- the table's clock less the floor's
    body jsonb NOT NULL,                  -- `controller.protocol.live.Beat`
    PRIMARY KEY (site, table_id)
);

-- Which unit stood at a table as which device, and since when, by its beats.
CREATE TABLE floor.device_unit (
    site text NOT NULL,
    table_id text NOT NULL,
    device text NOT NULL,
    since timestamptz NOT NULL,
    driver text NOT NULL,
    unit text NOT NULL,
    firmware text NOT NULL,
    PRIMARY KEY (site, table_id, device, since)
);

-- Everything below is derived from records and can be rebuilt from them.
CREATE TABLE floor.round (
    site text NOT NULL,
    table_id text NOT NULL,
    epoch integer NOT NULL,
    summary bigint NOT NULL,           -- the number of the summary record
    supersedes bigint,                 -- the summary that holds no longer
    superseded boolean NOT NULL DEFAULT false,
    shoe bigint NOT NULL,
    round bigint NOT NULL,
    ref text,
    began timestamptz NOT NULL,
    ended timestamptz NOT NULL,
    dealer text,
    deck_set text NOT NULL,
    rulebook text NOT NULL,
    method text NOT NULL,
    result text,
    void text,
    corrected boolean NOT NULL,
    misread integer NOT NULL DEFAULT 0, -- cards that people named in another way than the shoe
    rulings jsonb NOT NULL,
    wagers jsonb NOT NULL,
    drop_minor bigint NOT NULL,        -- staked, in the table's minor units
    hold_minor bigint NOT NULL,        -- what the house kept; may be negative
    first bigint NOT NULL,
    last bigint NOT NULL,
    PRIMARY KEY (site, table_id, epoch, summary)
);
CREATE INDEX round_ended ON floor.round (ended);
-- The rounds of one table in an hour are counted anew whenever one of them ends.
CREATE INDEX round_of_table ON floor.round (site, table_id, ended);

CREATE TABLE floor.exception (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site text NOT NULL,
    table_id text NOT NULL,
    epoch integer NOT NULL,
    seq bigint,                        -- the record that opened it; none for a missed beat
    kind text NOT NULL,                -- from records: held, unreadable; by the floor: diverged, unsound, cloned, away, clock, undelivered ...
    what text NOT NULL DEFAULT '',     -- which hold: the latch or the irregularity, by its id
    code text,                         -- the sentence's code, with its gaps
    gaps jsonb NOT NULL DEFAULT '{}',
    text text NOT NULL DEFAULT '',
    clause text,
    role text,                         -- who can decide
    word text,                         -- what that person says
    second boolean NOT NULL DEFAULT false,   -- it takes somebody else than whoever asks
    severity integer NOT NULL,
    since timestamptz NOT NULL,
    closed timestamptz,
    closed_by_seq bigint,
    seen timestamptz,                  -- when it was last seen, of what is over once it has not been seen for a while
    acknowledged_by text,
    acknowledged timestamptz
);
CREATE UNIQUE INDEX exception_once ON floor.exception (site, table_id, epoch, seq, kind, what, since) WHERE seq IS NOT NULL;
-- Of each kind a table has one open row for each thing it is about: a subscriber, a part of the service.
CREATE UNIQUE INDEX exception_standing ON floor.exception (site, table_id, kind, what) WHERE seq IS NULL AND closed IS NULL;
CREATE INDEX exception_open ON floor.exception (since) WHERE closed IS NULL;

CREATE TABLE floor.device_count (
    site text NOT NULL,
    table_id text NOT NULL,
    hour timestamptz NOT NULL,
    device text NOT NULL,
    cards bigint NOT NULL DEFAULT 0,
    misreads bigint NOT NULL DEFAULT 0,
    errors bigint NOT NULL DEFAULT 0,
    link_losses bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (site, table_id, hour, device)
);
-- Records name a device, and beats the unit that stood there: which one it was is looked up, so that
-- what is derived does not depend on which came first.
CREATE VIEW floor.device_hour AS
SELECT c.site, c.table_id, c.hour, c.device, coalesce(u.driver, '') AS driver, coalesce(u.unit, '') AS unit,
       coalesce(u.firmware, '') AS firmware, c.cards, c.misreads, c.errors, c.link_losses
FROM floor.device_count c
LEFT JOIN LATERAL (
    SELECT driver, unit, firmware FROM floor.device_unit u
    WHERE u.site = c.site AND u.table_id = c.table_id AND u.device = c.device
    ORDER BY (u.since < c.hour + interval '1 hour') DESC,
             CASE WHEN u.since < c.hour + interval '1 hour' THEN u.since END DESC NULLS LAST, u.since
    LIMIT 1
) u ON true;

CREATE TABLE floor.dealer_hour (
    site text NOT NULL,
    table_id text NOT NULL,
    hour timestamptz NOT NULL,
    dealer text NOT NULL,
    rounds bigint NOT NULL DEFAULT 0,
    voids bigint NOT NULL DEFAULT 0,
    corrections bigint NOT NULL DEFAULT 0,
    irregularities jsonb NOT NULL DEFAULT '{}',   -- by clause
    seconds double precision NOT NULL DEFAULT 0,  -- whoever comes in its last ten minutes has not dealt for an hour
    PRIMARY KEY (site, table_id, hour, dealer)
);

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

CREATE TABLE floor.derived (           -- how far the derived tables have read the records
    site text NOT NULL,
    table_id text NOT NULL,
    epoch integer NOT NULL,
    seq bigint NOT NULL,
    state bytea NOT NULL,              -- what holds the table after that record, and by which rules
    PRIMARY KEY (site, table_id, epoch)
);

-- What people said through the floor, and what tables answered.
CREATE TABLE floor.order_log (
    id text PRIMARY KEY,
    site text NOT NULL,
    table_id text NOT NULL,
    word text NOT NULL,
    who text NOT NULL,
    role text NOT NULL,
    seen bigint NOT NULL,
    made timestamptz NOT NULL,
    expires timestamptz NOT NULL,
    signed bytea NOT NULL,
    signature bytea NOT NULL,
    outcome text,
    answer jsonb,
    answered timestamptz
);

-- An order has one answer, also for the role that writes it down.
CREATE FUNCTION floor.order_is_answered() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF OLD.outcome IS NOT NULL THEN
        RAISE EXCEPTION 'the order % was answered', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER order_is_answered BEFORE UPDATE ON floor.order_log
    FOR EACH ROW EXECUTE FUNCTION floor.order_is_answered();

-- Standing settings, every version of each.
CREATE TABLE floor.document (
    site text NOT NULL,
    table_id text NOT NULL,            -- '' for all tables of the site
    kind text NOT NULL,
    version bigint NOT NULL,           -- the second it was made in
    body bytea NOT NULL,
    signature bytea NOT NULL,
    made timestamptz NOT NULL DEFAULT now(),
    made_by text NOT NULL,
    PRIMARY KEY (site, table_id, kind, version)
);

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

-- Every hour's heads in one Merkle tree.
CREATE TABLE floor.root (
    site text NOT NULL,
    hour timestamptz NOT NULL,
    root bytea NOT NULL,
    leaves bytea NOT NULL,             -- canonical JSON: the heads in the tree's order
    signature bytea NOT NULL,
    stamp bytea,
    previous bytea NOT NULL,           -- SHA-256 of what was signed before it
    size bigint NOT NULL,
    key bytea NOT NULL,
    number bigint NOT NULL,            -- a root follows the one that was made before it, whatever hour a wrong clock gave that one
    PRIMARY KEY (site, hour),
    UNIQUE (site, number)
);

-- A row is about a file, not about a month: a record that comes when its month has a file gets one of its own.
CREATE TABLE floor.archive (
    site text NOT NULL,
    table_id text NOT NULL,
    epoch integer NOT NULL,
    month date NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    file text NOT NULL,
    sha256 bytea NOT NULL,
    before_digest bytea NOT NULL,      -- of the record before `first`; zeros before record 1
    end_digest bytea NOT NULL,         -- of record `last`
    written timestamptz NOT NULL DEFAULT now(),
    verified timestamptz,
    gone bigint NOT NULL DEFAULT 0,    -- how many of its records the database has let go
    PRIMARY KEY (site, table_id, epoch, file)
);
CREATE INDEX archive_records ON floor.archive (site, table_id, epoch, last);

-- Webhooks: who wants what, and what could not be delivered.
CREATE TABLE floor.subscriber (
    id text PRIMARY KEY,
    url text NOT NULL,
    secret text NOT NULL,
    events text[] NOT NULL,            -- result, void, correction, phase
    tables text[] NOT NULL DEFAULT '{}',   -- none: all
    active boolean NOT NULL DEFAULT true,
    paused text,
    made timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE floor.delivery (
    subscriber text NOT NULL REFERENCES floor.subscriber (id),
    site text NOT NULL,
    table_id text NOT NULL,
    epoch integer NOT NULL,
    seq bigint NOT NULL,               -- delivered up to this record, in order
    failing_since timestamptz,
    tries integer NOT NULL DEFAULT 0,
    last_error text,
    moved bigint NOT NULL DEFAULT 0,   -- how often people moved it
    PRIMARY KEY (subscriber, site, table_id, epoch)
);

-- Who may do what. Nobody updates or deletes a record: not even a grant is there to be misused.
DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY
            ARRAY['floor_sink', 'floor_derive', 'floor_web', 'floor_proof', 'floor_retention', 'floor_hooks'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', name);
        END IF;
    END LOOP;
END $$;
GRANT USAGE ON SCHEMA floor TO floor_sink, floor_derive, floor_web, floor_proof, floor_retention, floor_hooks;
GRANT SELECT ON ALL TABLES IN SCHEMA floor TO floor_derive, floor_web;
REVOKE SELECT ON floor.subscriber, floor.event FROM floor_derive;
REVOKE SELECT ON floor.subscriber FROM floor_web;

GRANT SELECT, INSERT ON floor.record, floor.divergence TO floor_sink;
GRANT SELECT, INSERT, UPDATE ON floor.head, floor.beat TO floor_sink;
GRANT SELECT, INSERT ON floor.table_register, floor.device_unit TO floor_sink;
GRANT UPDATE (journal_key, title, pit) ON floor.table_register TO floor_sink;
GRANT SELECT, INSERT ON floor.exception TO floor_sink;
GRANT UPDATE (closed, text, gaps, since, seen) ON floor.exception TO floor_sink;
GRANT SELECT ON floor.document TO floor_sink;
-- What a table sends again of a month that has gone is held to the ends of its files.
GRANT SELECT ON floor.archive TO floor_sink;

GRANT INSERT, UPDATE, DELETE ON floor.round, floor.exception, floor.device_count, floor.dealer_hour, floor.book_hour,
    floor.stake_hour, floor.order_not_taken, floor.derived TO floor_derive;

GRANT SELECT (id, url, events, tables, active, made, paused) ON floor.subscriber TO floor_web;
GRANT UPDATE (acknowledged_by, acknowledged) ON floor.exception TO floor_web;
-- A record that cannot be read is over once somebody has taken note of it.
GRANT UPDATE (closed) ON floor.exception TO floor_web;
GRANT INSERT ON floor.order_log, floor.document, floor.event TO floor_web;
GRANT UPDATE (outcome, answer, answered) ON floor.order_log TO floor_web;

-- Hourly roots. Two have a part in a file, and neither can do the other's: retention tells of one that it has written,
-- proof reads it and says that it is good. Neither has a way to say which records have gone.
GRANT SELECT ON floor.head, floor.root, floor.archive TO floor_proof;
GRANT INSERT ON floor.root TO floor_proof;
GRANT UPDATE (stamp) ON floor.root TO floor_proof;
GRANT SELECT, INSERT ON floor.exception TO floor_proof; -- a root that lies ahead of the clock
GRANT UPDATE (closed) ON floor.exception TO floor_proof;

-- Months into files, and out of the database.
GRANT SELECT ON floor.record, floor.head, floor.root, floor.archive TO floor_retention;
GRANT INSERT (site, table_id, epoch, month, first, last, file, sha256, before_digest, end_digest)
    ON floor.archive TO floor_retention;

GRANT USAGE ON SCHEMA floor_jobs TO floor_hooks;
GRANT SELECT ON floor.record, floor.head, floor.subscriber, floor.delivery TO floor_hooks;
GRANT INSERT, UPDATE ON floor.delivery TO floor_hooks;
GRANT UPDATE (active, paused) ON floor.subscriber TO floor_hooks;
GRANT SELECT, INSERT ON floor.exception TO floor_hooks;
GRANT UPDATE (closed) ON floor.exception TO floor_hooks;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA floor_jobs TO floor_hooks;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA floor_jobs TO floor_hooks;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA floor_jobs TO floor_hooks;

-- Why a file that is told of cannot be one of the records that are here; none where it can. Nobody changes a record, so
-- what held when all of them were here holds when some of them have gone.
CREATE FUNCTION floor.archive_fault(a floor.archive) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    rows bigint;
    numbers bigint;
BEGIN
    IF EXISTS (SELECT FROM floor.record r WHERE r.site = a.site AND r.table_id = a.table_id AND r.epoch = a.epoch
               AND r.seq = a.last AND r.digest <> a.end_digest) THEN
        RETURN format('its last record is another one than record %s here', a.last);
    END IF;
    IF EXISTS (SELECT FROM floor.record r WHERE r.site = a.site AND r.table_id = a.table_id AND r.epoch = a.epoch
               AND r.seq = a.first - 1 AND r.digest <> a.before_digest) THEN
        RETURN format('it does not follow record %s here', a.first - 1);
    END IF;
    IF a.first < 1 OR a.first > a.last
        OR a.first = 1 AND a.before_digest <> decode(repeat('00', 32), 'hex')
        OR a.first > 1 AND NOT EXISTS (
            SELECT FROM floor.archive b WHERE b.site = a.site AND b.table_id = a.table_id AND b.epoch = a.epoch
            AND b.last = a.first - 1 AND b.end_digest = a.before_digest AND b.verified IS NOT NULL) THEN
        RETURN 'it follows no file that was verified';
    END IF;
    SELECT count(*), count(DISTINCT r.seq) INTO rows, numbers FROM floor.record r
    WHERE r.site = a.site AND r.table_id = a.table_id AND r.epoch = a.epoch AND r.seq BETWEEN a.first AND a.last;
    IF rows <> numbers OR rows + a.gone <> a.last - a.first + 1 THEN
        RETURN format('records %s to %s are not %s here and %s gone', a.first, a.last, rows, a.gone);
    END IF;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION floor.archive_fault FROM PUBLIC;

-- Said by whoever has read the file, of what stands in it: a row that says anything else stays as it is.
CREATE FUNCTION floor.file_proven(
    of_site text, of_table text, of_epoch integer, name text, hash bytea,
    from_seq bigint, to_seq bigint, begins_after bytea, ends_with bytea
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    told floor.archive;
    fault text;
BEGIN
    SELECT * INTO told FROM floor.archive a
    WHERE a.site = of_site AND a.table_id = of_table AND a.epoch = of_epoch AND a.file = name FOR UPDATE;
    IF NOT FOUND OR (told.sha256, told.first, told.last, told.before_digest, told.end_digest)
            IS DISTINCT FROM (hash, from_seq, to_seq, begins_after, ends_with) THEN
        RAISE EXCEPTION 'nobody told of a file % like this', name USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    fault := floor.archive_fault(told);
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'the file % does not fit: %', name, fault USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE floor.archive a SET verified = now()
    WHERE a.site = of_site AND a.table_id = of_table AND a.epoch = of_epoch AND a.file = name;
END $$;
REVOKE ALL ON FUNCTION floor.file_proven FROM PUBLIC;
GRANT EXECUTE ON FUNCTION floor.file_proven TO floor_proof;

-- A month leaves only if each of its records lies in a file that was verified, and never before it has been over for a
-- month, whoever asks. The site's retention is longer than that. Each file that is to hold a record of the month must fit
-- what is here: where it begins, where it ends, and how many records are in between. Three ways round the guard are closed. An interval like '-1200 months +36030 days' is longer than a
-- month and ends long ago, so no part of it may be negative, and the month must have been over for a month whatever
-- it says. 2026-11-01 BC has the name of a month of ours. A transaction that began long ago sees no record that came since.
--
-- What takes long is looked at before anything is locked: nobody changes or deletes a record, so a file that fits keeps
-- fitting unless a record comes to the month. One that did shows by the number of rows, counted first and once more
-- under a lock that keeps writers of this month out; readers go on. Only for the drop itself does everybody wait.
CREATE FUNCTION floor.drop_month(month date, kept interval) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $$
DECLARE
    part text := format('record_%s', to_char(month, 'YYYY_MM'));
    holds text := 'a.site = r.site AND a.table_id = r.table_id AND a.epoch = r.epoch'
        ' AND r.seq BETWEEN a.first AND a.last AND a.verified IS NOT NULL';
    looked_at bigint;
    gone bigint;
    bare record;
    held floor.archive;
    fault text;
BEGIN
    IF kept < interval '1 month' OR least(
            extract(year FROM kept), extract(month FROM kept), extract(day FROM kept),
            extract(hour FROM kept), extract(minute FROM kept), extract(second FROM kept)) < 0 THEN
        RAISE EXCEPTION 'a month stays for one month at least after its end, not %', kept
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF month <> date_trunc('month', month)::date OR month < date '0001-01-01'
            OR to_regclass('floor.' || quote_ident(part)) IS NULL THEN
        RAISE EXCEPTION 'there is no month %', month USING ERRCODE = 'undefined_table';
    END IF;
    IF month + interval '2 months' > now() OR month + interval '1 month' + kept > now() THEN
        RAISE EXCEPTION 'the month % is not old enough to go', month
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'a month goes in a transaction that sees what others have written meanwhile'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('floor.drop_month')); -- two months of one file would count it at once
    EXECUTE format('SELECT count(*) FROM floor.%I', part) INTO looked_at;
    EXECUTE format('SELECT r.site, r.table_id, r.epoch, r.seq FROM floor.%I r WHERE NOT EXISTS ('
                   ' SELECT FROM floor.archive a WHERE %s) LIMIT 1', part, holds) INTO bare;
    IF bare.seq IS NOT NULL THEN
        RAISE EXCEPTION 'record % of %/% (history %) lies in no file that was verified',
            bare.seq, bare.site, bare.table_id, bare.epoch USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    FOR held IN EXECUTE format(
            'SELECT a.* FROM floor.archive a WHERE EXISTS (SELECT FROM floor.%I r WHERE %s)', part, holds) LOOP
        fault := floor.archive_fault(held);
        IF fault IS NOT NULL THEN
            RAISE EXCEPTION 'the file % does not fit: %', held.file, fault
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
    END LOOP;
    EXECUTE format('LOCK TABLE floor.%I IN SHARE MODE', part);
    EXECUTE format('SELECT count(*) FROM floor.%I', part) INTO gone;
    IF gone <> looked_at THEN
        RAISE EXCEPTION 'records came to the month % while its files were looked at', month
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    EXECUTE format('UPDATE floor.archive a SET gone = a.gone + c.count FROM (SELECT a.site, a.table_id, a.epoch, a.file,'
                   ' count(*) FROM floor.archive a JOIN floor.%I r ON %s GROUP BY 1, 2, 3, 4) c'
                   ' WHERE (a.site, a.table_id, a.epoch, a.file) = (c.site, c.table_id, c.epoch, c.file)', part, holds);
    EXECUTE format('ALTER TABLE floor.record DETACH PARTITION floor.%I', part);
    EXECUTE format('DROP TABLE floor.%I', part);
    RETURN gone;
END $$;
REVOKE ALL ON FUNCTION floor.drop_month FROM PUBLIC;
GRANT EXECUTE ON FUNCTION floor.drop_month TO floor_retention;
