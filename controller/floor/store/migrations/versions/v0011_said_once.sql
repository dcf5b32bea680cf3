-- A version is the second it was made in: 2038 comes, and a clock that is wrong may be there already.
ALTER TABLE floor.document ALTER COLUMN version TYPE bigint;

-- When it was last seen, of what is over once it has not been seen for a while.
ALTER TABLE floor.exception ADD COLUMN seen timestamptz;
GRANT UPDATE (seen) ON floor.exception TO floor_sink;

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

-- How long somebody dealt in an hour: whoever comes in its last ten minutes has not dealt for an hour.
ALTER TABLE floor.dealer_hour ADD COLUMN seconds double precision NOT NULL DEFAULT 0;
UPDATE floor.dealer_hour d SET seconds = r.seconds FROM (
    SELECT site, table_id, date_trunc('hour', ended, 'UTC') AS hour, coalesce(dealer, 'nobody') AS dealer,
           extract(epoch FROM max(ended) - greatest(min(began), date_trunc('hour', min(ended), 'UTC'))) AS seconds
    FROM floor.round WHERE NOT superseded GROUP BY 1, 2, 3, 4) r
WHERE (d.site, d.table_id, d.hour, d.dealer) = (r.site, r.table_id, r.hour, r.dealer);
