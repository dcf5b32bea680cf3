#!/usr/bin/env bash
# Makes a Debian package of a wheelhouse: deb.sh WHEELHOUSE OUT. The package carries the wheelhouse
# and runs the same installer.
set -euo pipefail
wheels=$1 out=$2
wheel=$(basename "$(find "$wheels" -maxdepth 1 -name 'sabot-*.whl')")
version=$(printf '%s' "$wheel" | cut -d- -f2)
architecture=$(dpkg --print-architecture)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
chmod 755 "$stage"
mkdir -p "$stage/DEBIAN" "$stage/usr/share/sabot" "$stage/usr/share/doc/sabot"
cp -r "$wheels" "$stage/usr/share/sabot/wheelhouse"
cp "$(dirname "$0")/../LICENSE" "$stage/usr/share/doc/sabot/copyright"
find "$stage/usr" -type d -exec chmod 755 {} + -o -type f -exec chmod u+rw,go+r-w {} +
chmod 755 "$stage/usr/share/sabot/wheelhouse/deploy/"*.sh
cat >"$stage/DEBIAN/control" <<END
Package: sabot
Version: $version
Architecture: $architecture
Section: misc
Priority: optional
Maintainer: The Sabot maintainers <maintainers@sabot.invalid>
Depends: python3 (>= 3.11), python3-venv, systemd, udev, logrotate
Recommends: chromium, cage, xwayland, fonts-noto-cjk, libpam-systemd
Description: controller for live baccarat tables
 Runs a baccarat table with an electronic shoe and shuffler by the rules a regulator has approved,
 keeps every step on disk, and serves the dealer's, the pit's and the public's pages.
END
cat >"$stage/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e
if [ "$1" = configure ]; then
    /usr/share/sabot/wheelhouse/deploy/install.sh --wheelhouse /usr/share/sabot/wheelhouse
fi
END
cat >"$stage/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ]; then
    /usr/share/sabot/wheelhouse/deploy/install.sh --uninstall
fi
END
cat >"$stage/DEBIAN/postrm" <<'END'
#!/bin/sh
set -e
if [ "$1" = purge ]; then
    rm -rf /var/lib/sabot /var/log/sabot /etc/sabot
    for each in sabot sabot-kiosk; do userdel "$each" 2>/dev/null || true; done
fi
END
chmod 755 "$stage/DEBIAN/postinst" "$stage/DEBIAN/prerm" "$stage/DEBIAN/postrm"
dpkg-deb --build --root-owner-group "$stage" "$out/sabot_${version}_${architecture}.deb"
