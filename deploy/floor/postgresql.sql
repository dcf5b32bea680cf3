-- Once, as the owner of the database server: who there is, and the floor's own database.
-- The roles sign in through the socket: pg_ident.conf maps the system user sabot-floor to each.
CREATE ROLE floor_owner LOGIN CREATEROLE;
CREATE DATABASE sabot_floor OWNER floor_owner ENCODING 'UTF8' TEMPLATE template0;
