-- A record that comes when its month has a file gets one of its own: a row is about a file, not about a month.
ALTER TABLE floor.archive DROP CONSTRAINT archive_pkey;
ALTER TABLE floor.archive ADD PRIMARY KEY (site, table_id, epoch, file);
CREATE INDEX archive_records ON floor.archive (site, table_id, epoch, last);

-- What a file is held to: where it begins, and how many of its records the database has let go.
ALTER TABLE floor.archive
    ADD COLUMN before_digest bytea NOT NULL DEFAULT '', -- of the record before `first`; zeros before record 1
    ADD COLUMN gone bigint NOT NULL DEFAULT 0;
ALTER TABLE floor.archive ALTER before_digest DROP DEFAULT;
UPDATE floor.archive a
SET before_digest = CASE WHEN a.first = 1 THEN decode(repeat('00', 32), 'hex') ELSE coalesce(
        (SELECT b.end_digest FROM floor.archive b WHERE (b.site, b.table_id, b.epoch) = (a.site, a.table_id, a.epoch)
         AND b.last = a.first - 1 AND b.verified IS NOT NULL LIMIT 1), '') END,
    gone = greatest(0, a.last - a.first + 1 - (
        SELECT count(*) FROM floor.record r WHERE (r.site, r.table_id, r.epoch) = (a.site, a.table_id, a.epoch)
        AND r.seq BETWEEN a.first AND a.last));

-- Two have a part in a file, and neither can do the other's: retention tells of one that it has written, proof reads
-- it and says that it is good. Neither has a way to say which records have gone.
REVOKE INSERT, UPDATE ON floor.archive FROM floor_retention;
REVOKE UPDATE (verified) ON floor.archive FROM floor_retention;
GRANT INSERT (site, table_id, epoch, month, first, last, file, sha256, before_digest, end_digest)
    ON floor.archive TO floor_retention;
GRANT SELECT ON floor.archive TO floor_proof;

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
