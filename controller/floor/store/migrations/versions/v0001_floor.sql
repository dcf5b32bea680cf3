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
    acknowledged_by text,
    acknowledged timestamptz
);
CREATE UNIQUE INDEX exception_once ON floor.exception (site, table_id, epoch, seq, kind, what, since) WHERE seq IS NOT NULL;
CREATE UNIQUE INDEX exception_standing ON floor.exception (site, table_id, kind) WHERE seq IS NULL AND closed IS NULL AND kind IN ('diverged', 'unsound', 'cloned', 'away', 'clock');
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
    PRIMARY KEY (site, table_id, hour, dealer)
);

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

-- Standing settings, every version of each.
CREATE TABLE floor.document (
    site text NOT NULL,
    table_id text NOT NULL,            -- '' for all tables of the site
    kind text NOT NULL,
    version integer NOT NULL,
    body bytea NOT NULL,
    signature bytea NOT NULL,
    made timestamptz NOT NULL DEFAULT now(),
    made_by text NOT NULL,
    PRIMARY KEY (site, table_id, kind, version)
);

-- The floor's own people.
CREATE TABLE floor.account (
    who text PRIMARY KEY,
    id text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    secret text NOT NULL,              -- argon2
    totp bytea,
    failures integer NOT NULL DEFAULT 0,
    locked boolean NOT NULL DEFAULT false,
    made timestamptz NOT NULL DEFAULT now()
);

-- Every hour's heads in one Merkle tree.
CREATE TABLE floor.root (
    site text NOT NULL,
    hour timestamptz NOT NULL,
    root bytea NOT NULL,
    leaves bytea NOT NULL,             -- canonical JSON: the heads in the tree's order
    signature bytea NOT NULL,
    stamp bytea,
    PRIMARY KEY (site, hour)
);

CREATE TABLE floor.archive (
    site text NOT NULL,
    table_id text NOT NULL,
    epoch integer NOT NULL,
    month date NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    file text NOT NULL,
    sha256 bytea NOT NULL,
    written timestamptz NOT NULL DEFAULT now(),
    verified timestamptz,
    PRIMARY KEY (site, table_id, epoch, month)
);

-- Webhooks: who wants what, and what could not be delivered.
CREATE TABLE floor.subscriber (
    id text PRIMARY KEY,
    url text NOT NULL,
    secret text NOT NULL,
    events text[] NOT NULL,            -- result, void, correction, phase
    tables text[] NOT NULL DEFAULT '{}',   -- none: all
    active boolean NOT NULL DEFAULT true,
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
    PRIMARY KEY (subscriber, site, table_id, epoch)
);

-- Who may do what. Nobody updates or deletes a record: not even a grant is there to be misused.
DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['floor_sink', 'floor_derive', 'floor_web'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', name);
        END IF;
    END LOOP;
END $$;
GRANT USAGE ON SCHEMA floor TO floor_sink, floor_derive, floor_web;
GRANT SELECT ON ALL TABLES IN SCHEMA floor TO floor_derive, floor_web;
REVOKE SELECT ON floor.account, floor.subscriber FROM floor_derive;

GRANT SELECT, INSERT ON floor.record, floor.divergence TO floor_sink;
GRANT SELECT, INSERT, UPDATE ON floor.head, floor.beat TO floor_sink;
GRANT SELECT, INSERT ON floor.table_register, floor.device_unit TO floor_sink;
GRANT UPDATE (journal_key, title, pit) ON floor.table_register TO floor_sink;
GRANT SELECT, INSERT ON floor.exception TO floor_sink;
GRANT UPDATE (closed, text, gaps, since) ON floor.exception TO floor_sink;
GRANT SELECT ON floor.document TO floor_sink;

GRANT INSERT, UPDATE, DELETE ON floor.round, floor.exception, floor.device_count, floor.dealer_hour, floor.derived TO floor_derive;

GRANT UPDATE (acknowledged_by, acknowledged) ON floor.exception TO floor_web;
GRANT INSERT, UPDATE ON floor.order_log TO floor_web;
GRANT INSERT ON floor.document TO floor_web;
GRANT INSERT, UPDATE, DELETE ON floor.account TO floor_web;
