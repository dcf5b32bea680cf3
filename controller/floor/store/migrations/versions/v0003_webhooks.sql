ALTER TABLE floor.subscriber ADD COLUMN paused text;
ALTER TABLE floor.delivery ADD COLUMN moved bigint NOT NULL DEFAULT 0; -- how often people moved it

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'floor_hooks') THEN
        CREATE ROLE floor_hooks LOGIN;
    END IF;
END $$;
GRANT USAGE ON SCHEMA floor, floor_jobs TO floor_hooks;
GRANT SELECT ON floor.record, floor.head, floor.subscriber, floor.delivery TO floor_hooks;
GRANT INSERT, UPDATE ON floor.delivery TO floor_hooks;
GRANT UPDATE (active, paused) ON floor.subscriber TO floor_hooks;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA floor_jobs TO floor_hooks;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA floor_jobs TO floor_hooks;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA floor_jobs TO floor_hooks;
