#!/usr/bin/env bash
# What both installers do before they install anything: Debian's packages, and whose release it is.
# Functions alone, which go by what the installer says: `here`, `root`, `etc`, `wheels`, `offline`,
# `action`, `maker`, `verified` and `given`; `script`, the installer's own name in a release;
# `installed` and `installed_python`, installer and Python of the release that is installed.
# shellcheck disable=SC2154

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

need_debian_package() { # TEST PACKAGE
    if ! eval "$1" >/dev/null 2>&1; then
        [ "$offline" = no ] || fail "Debian's package $2 is missing: install it first, then again"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "$2" >/dev/null
    fi
}

build_wheelhouse() { # LOCK: from a checkout, online
    local checkout=${here%/"${script%/*}"}
    [ -e "$checkout/pyproject.toml" ] || fail "this is no checkout: name a --wheelhouse"
    wheels=$(mktemp -d)
    trap 'rm -rf "$wheels"' EXIT
    python3 -m venv "$wheels/build"
    "$wheels/build/bin/pip" install --quiet --disable-pip-version-check --require-hashes \
        -r "$checkout/requirements.lock"
    "$wheels/build/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
        -w "$wheels" "$checkout"
    cp "$checkout/$1" "$wheels/"
}

# --- whose release it is --------------------------------------------------------------------------

fingerprint() { # of a public key, as `sabot sign make-key` prints it
    base64 --decode "$1" | sha256sum | cut -c1-16 | sed 's/..../&-/g; s/-$//'
}

by_the_installed_release() { # what is installed looks at what is new, before anything of that is run
    [ "$action" = install ] && [ "$verified" = no ] && [ -x "$installed" ] || return 0
    if [ "$offline" = no ]; then
        [ ! -e "$etc/maker.pub" ] \
            || fail "this PC takes releases of key $(fingerprint "$etc/maker.pub") alone, and nobody has signed a checkout"
        return 0
    fi
    grep -q '^by_the_installed_release' "$installed" || return 0 # of a release that could not look yet
    if [ "$(realpath "$installed")" != "$(realpath "$here/install.sh")" ]; then
        exec "$installed" "${given[@]}"
    fi
    [ -e "$etc/maker.pub" ] || return 0 # nobody's release: the next is the first to be somebody's
    rm -rf "$root/incoming"
    mkdir -m 700 "$root/incoming" # a copy of root's alone: what was verified is what is installed
    cp -r --no-preserve=ownership "$wheels/." "$root/incoming/"
    "$installed_python" -I -B -m controller verify-release "$root/incoming" --key "$etc/maker.pub" \
        || { rm -rf "$root/incoming"; fail "$wheels is not taken, and nothing of it was run"; }
    local rest=() skip=no each
    for each in "${given[@]}"; do
        if [ "$skip" = yes ]; then skip=no; elif [ "$each" = --wheelhouse ]; then skip=yes; else rest+=("$each"); fi
    done
    exec "$root/incoming/$script" --verified --wheelhouse "$root/incoming" "${rest[@]}"
}

# What a first install can look at before it runs anything of the release but the installer and this: the list
# that the maker signed (Ed25519), and every file against it, with Debian's own tools.
signed_by() { # KEY FILE: whether the holder of the key signed the file
    local folder status=0
    folder=$(mktemp -d)
    { printf '\060\052\060\005\006\003\053\145\160\003\041\000'; base64 --decode "$1"; } >"$folder/key"
    base64 --decode "$2.sig" >"$folder/sig" || status=1
    openssl pkeyutl -verify -pubin -keyform DER -inkey "$folder/key" -rawin -in "$2" \
        -sigfile "$folder/sig" >/dev/null 2>&1 || status=1
    rm -rf "$folder"
    return "$status"
}

listed_digests() { # LIST: its files as sha256sum reads them; a line it does not know stops it
    sed -E -n '/^ "files": \{$/,/^ \}/{
        /^ ("files": \{|\},?)$/d
        s/^  "([A-Za-z0-9_.+@-][A-Za-z0-9_.+@\/-]*)": "([0-9a-f]{64})",?$/\2  \1/
        p
    }' "$1"
}

verify_by_debians_tools() { # FOLDER: raises for whatever is not as the maker listed it
    local folder=$1 list=$1/release.json found
    signed_by "$folder/maker.pub" "$list" || fail "$list is not as key $(fingerprint "$folder/maker.pub") signed it: nothing is installed"
    found=$(find "$folder" -mindepth 1 ! -type f ! -type d -print -quit)
    [ -z "$found" ] || fail "$found is no plain file: a release has nothing else"
    found=$(cd "$folder" && listed_digests release.json | sha256sum --check --strict --quiet 2>&1 | head -n 5) || true
    [ -z "$found" ] || fail "not as the maker listed it, and nothing is installed: $found"
    found=$(cd "$folder" && comm -13 <(listed_digests release.json | cut -c67- | LC_ALL=C sort) \
        <(find . -type f ! -path ./release.json ! -path ./release.json.sig -printf '%P\n' | LC_ALL=C sort) | head -n 5)
    [ -z "$found" ] || fail "not on the maker's list, and nothing is installed: $found"
}

say_whom_it_trusts() {
    local key=$wheels/maker.pub
    [ "$verified" = no ] || return 0
    if [ ! -e "$key" ]; then
        [ -z "$maker" ] || fail "nobody has signed this release: there is no key $maker"
        say "NOBODY HAS SIGNED THIS RELEASE: you trust whoever gave it to you, and files are not checked."
        return 0
    fi
    [ -z "$maker" ] || [ "${maker,,}" = "$(fingerprint "$key")" ] \
        || fail "this release is of key $(fingerprint "$key"), and your paper says $maker: nothing is installed"
    [ ! -e "$etc/maker.pub" ] || [ "$(fingerprint "$key")" = "$(fingerprint "$etc/maker.pub")" ] \
        || fail "this release is of key $(fingerprint "$key"), and this PC trusts $(fingerprint "$etc/maker.pub")"
    if command -v openssl >/dev/null; then
        verify_by_debians_tools "$wheels"
        say "Every file of this release is as the holder of key $(fingerprint "$key") signed it."
    else
        [ -z "$maker" ] || fail "openssl is missing, and without it no signature is checked: install it first, then again"
        say "NO SIGNATURE WAS CHECKED, because openssl is missing. This release says that it is of key $(fingerprint "$key")."
    fi
    say "COMPARE THE KEY WITH YOUR PAPER. From here on this PC takes releases of it alone. At a first install you"
    say "trust this program, which came with the release, and your paper: the manual says how to look before it runs."
}

install_key() {
    if [ -e "$wheels/maker.pub" ] && [ ! -e "$etc/maker.pub" ]; then
        install -m 644 "$wheels/maker.pub" "$etc/maker.pub"
    fi
}
