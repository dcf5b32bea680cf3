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
