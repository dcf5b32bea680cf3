-- As the owner of the database server: who there is, and the floor's own database. What is there stays.
-- The roles sign in through the socket: pg_ident.conf maps the system user sabot-floor to each.
SELECT 'CREATE ROLE floor_owner LOGIN CREATEROLE'
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'floor_owner') \gexec
SELECT $$CREATE DATABASE sabot_floor OWNER floor_owner ENCODING 'UTF8' TEMPLATE template0$$
    WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'sabot_floor') \gexec
