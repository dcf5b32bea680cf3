#!/usr/bin/env bash
# Installs, updates or removes a floor on a Debian machine. Run it as root; a second run changes
# nothing that is right already. See deploy/manual/floor.md.
set -euo pipefail
umask 022

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/release.sh
. "$here/../release.sh"
script=deploy/floor/install.sh
root=${SABOT_PREFIX:-}/opt/sabot-floor # a prefix: for tests of what happens before anything is installed
etc=${SABOT_PREFIX:-}/etc/sabot-floor
installed=$root/deploy/floor/install.sh
installed_python=$root/venv/bin/python
state=/var/lib/sabot-floor
backups=/var/backups/sabot-floor
wheels=""
config=""
site=""
hosts=()
database=yes
purge=no
maker=""
verified=no
action=install
given=("$@")

usage() {
    cat <<'END'
install.sh [options]          install, or update to what is in the wheelhouse or checkout
  --wheelhouse DIR            offline: everything from this folder (made by `make floor-wheelhouse`)
  --site NAME                 the site's name for good: a-z, 0-9 and -; needed once, unless --config
  --config FILE               becomes /etc/sabot-floor/floor.toml unless there is one
  --host NAME                 the broker runs here and tables call it by this name or address; again for more
  --maker FINGERPRINT         at the first install: the maker's key as it stands on your paper
  --verified                  said by the release that is installed, once it has verified this one
  --no-database               PostgreSQL runs elsewhere, and floor.toml says where
install.sh --uninstall        remove program and services; records, keys, backups and settings stay
install.sh --uninstall --purge   remove keys and settings too; the database and its backups are never removed
END
}

while [ $# -gt 0 ]; do
    case $1 in
        --wheelhouse) wheels=$(cd "${2:?--wheelhouse needs a folder}" && pwd) || exit 1; shift ;;
        --config) config=$(realpath "${2:?--config needs a file}"); shift ;;
        --site) site=${2:?--site needs a name}; shift ;;
        --host) hosts+=("${2:?--host needs a name}"); shift ;;
        --maker) maker=${2:?--maker needs a fingerprint}; shift ;;
        --verified) verified=yes ;;
        --no-database) database=no ;;
        --uninstall) action=uninstall ;;
        --purge) purge=yes ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; fail "there is no option $1" ;;
    esac
    shift
done

[[ -z $site || $site =~ ^[a-z0-9-]+$ ]] || fail "--site takes a-z, 0-9 and -, like marina"
[ "$(id -u)" = 0 ] || fail "run it as root: it makes a user, services and a database"
[ $action = uninstall ] || [ -e "$etc/floor.toml" ] || [ -n "$site$config" ] \
    || fail "name the site (--site) or its file (--config): the name is part of every certificate and cannot be changed later"
offline=yes
[ -n "$wheels" ] || offline=no

# --- what must be there first ---------------------------------------------------------------------

need_packages() {
    need_debian_package "python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'" python3
    need_debian_package "python3 -c 'import ensurepip, venv'" python3-venv
    [ $database = no ] || need_debian_package "command -v pg_lsclusters" postgresql
    [ ${#hosts[@]} = 0 ] || need_debian_package "test -x /usr/sbin/nats-server" nats-server
}

# --- the program: a folder for each release, `venv` and `deploy` point into one ---------------------

make_release() { # FOLDER WHEEL
    local folder=$1 source=()
    [ ! -e "$folder/complete" ] || return 0
    [ $offline = no ] || source=(--no-index --find-links "$wheels")
    rm -rf "$folder"
    mkdir -p "$folder"
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile \
        --only-binary :all: "${source[@]}" --require-hashes -r "$wheels/requirements-floor.lock"
    "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile \
        --no-index --no-deps "$2"
    find "$folder/venv" -name '__pycache__' -type d -prune -exec rm -rf {} +
    cp -r "$(dirname "$here")" "$folder/deploy"
    touch "$folder/complete"
}

use_release() { # FOLDER
    local each
    for each in venv deploy; do
        ln -sfn "$1/$each" "$root/$each.new"
        mv -T "$root/$each.new" "$root/$each"
    done
    for each in "$root"/releases/*; do
        [ "$each" = "$1" ] || rm -rf "$each"
    done
    say "release $(basename "$1")"
}

install_files() {
    local from=$root/deploy/floor unit
    install -D -m 644 "$from/sabot-floor.sysusers" /usr/lib/sysusers.d/sabot-floor.conf
    systemd-sysusers sabot-floor.conf
    install -d -m 750 -o root -g sabot-floor "$etc"
    install -d -m 700 -o sabot-floor -g sabot-floor "$state"
    for unit in "$from"/*.service "$from"/*.timer; do
        install -D -m 644 "$unit" "/etc/systemd/system/$(basename "$unit")"
    done
    install -D -m 755 "$from/sabot-floor" /usr/local/bin/sabot-floor
}

in_nats() { # KEY VALUE: a line of the section [nats]
    sed -i "/^\[nats\]/,/^\[/s|^\(# \)\?$1 = [^#]*|$1 = $2  |" "$etc/floor.toml"
}

install_config() {
    local pair
    [ ! -e "$etc/floor.toml" ] || return 0
    install -m 640 -o root -g sabot-floor "${config:-$here/floor.example.toml}" "$etc/floor.toml"
    [ -n "$config" ] || sed -i "/^\[site\]/,/^\[/s|^name = \"[^\"]*\"|name = \"$site\"|" "$etc/floor.toml"
    if [ -z "$config" ] && [ ${#hosts[@]} = 0 ]; then in_nats servers "[]"; fi
    [ ${#hosts[@]} -gt 0 ] || return 0
    in_nats servers "[\"tls://${hosts[0]}:4222\"]"
    for pair in ca:ca.crt cert:floor.crt key:floor.key; do
        in_nats "${pair%:*}" "\"$state/site/${pair#*:}\""
    done
}

# --- the database ----------------------------------------------------------------------------------

ROLES="floor_owner floor_sink floor_derive floor_web floor_proof floor_retention floor_hooks"

# The service's user is each of the floor's roles, and nobody else is. What the file says of others,
# the server's own user among them, stays as it is: backups go that way.
let_in() { # FOLDER: of the server's files
    local role
    for role in $ROLES; do
        grep -qE "^floor\s+sabot-floor\s+$role\b" "$1/pg_ident.conf" \
            || printf 'floor sabot-floor %s\n' "$role" >>"$1/pg_ident.conf"
    done
    grep -qE '^local\s+sabot_floor\s.*map=floor' "$1/pg_hba.conf" \
        || sed -i "1i local sabot_floor ${ROLES// /,} peer map=floor" "$1/pg_hba.conf"
}

make_database() {
    local version name
    [ $database = yes ] || return 0
    read -r version name _ < <(pg_lsclusters --no-header) || fail "Debian's PostgreSQL has no cluster: pg_createcluster makes one"
    install -D -m 644 "$here/postgresql-restart.conf" \
        "/etc/systemd/system/postgresql@.service.d/50-sabot-floor.conf"
    systemctl daemon-reload
    systemctl enable --now --quiet postgresql.service
    systemctl start "postgresql@$version-$name.service"
    (cd / && runuser -u postgres -- psql --no-psqlrc --quiet -v ON_ERROR_STOP=1 -f -) <"$here/postgresql.sql"
    let_in "/etc/postgresql/$version/$name"
    systemctl reload "postgresql@$version-$name.service"
    install -d -m 700 -o postgres -g postgres "$backups"
}

# --- broker and services ---------------------------------------------------------------------------

make_site() {
    local each said=()
    [ ${#hosts[@]} -gt 0 ] && [ ! -e "$state/site/nats.conf" ] || return 0
    for each in "${hosts[@]}"; do said+=(--host "$each"); done
    systemctl disable --now --quiet nats-server.service 2>/dev/null || true # Debian's takes anybody
    /usr/local/bin/sabot-floor init "${said[@]}"
}

start_services() {
    systemctl daemon-reload
    if [ -e "$state/site/nats.conf" ] && [ -x /usr/sbin/nats-server ]; then
        systemctl enable --quiet sabot-floor-broker.service
        systemctl start sabot-floor-broker.service
    fi
    systemctl enable --quiet sabot-floor.service sabot-floor-archive.timer
    systemctl restart sabot-floor.service || fail "the service did not start: journalctl -u sabot-floor -n 20"
    systemctl start sabot-floor-archive.timer
    [ $database = no ] || systemctl enable --now --quiet sabot-floor-backup.timer
    systemd-analyze security sabot-floor.service 2>/dev/null | tail -n 1 || true
    systemctl --no-pager --lines 0 status sabot-floor.service
}

remove_all() {
    local unit
    for unit in /etc/systemd/system/sabot-floor*; do
        systemctl disable --now --quiet "$(basename "$unit")" 2>/dev/null || true
        rm -rf "$unit"
    done
    rm -f /usr/lib/sysusers.d/sabot-floor.conf /usr/local/bin/sabot-floor \
        /etc/systemd/system/postgresql@.service.d/50-sabot-floor.conf /var/lib/systemd/timers/stamp-sabot-floor-*
    rm -rf "$root"
    systemctl daemon-reload
    if [ $purge = no ]; then
        say "removed; the records stay in PostgreSQL (sabot_floor), keys in $state, backups in $backups, settings in $etc"
        return 0
    fi
    rm -rf "$state" "$etc"
    userdel sabot-floor 2>/dev/null || true
    say "removed, with keys, archive and settings; the records stay in PostgreSQL (sabot_floor), backups in $backups"
}

# At the beginning of a line: by that an installer of another release knows that this one looks.
by_the_installed_release
[ -d /run/systemd/system ] || fail "systemd does not run here"
if [ $action = uninstall ]; then
    remove_all
    exit 0
fi
[ $offline = no ] || say_whom_it_trusts
need_packages
[ $offline = yes ] || { build_wheelhouse requirements-floor.lock; say_whom_it_trusts; }
wheel=$(find "$wheels" -maxdepth 1 -name 'sabot-*.whl' | sort -V | tail -n 1)
[ -n "$wheel" ] || fail "$wheels holds no wheel of Sabot: make it with \`make floor-wheelhouse\`"
release=$root/releases/$(basename "$wheel" | cut -d- -f2)-$(sha256sum "$wheel" | cut -c1-8)
make_release "$release" "$wheel"
use_release "$release"
install_files
install_config
install_key
make_database
make_site
/usr/local/bin/sabot-floor migrate
start_services
rm -rf "$root/incoming"
say "installed: the floor's pages are http://127.0.0.1:8480/ (others reach them with tls_cert and tls_key in [web])"
say "first account: sabot-floor staff add NAME --role pit_manager, then sabot-floor staff totp NAME"
