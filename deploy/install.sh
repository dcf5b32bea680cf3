#!/usr/bin/env bash
# Installs, updates, rolls back or removes Sabot on a Debian table PC. Run it as root; a second run
# changes nothing that is right already. See deploy/manual/install.md.
set -euo pipefail
umask 022

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/release.sh
. "$here/release.sh"
script=deploy/install.sh
root=${SABOT_PREFIX:-}/opt/sabot # a prefix: for tests of what happens before anything is installed
etc=${SABOT_PREFIX:-}/etc/sabot
installed=$root/current/deploy/install.sh
installed_python=$root/current/venv/bin/python
wheels=""
config=""
kiosk=no
scanner=""
purge=no
maker=""
verified=no
action=install
given=("$@")

usage() {
    cat <<'END'
install.sh [options]          install, or update to what is in the wheelhouse or checkout
  --wheelhouse DIR            offline: everything from this folder (made by `make wheelhouse`)
  --config FILE               becomes /etc/sabot/table.toml unless there is one
  --scanner VID:PID           let the service open this barcode scanner
  --kiosk                     the dealer's page on this machine's own screen
  --maker FINGERPRINT         at the first install: the maker's key as it stands on your paper
  --verified                  said by the release that is installed, once it has verified this one
install.sh --rollback         back to the release before this one
install.sh --uninstall        remove program and service; journal, keys and settings stay
install.sh --uninstall --purge   remove those too
END
}

while [ $# -gt 0 ]; do
    case $1 in
        --wheelhouse) wheels=$(cd "${2:?--wheelhouse needs a folder}" && pwd) || exit 1; shift ;;
        --config) config=$(realpath "${2:?--config needs a file}"); shift ;;
        --scanner) scanner=${2:?--scanner needs VID:PID}; scanner=${scanner,,}; shift ;;
        --kiosk) kiosk=yes ;;
        --maker) maker=${2:?--maker needs a fingerprint}; shift ;;
        --verified) verified=yes ;;
        --rollback) action=rollback ;;
        --uninstall) action=uninstall ;;
        --purge) purge=yes ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; fail "there is no option $1" ;;
    esac
    shift
done

[ "$(id -u)" = 0 ] || fail "run it as root: it makes a user, a service and device rules"
[ -z "$scanner" ] || [[ $scanner =~ ^[0-9a-f]{4}:[0-9a-f]{4}$ ]] \
    || fail "--scanner takes VID:PID, like 05e0:1200"
offline=yes
[ -n "$wheels" ] || offline=no

running_systemd() { [ -d /run/systemd/system ]; }

# --- what must be there first ---------------------------------------------------------------------

need_packages() {
    need_debian_package "python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'" python3
    need_debian_package "python3 -c 'import ensurepip, venv'" python3-venv
    need_debian_package "command -v logrotate" logrotate
    [ $kiosk = yes ] || return 0
    need_debian_package "command -v cage" cage
    need_debian_package "command -v Xwayland" xwayland # cage does not start without it
    need_debian_package "command -v chromium" chromium
    need_debian_package "fc-list | grep -qi cjk" fonts-noto-cjk
    need_debian_package "dpkg --status libpam-systemd" libpam-systemd
}

# --- a release is a folder of its own; `current` points to one ------------------------------------

find_wheel() {
    local found
    found=$(find "$wheels" -maxdepth 1 -name 'sabot-*.whl' | sort -V | tail -n 1)
    [ -n "$found" ] || fail "$wheels holds no wheel of Sabot: make it with \`make wheelhouse\`"
    printf '%s' "$found"
}

release_name() { # of a wheel
    printf '%s-%s' "$(basename "$1" | cut -d- -f2)" "$(sha256sum "$1" | cut -c1-8)"
}

make_environment() { # FOLDER WHEEL
    local folder=$1 wheel=$2 source=()
    [ $offline = no ] || source=(--no-index --find-links "$wheels")
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile \
        --only-binary :all: "${source[@]}" --require-hashes -r "$wheels/requirements-table.lock"
    "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile \
        --no-index --no-deps "$wheel"
    # What is not needed to play is not there to be changed: only listed files stay.
    "$folder/venv/bin/python" -m pip uninstall --quiet --yes pip setuptools 2>/dev/null || true
    find "$folder/venv" -name '__pycache__' -type d -prune -exec rm -rf {} +
}

make_release() { # WHEEL RELEASE
    local folder=$root/releases/$2
    [ ! -e "$folder/complete" ] || return 0
    rm -rf "$folder"
    mkdir -p "$folder"
    make_environment "$folder" "$1"
    for each in manifest.json manifest.json.sig; do
        [ ! -e "$wheels/$each" ] || install -m 644 "$wheels/$each" "$folder/$each"
    done
    if [ -d "$wheels/deploy" ]; then cp -r "$wheels/deploy" "$folder/deploy"; else cp -r "$here" "$folder/deploy"; fi
    ln -sfn deploy/manual "$folder/manual"
    touch "$folder/complete"
}

as_table() { # a program as the service's user, with the keys that the service gets
    local each sealed=() from=/etc/credstore.encrypted/sabot
    for each in "$from"/*.cred; do
        [ ! -e "$each" ] || sealed+=("--property=LoadCredentialEncrypted=$(basename "$each" .cred):$each")
    done
    if [ ${#sealed[@]} = 0 ]; then
        runuser -u sabot -- "$@"
    else
        systemd-run --quiet --collect --wait --pipe --uid=sabot --gid=sabot "${sealed[@]}" "$@"
    fi
}

use_release() { # RELEASE
    local before=""
    [ ! -L "$root/current" ] || before=$(basename "$(readlink "$root/current")")
    if [ -n "$before" ] && [ "$before" != "$1" ]; then
        # A journal that a newer program has written to may be closed to an older one.
        if [ -e "$etc/table.toml" ]; then
            as_table "$root/releases/$1/venv/bin/python" -I -B -m controller \
                can-open --config "$etc/table.toml" || fail "$1 cannot go on with the journal; $before stays"
        fi
        printf '%s\n' "$before" >"$root/before"
    fi
    install_files "$root/releases/$1/deploy"
    ln -sfn "releases/$1" "$root/current.new"
    mv -T "$root/current.new" "$root/current"
    remove_old_releases
    say "release $1"
}

remove_old_releases() { # all but this one and the one before
    local each
    for each in "$root"/releases/*; do
        case $(basename "$each") in
            "$(basename "$(readlink "$root/current")")" | "$(cat "$root/before" 2>/dev/null)") ;;
            *) rm -rf "$each" ;;
        esac
    done
}

# --- what lies outside the release -----------------------------------------------------------------

install_files() { # a release's own deploy folder, so that a rollback brings its units back too
    local from=$1 unit
    install -D -m 644 "$from/systemd/sabot.sysusers" /usr/lib/sysusers.d/sabot.conf
    install -D -m 644 "$from/systemd/sabot.tmpfiles" /usr/lib/tmpfiles.d/sabot.conf
    install -D -m 644 "$from/systemd/sabot.modules" /usr/lib/modules-load.d/sabot.conf
    systemd-sysusers sabot.conf
    install -d -m 750 -o root -g sabot "$etc"
    if [ ! -e "$etc/table.toml" ]; then
        install -m 640 -o root -g sabot "${config:-$from/table.example.toml}" "$etc/table.toml"
    fi
    systemd-tmpfiles --create sabot.conf
    for unit in "$from"/systemd/*.service "$from"/systemd/*.timer; do
        case $(basename "$unit") in
            sabot-kiosk.service) [ $kiosk = yes ] || [ -e /etc/systemd/system/sabot-kiosk.service ] || continue ;;
        esac
        install -D -m 644 "$unit" "/etc/systemd/system/$(basename "$unit")"
    done
    if [ -e /etc/systemd/system/sabot-kiosk.service ] && [ -d "$from/kiosk" ]; then
        install -D -m 644 "$from/kiosk/sabot.json" /etc/chromium/policies/managed/sabot.json
    fi
    install -D -m 644 "$from/udev/70-sabot.rules" /etc/udev/rules.d/70-sabot.rules
    install -D -m 644 "$from/sabot.logrotate" /etc/logrotate.d/sabot
    install -D -m 755 "$from/sabot" /usr/local/bin/sabot
}

allow_scanner() {
    [ -n "$scanner" ] || return 0
    printf 'SUBSYSTEM=="usb", ATTR{idVendor}=="%s", ATTR{idProduct}=="%s", GROUP="sabot", MODE="0660"\n' \
        "${scanner%:*}" "${scanner#*:}" >/etc/udev/rules.d/71-sabot-scanner.rules
}

make_kiosk_user() {
    [ $kiosk = no ] || id sabot-kiosk >/dev/null 2>&1 \
        || useradd --system --user-group --home-dir /nonexistent --shell /usr/sbin/nologin sabot-kiosk
}

start_service() {
    running_systemd || { say "systemd does not run here: start sabot.service yourself"; return 0; }
    systemctl daemon-reload
    systemctl restart systemd-modules-load.service 2>/dev/null || true
    if udevadm control --reload 2>/dev/null; then
        udevadm trigger --subsystem-match=tty --subsystem-match=usb || true
    fi
    systemctl enable --quiet sabot.service sabot-backup.timer sabot-verify.timer
    [ $kiosk = no ] || systemctl enable --quiet sabot-kiosk.service
    systemctl restart sabot.service || fail "the service did not start: journalctl -u sabot -n 20"
    systemctl start sabot-backup.timer sabot-verify.timer
    systemd-analyze security sabot.service 2>/dev/null | tail -n 1 || true
    systemctl --no-pager --lines 0 status sabot.service
}

seal_keys() { # where there is a TPM the keys leave the disk
    running_systemd && [ "$(systemd-creds has-tpm2 2>/dev/null | head -n 1)" = yes ] || return 0
    [ -e /var/lib/sabot/keys/journal.signing ] || return 0
    "$root/current/deploy/keys.sh" --seal && systemctl restart sabot.service
}

remove_all() {
    if running_systemd; then
        systemctl disable --now --quiet sabot.service sabot-backup.timer sabot-verify.timer 2>/dev/null || true
        systemctl disable --now --quiet sabot-kiosk.service 2>/dev/null || true
    fi
    rm -f /etc/systemd/system/sabot*.service /etc/systemd/system/sabot*.timer \
        /etc/udev/rules.d/70-sabot.rules /etc/udev/rules.d/71-sabot-scanner.rules \
        /usr/lib/sysusers.d/sabot.conf /usr/lib/tmpfiles.d/sabot.conf /usr/lib/modules-load.d/sabot.conf \
        /etc/chromium/policies/managed/sabot.json \
        /etc/logrotate.d/sabot /usr/local/bin/sabot /var/lib/systemd/timers/stamp-sabot-*
    rm -rf "$root"
    if running_systemd; then systemctl daemon-reload; fi
    if [ $purge = no ]; then
        say "removed; journal and keys stay in /var/lib/sabot, settings in $etc"
        return 0
    fi
    rm -rf /var/lib/sabot /var/log/sabot "$etc" /etc/credstore.encrypted/sabot
    rm -f /etc/systemd/system/sabot*.service.d/50-keys.conf
    for each in sabot sabot-kiosk; do userdel "$each" 2>/dev/null || true; done
    say "removed, with journal, keys and settings"
}

# At the beginning of a line: by that an installer of an earlier release knows that this one looks.
by_the_installed_release
case $action in
    install)
        [ $offline = no ] || say_whom_it_trusts
        need_packages
        [ $offline = yes ] || { build_wheelhouse requirements-table.lock; say_whom_it_trusts; }
        wheel=$(find_wheel)
        release=$(release_name "$wheel")
        make_release "$wheel" "$release"
        use_release "$release"
        install_key
        make_kiosk_user
        allow_scanner
        start_service
        seal_keys
        rm -rf "$root/incoming"
        say "installed: the dealer's page is http://127.0.0.1:8470/dealer (another port: console.port)"
        say "first account: sabot staff add NAME --role pit_manager"
        ;;
    rollback)
        [ -e "$root/before" ] || fail "there is no release to go back to"
        before=$(cat "$root/before")
        [ -e "$root/releases/$before/complete" ] || fail "release $before is no longer here"
        use_release "$before"
        start_service
        ;;
    uninstall) remove_all ;;
esac
