#!/usr/bin/env bash
# Installs, updates, rolls back or removes Sabot on a Debian table PC. Run it as root; a second run
# changes nothing that is right already. See deploy/manual/install.md.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=/opt/sabot
etc=/etc/sabot
wheels=""
config=""
kiosk=no
scanner=""
action=install

usage() {
    cat <<'END'
install.sh [options]          install, or update to what is in the wheelhouse or checkout
  --wheelhouse DIR            offline: everything from this folder (made by `make wheelhouse`)
  --config FILE               becomes /etc/sabot/table.toml unless there is one
  --scanner VID:PID           let the service open this barcode scanner
  --kiosk                     the dealer's page on this machine's own screen
install.sh --rollback         back to the release before this one
install.sh --uninstall        remove program and service; journal, keys and settings stay
install.sh --uninstall --purge   remove those too
END
}

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

purge=no
while [ $# -gt 0 ]; do
    case $1 in
        --wheelhouse) wheels=$(cd "${2:?--wheelhouse needs a folder}" && pwd) || exit 1; shift ;;
        --config) config=$(realpath "${2:?--config needs a file}"); shift ;;
        --scanner) scanner=${2:?--scanner needs VID:PID}; shift ;;
        --kiosk) kiosk=yes ;;
        --rollback) action=rollback ;;
        --uninstall) action=uninstall ;;
        --purge) purge=yes ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; fail "there is no option $1" ;;
    esac
    shift
done

[ "$(id -u)" = 0 ] || fail "run it as root: it makes a user, a service and device rules"

running_systemd() { [ -d /run/systemd/system ]; }
systemctl_if_running() { if running_systemd; then systemctl "$@"; fi; }

need_debian_package() { # PROGRAM-OR-TEST PACKAGE
    if ! eval "$1" >/dev/null 2>&1; then
        [ -z "$wheels" ] || fail "Debian's package $2 is missing: install it first, then again"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "$2" >/dev/null
    fi
}

release_name() { # of a wheel
    local wheel=$1
    printf '%s-%s' "$(basename "$wheel" | cut -d- -f2)" "$(sha256sum "$wheel" | cut -c1-8)"
}

find_wheel() {
    local found
    found=$(find "$wheels" -maxdepth 1 -name 'sabot-*.whl' | sort -V | tail -n 1)
    [ -n "$found" ] || fail "$wheels holds no wheel of Sabot: make it with \`make wheelhouse\`"
    printf '%s' "$found"
}

make_environment() { # FOLDER WHEEL
    local folder=$1 wheel=$2 from=()
    [ "$offline" = no ] || from=(--no-index --find-links "$wheels")
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile \
        --only-binary :all: "${from[@]}" --require-hashes -r "$wheels/requirements-table.lock"
    "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile \
        --no-index --no-deps "$wheel"
    # What is not needed to play is not there to be changed: only listed files stay.
    "$folder/venv/bin/python" -m pip uninstall --quiet --yes pip setuptools 2>/dev/null || true
    find "$folder/venv" -name '__pycache__' -type d -prune -exec rm -rf {} +
}

install_release() {
    local wheel release folder
    wheel=$(find_wheel)
    release=$(release_name "$wheel")
    folder=$root/releases/$release
    if [ ! -e "$folder/complete" ]; then
        rm -rf "$folder"
        mkdir -p "$folder"
        make_environment "$folder" "$wheel"
        for each in manifest.json manifest.json.sig; do
            [ ! -e "$wheels/$each" ] || install -m 644 "$wheels/$each" "$folder/$each"
        done
        cp -r "$here" "$folder/deploy"
        ln -sfn deploy/manual "$folder/manual"
        touch "$folder/complete"
    fi
    point_to "$release"
}

point_to() { # RELEASE
    local before=""
    [ ! -L "$root/current" ] || before=$(basename "$(readlink "$root/current")")
    if [ -n "$before" ] && [ "$before" != "$1" ]; then
        # A journal that a newer program has written to may be closed to an older one.
        if [ -e "$etc/table.toml" ]; then
            "$root/releases/$1/venv/bin/python" -I -B -m controller can-open --config "$etc/table.toml" \
                || fail "$1 cannot go on with the journal; $before stays"
        fi
        printf '%s\n' "$before" >"$root/before"
    fi
    ln -sfn "releases/$1" "$root/current.new"
    mv -T "$root/current.new" "$root/current"
    say "release $1"
}

install_files() {
    install -D -m 644 "$here/systemd/sabot.sysusers" /usr/lib/sysusers.d/sabot.conf
    install -D -m 644 "$here/systemd/sabot.tmpfiles" /usr/lib/tmpfiles.d/sabot.conf
    systemd-sysusers sabot.conf
    install -d -m 750 -o root -g sabot "$etc"
    if [ ! -e "$etc/table.toml" ]; then
        install -m 640 -o root -g sabot "${config:-$here/table.example.toml}" "$etc/table.toml"
    fi
    if [ -n "$wheels" ] && [ -e "$wheels/maker.pub" ] && [ ! -e "$etc/maker.pub" ]; then
        install -m 644 "$wheels/maker.pub" "$etc/maker.pub"
    fi
    systemd-tmpfiles --create sabot.conf
    for unit in "$here"/systemd/*.service "$here"/systemd/*.timer; do
        case $(basename "$unit") in sabot-kiosk.service) [ $kiosk = yes ] || continue ;; esac
        install -D -m 644 "$unit" "/etc/systemd/system/$(basename "$unit")"
    done
    install -D -m 644 "$here/udev/70-sabot.rules" /etc/udev/rules.d/70-sabot.rules
    install -D -m 644 "$here/sabot.logrotate" /etc/logrotate.d/sabot
    printf '#!/bin/sh\nexec %s/current/venv/bin/python -I -B -m controller "$@"\n' "$root" \
        >/usr/local/bin/sabot.new
    chmod 755 /usr/local/bin/sabot.new
    mv /usr/local/bin/sabot.new /usr/local/bin/sabot
}

allow_scanner() {
    [ -n "$scanner" ] || return 0
    [[ $scanner =~ ^([0-9a-fA-F]{4}):([0-9a-fA-F]{4})$ ]] || fail "--scanner takes VID:PID, like 05e0:1200"
    printf 'SUBSYSTEM=="usb", ATTR{idVendor}=="%s", ATTR{idProduct}=="%s", GROUP="sabot", MODE="0660"\n' \
        "${BASH_REMATCH[1],,}" "${BASH_REMATCH[2],,}" >/etc/udev/rules.d/71-sabot-scanner.rules
}

install_kiosk() {
    [ $kiosk = yes ] || return 0
    need_debian_package "command -v cage" cage
    need_debian_package "command -v chromium" chromium
    need_debian_package "fc-list | grep -qi cjk" fonts-noto-cjk
    id sabot-kiosk >/dev/null 2>&1 || useradd --create-home --shell /usr/sbin/nologin sabot-kiosk
}

start_service() {
    running_systemd || { say "systemd does not run here: start sabot.service yourself"; return 0; }
    systemctl daemon-reload
    udevadm control --reload 2>/dev/null || true
    systemctl enable --quiet sabot.service sabot-backup.timer sabot-verify.timer
    [ $kiosk = no ] || systemctl enable --quiet sabot-kiosk.service
    systemctl restart sabot.service
    systemctl start sabot-backup.timer sabot-verify.timer
    systemd-analyze security sabot.service 2>/dev/null | tail -n 1 || true
    systemctl --no-pager --lines 0 status sabot.service || fail "the service did not start: journalctl -u sabot"
}

build_wheelhouse() { # from a checkout, online
    local checkout
    checkout=$(dirname "$here")
    [ -e "$checkout/pyproject.toml" ] || fail "this is no checkout: name a --wheelhouse"
    wheels=$(mktemp -d)
    python3 -m venv "$wheels/build"
    "$wheels/build/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$checkout/requirements.lock"
    "$wheels/build/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w "$wheels" "$checkout"
    cp "$checkout/requirements-table.lock" "$wheels/"
}

case $action in
    install)
        offline=yes
        [ -n "$wheels" ] || offline=no
        if [ $offline = no ]; then wheels_wanted=""; else wheels_wanted=$wheels; fi
        wheels=$wheels_wanted need_debian_package "python3 -c 'import ensurepip, venv'" python3-venv
        [ $offline = yes ] || build_wheelhouse
        install_files
        install_kiosk
        install_release
        allow_scanner
        start_service
        say "installed: the dealer's page is http://127.0.0.1:8470/dealer"
        say "first account: sudo -u sabot sabot staff add NAME --role pit_manager --config $etc/table.toml"
        ;;
    rollback)
        [ -e "$root/before" ] || fail "there is no release to go back to"
        point_to "$(cat "$root/before")"
        systemctl_if_running restart sabot.service
        ;;
    uninstall)
        if running_systemd; then
            systemctl disable --now --quiet sabot.service sabot-backup.timer sabot-verify.timer 2>/dev/null || true
            systemctl disable --now --quiet sabot-kiosk.service 2>/dev/null || true
        fi
        rm -f /etc/systemd/system/sabot*.service /etc/systemd/system/sabot*.timer \
            /etc/udev/rules.d/70-sabot.rules /etc/udev/rules.d/71-sabot-scanner.rules \
            /usr/lib/sysusers.d/sabot.conf /usr/lib/tmpfiles.d/sabot.conf /etc/logrotate.d/sabot /usr/local/bin/sabot
        rm -rf "$root"
        systemctl_if_running daemon-reload
        if [ $purge = yes ]; then
            rm -rf /var/lib/sabot /var/log/sabot "$etc"
            userdel sabot 2>/dev/null || true
            say "removed, with journal, keys and settings"
        else
            say "removed; journal and keys stay in /var/lib/sabot, settings in $etc"
        fi
        ;;
esac
