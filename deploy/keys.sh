#!/usr/bin/env bash
# The table's keys as systemd credentials: sealed by this machine's TPM, opened for the service alone.
# Run it as root. See deploy/manual/keys.md.
set -euo pipefail
umask 077

prefix=${SABOT_PREFIX:-} # another root folder: an image that is being built
plain=$prefix/var/lib/sabot/keys
sealed=$prefix/etc/credstore.encrypted/sabot
units=$prefix/etc/systemd/system
with=""
action=""
to=""

usage() {
    cat <<'END'
keys.sh --seal [--with KEY]   key files become credentials; KEY is what systemd-creds seals with: by
                              itself host+tpm2; with `host` this disk alone opens them, as without a TPM
keys.sh --open DIR            the keys as files in DIR: for the site's safe, or in /var/lib/sabot/keys
                              to go back to files, before a key is replaced
keys.sh --status              where the keys lie
END
}

say() { printf '%s\n' "$*"; }
fail() { printf 'keys.sh: %s\n' "$*" >&2; exit 1; }

while [ $# -gt 0 ]; do
    case $1 in
        --seal) action=seal ;;
        --with) with=${2:?--with needs a kind of key}; shift ;;
        --open) action=open; to=${2:?--open needs a folder}; shift ;;
        --status) action=status ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; fail "there is no option $1" ;;
    esac
    shift
done

[ "$(id -u)" = 0 ] || fail "run it as root: keys are the service's alone"

has_tpm() { [ "$(systemd-creds has-tpm2 2>/dev/null | head -n 1)" = yes ]; }

key_files() { find "$plain" -maxdepth 1 -type f \( -name 'journal.key*' -o -name 'journal.signing*' \) -printf '%f\n' | sort; }

sealed_names() { find "$sealed" -maxdepth 1 -type f -name '*.cred' -printf '%f\n' 2>/dev/null | sed 's/\.cred$//' | sort; }

write_drop_ins() { # both units that read keys
    local unit name
    for unit in sabot sabot-verify; do
        install -d -m 755 "$units/$unit.service.d"
        {
            echo '# Made by keys.sh: the keys come from this machine, not from a file.'
            echo '[Service]'
            for name in $(sealed_names); do
                echo "LoadCredentialEncrypted=$name:/etc/credstore.encrypted/sabot/$name.cred"
            done
        } >"$units/$unit.service.d/50-keys.conf"
        chmod 644 "$units/$unit.service.d/50-keys.conf"
    done
}

reload() { [ -n "$prefix" ] || [ ! -d /run/systemd/system ] || systemctl daemon-reload; }

seal() {
    local name cipher
    [ -n "$with" ] || { has_tpm && with=host+tpm2; } || fail "this machine has no TPM: keys stay files"
    [ -n "$(key_files)" ] || fail "there are no keys in $plain: start the table once"
    [ -z "$(find "$plain" -name '*.next')" ] || fail "a key is being replaced: start the table once"
    install -d -m 700 "$sealed"
    for name in $(key_files); do
        cipher=$sealed/$name.cred
        # To no firmware state: a new BIOS must not keep a table closed. A copied disk stays closed.
        systemd-creds encrypt --quiet --with-key="$with" --tpm2-pcrs= --name="$name" "$plain/$name" "$cipher.new"
        systemd-creds decrypt --quiet --name="$name" "$cipher.new" - 2>/dev/null | cmp --quiet - "$plain/$name" \
            || fail "$name could not be opened again: the files stay"
        mv "$cipher.new" "$cipher"
    done
    write_drop_ins
    sync
    for name in $(key_files); do shred --remove --zero "$plain/$name"; done
    reload
    say "sealed: $(sealed_names | tr '\n' ' ')"
    say "restart the table; without a copy in the site's safe (keys.sh --open DIR) they end with this machine"
}

open_keys() {
    local name owner=root:root
    [ -n "$(sealed_names)" ] || fail "no keys are sealed here"
    install -d -m 700 "$to"
    for name in $(sealed_names); do
        [ ! -e "$to/$name" ] || fail "$to/$name exists: nothing was written over it"
        systemd-creds decrypt --quiet --name="$name" "$sealed/$name.cred" "$to/$name" 2>/dev/null \
            || fail "$name cannot be opened on this machine: is it the one that sealed it?"
        chmod 600 "$to/$name"
    done
    if [ "$(realpath "$to")" = "$(realpath -m "$plain")" ]; then
        [ -n "$prefix" ] || owner=sabot:sabot
        chown -R "$owner" "$to"
        rm -rf "$sealed" "$units"/sabot.service.d/50-keys.conf "$units"/sabot-verify.service.d/50-keys.conf
        reload
    fi
    say "opened into $to: $(find "$to" -maxdepth 1 -type f -printf '%f ')"
}

status() {
    say "files in $plain: $(key_files | tr '\n' ' ')"
    say "sealed in $sealed: $(sealed_names | tr '\n' ' ')"
    if has_tpm; then say "this machine has a TPM"; else say "this machine has no TPM"; fi
}

case $action in
    seal) seal ;;
    open) open_keys ;;
    status) status ;;
    *) usage >&2; exit 1 ;;
esac
