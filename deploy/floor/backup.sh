#!/usr/bin/env bash
# backup.sh FOLDER [DATABASE]: dump the floor's database, restore the dump into a database of its own,
# and keep it only if every table's records are as many there, and end as their head says.
#
# Runs as the owner of the database server. PGHOST and the like say where it is; KEEP how many dumps
# stay (14). A floor that was restored needs nothing else: tables send again what is missing.
set -euo pipefail

folder=${1:?backup.sh FOLDER [DATABASE]}
database=${2:-sabot_floor}
keep=${KEEP:-14}
tried="${database}_tried"
name="floor-$(date --utc +%Y%m%dT%H%M%SZ).dump"

mkdir -p "$folder"
trap 'rm -f "$folder/$name.part"; dropdb --if-exists --force "$tried" || true' EXIT

pg_dump --format=custom --file="$folder/$name.part" "$database"

dropdb --if-exists --force "$tried"
createdb "$tried"
pg_restore --exit-on-error --dbname="$tried" "$folder/$name.part"

# A head without its last record, or records beyond it, would be a dump of two moments.
wrong=$(psql --no-psqlrc --quiet --tuples-only --no-align --dbname="$tried" <<'SQL'
SELECT count(*) FROM floor.head h WHERE h.seq > 0 AND NOT EXISTS (
    SELECT FROM floor.record r WHERE (r.site, r.table_id, r.epoch, r.seq, r.digest)
        = (h.site, h.table_id, h.epoch, h.seq, h.digest))
  AND NOT EXISTS (SELECT FROM floor.archive a WHERE (a.site, a.table_id, a.epoch) = (h.site, h.table_id, h.epoch)
        AND h.seq BETWEEN a.first AND a.last)
SQL
)
if [ "$wrong" != 0 ]; then
    echo "backup.sh: in the restored dump $wrong tables do not end as their head says: it is not kept" >&2
    exit 1
fi

sync "$folder/$name.part"
mv "$folder/$name.part" "$folder/$name"
echo "$folder/$name: $(stat --format=%s "$folder/$name") bytes, restored and looked at"
find "$folder" -maxdepth 1 -name 'floor-*.dump' | sort --reverse | tail --lines=+$((keep + 1)) | xargs --no-run-if-empty rm --
