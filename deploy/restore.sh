#!/usr/bin/env bash
# Puts a backup back: restore.sh BACKUP. Stops the table, moves what is there aside, starts it again.
# Going back behind the last kept record asks two people for their names and PINs.
set -euo pipefail
backup=$(realpath "${1:?restore.sh BACKUP: one of /var/lib/sabot/backups/journal-*.db}")
systemctl stop sabot.service
status=0
runuser -u sabot -- /usr/local/bin/sabot restore "$backup" --config /etc/sabot/table.toml || status=$?
systemctl start sabot.service
exit "$status"
