ALTER TABLE floor.root
    ADD COLUMN previous bytea NOT NULL,   -- SHA-256 of what was signed the hour before
    ADD COLUMN size bigint NOT NULL,
    ADD COLUMN key bytea NOT NULL;

ALTER TABLE floor.archive
    ADD COLUMN end_digest bytea NOT NULL; -- of record `last`

DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['floor_proof', 'floor_retention'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', name);
        END IF;
    END LOOP;
END $$;
GRANT USAGE ON SCHEMA floor TO floor_proof, floor_retention;

-- Hourly roots.
GRANT SELECT ON floor.head, floor.root TO floor_proof;
GRANT INSERT ON floor.root TO floor_proof;
GRANT UPDATE (stamp) ON floor.root TO floor_proof;

-- Months into files, and out of the database.
GRANT SELECT ON floor.record, floor.head, floor.root, floor.archive TO floor_retention;
GRANT INSERT ON floor.archive TO floor_retention;
GRANT UPDATE (verified) ON floor.archive TO floor_retention;

-- A month leaves only if each of its records lies in a file that was verified, and never before it
-- has been over for a month, whoever asks. The site's retention is longer than that.
CREATE FUNCTION floor.drop_month(month date, kept interval) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $$
DECLARE
    part text := format('record_%s', to_char(month, 'YYYY_MM'));
    gone bigint;
    bare record;
BEGIN
    IF kept < interval '1 month' THEN
        RAISE EXCEPTION 'a month stays for one month at least after its end, not %', kept
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF month <> date_trunc('month', month)::date OR to_regclass('floor.' || quote_ident(part)) IS NULL THEN
        RAISE EXCEPTION 'there is no month %', month USING ERRCODE = 'undefined_table';
    END IF;
    IF month + interval '1 month' + kept > now() THEN
        RAISE EXCEPTION 'the month % is not old enough to go', month
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    EXECUTE format('LOCK TABLE floor.%I IN ACCESS EXCLUSIVE MODE', part);
    EXECUTE format(
        'SELECT r.site, r.table_id, r.epoch, r.seq FROM floor.%I r WHERE NOT EXISTS ('
        '  SELECT FROM floor.archive a WHERE a.site = r.site AND a.table_id = r.table_id'
        '  AND a.epoch = r.epoch AND r.seq BETWEEN a.first AND a.last AND a.verified IS NOT NULL)'
        ' LIMIT 1', part) INTO bare;
    IF bare.seq IS NOT NULL THEN
        RAISE EXCEPTION 'record % of %/% (history %) lies in no file that was verified',
            bare.seq, bare.site, bare.table_id, bare.epoch USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    EXECUTE format('SELECT count(*) FROM floor.%I', part) INTO gone;
    EXECUTE format('ALTER TABLE floor.record DETACH PARTITION floor.%I', part);
    EXECUTE format('DROP TABLE floor.%I', part);
    RETURN gone;
END $$;
REVOKE ALL ON FUNCTION floor.drop_month FROM PUBLIC;
GRANT EXECUTE ON FUNCTION floor.drop_month TO floor_retention;
