-- As before, and each file that is to hold a record of the month must fit what is here: where it begins, where it ends,
-- and how many records are in between. Three ways round the guard are closed. An interval like '-1200 months +36030 days' is longer than a
-- month and ends long ago, so no part of it may be negative, and the month must have been over for a month whatever
-- it says. 2026-11-01 BC has the name of a month of ours. A transaction that began long ago sees no record that came since.
--
-- What takes long is looked at before anything is locked: nobody changes or deletes a record, so a file that fits keeps
-- fitting unless a record comes to the month. One that did shows by the number of rows, counted first and once more
-- under a lock that keeps writers of this month out; readers go on. Only for the drop itself does everybody wait.
CREATE OR REPLACE FUNCTION floor.drop_month(month date, kept interval) RETURNS bigint
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

-- A root follows the one that was made before it, whatever hour a wrong clock gave that one.
ALTER TABLE floor.root ADD COLUMN number bigint;
UPDATE floor.root r SET number = n.number
FROM (SELECT site, hour, row_number() OVER (PARTITION BY site ORDER BY hour) AS number FROM floor.root) n
WHERE (r.site, r.hour) = (n.site, n.hour);
ALTER TABLE floor.root ALTER number SET NOT NULL, ADD UNIQUE (site, number);
GRANT SELECT, INSERT ON floor.exception TO floor_proof; -- a root that lies ahead of the clock
GRANT UPDATE (closed) ON floor.exception TO floor_proof;

-- What a table sends again of a month that has gone is held to the ends of its files.
GRANT SELECT ON floor.archive TO floor_sink;
