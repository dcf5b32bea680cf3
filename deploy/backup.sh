#!/usr/bin/env bash
# Backs the journal up now, beside the running table: backup.sh [FOLDER]. The daily timer does the same.
set -euo pipefail
exec runuser -u sabot -- /usr/local/bin/sabot backup --config /etc/sabot/table.toml --to "${1:-/var/lib/sabot/backups}" --keep 30
