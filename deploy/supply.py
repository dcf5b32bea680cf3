#!/usr/bin/env python3
"""What a release is made of, without a network: a bill of materials and a list of licences.

    supply.py bill LOCK FOLDER    FOLDER/sabot.cdx.json (CycloneDX 1.5) and FOLDER/LICENCES.txt
    supply.py changes OLD NEW     what differs between two lock files, one line a package

The lock says which packages, versions and files; what is installed beside this program says under
which licence each is, and what it needs.
"""

import json
import re
import sys
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from os import environ
from pathlib import Path
from typing import Any, Final

SPEC: Final = "1.5"
LONG_AGO: Final = 1_577_836_800
"""What a build without SOURCE_DATE_EPOCH is dated, so that two are equal: the first of 2020."""
_ENTRY: Final = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)\s*(?:;\s*([^\\]+?))?\s*\\?$")
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_LICENCE: Final = "License :: OSI Approved :: "


@dataclass(frozen=True)
class Locked:
    name: str
    version: str
    hashes: tuple[str, ...]
    marker: str = ""


def locked(lock: Path) -> dict[str, Locked]:
    """The packages of a lock file, by name."""
    found: dict[str, Locked] = {}
    entry: re.Match[str] | None = None
    hashes: list[str] = []
    for line in (*lock.read_text(encoding="utf-8").splitlines(), "end==0"):
        if begins := _ENTRY.match(line):
            if entry is not None:
                found[_same(entry[1])] = Locked(entry[1], entry[2], tuple(hashes), entry[3] or "")
            entry, hashes = begins, []
        hashes += _HASH.findall(line)
    return found


def _same(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def changes(old: Path, new: Path) -> Iterator[str]:
    """What somebody who commits a new lock has to look at."""
    before, after = locked(old), locked(new)
    for name in sorted(before.keys() | after.keys()):
        was, is_ = before.get(name), after.get(name)
        if was is None and is_ is not None:
            yield f"{name}: new -> {is_.version}"
        elif is_ is None and was is not None:
            yield f"{name}: {was.version} -> gone"
        elif was is not None and is_ is not None and was.version != is_.version:
            yield f"{name}: {was.version} -> {is_.version}"
        elif was is not None and is_ is not None and set(was.hashes) != set(is_.hashes):
            gone = len(set(was.hashes) - set(is_.hashes))
            yield f"{name}: {is_.version}, other files ({gone} hashes gone): ask why"


# --- the bill -------------------------------------------------------------------------------------


def licence_of(found: Distribution) -> str:
    """As the package itself says; raises `ValueError` where it says nothing."""
    about = found.metadata
    said: str | None = about["License-Expression"]
    if not said:
        classed = [each for each in about.get_all("Classifier", []) if each.startswith(_LICENCE)]
        said = " AND ".join(each.removeprefix(_LICENCE) for each in classed) or about["License"]
    if not said or said.strip().upper() == "UNKNOWN":
        raise ValueError(f"{about['Name']} says nothing of its licence: find out, and say it here")
    return said.strip().splitlines()[0]


def bill(lock: Path) -> dict[str, Any]:
    """Raises `ValueError` where the lock and what is installed do not agree."""
    components, needs = [], {}
    here = {name: each for name, each in locked(lock).items() if _installed(each)}
    for name, each in here.items():
        found = distribution(each.name)
        if found.version != each.version:
            raise ValueError(f"{name} {found.version} is installed, and {lock} says {each.version}")
        ref = f"pkg:pypi/{name}@{each.version}"
        components.append(_component(each, ref, licence_of(found)))
        needed = {_same(re.split(r"[^A-Za-z0-9._-]", one)[0]) for one in found.requires or ()}
        needs[ref] = sorted(f"pkg:pypi/{n}@{here[n].version}" for n in needed & here.keys())
    own = distribution("sabot")
    root = f"pkg:pypi/sabot@{own.version}"
    direct = {_same(re.split(r"[^A-Za-z0-9._-]", one)[0]) for one in own.requires or ()}
    needs[root] = sorted(f"pkg:pypi/{n}@{here[n].version}" for n in direct & here.keys())
    return _document(own, root, components, needs)


def _installed(each: Locked) -> bool:
    """A package for another platform or Python is in the lock, and not here."""
    try:
        distribution(each.name)
    except PackageNotFoundError:
        if each.marker:
            return False
        raise ValueError(f"{each.name} is in the lock and not installed: `make run`") from None
    return True


def _component(each: Locked, ref: str, licence: str) -> dict[str, Any]:
    return {
        "type": "library",
        "bom-ref": ref,
        "name": _same(each.name),
        "version": each.version,
        "purl": ref,
        "scope": "required",
        "licenses": [_licence(licence)],
        "hashes": [{"alg": "SHA-256", "content": digest} for digest in sorted(each.hashes)],
    }


def _licence(said: str) -> dict[str, Any]:
    return {"license": {"name": said}}


def _document(
    own: Distribution, root: str, components: list[dict[str, Any]], needs: Mapping[str, list[str]]
) -> dict[str, Any]:
    made = datetime.fromtimestamp(int(environ.get("SOURCE_DATE_EPOCH", LONG_AGO)), UTC)
    content = json.dumps([root, components, needs], sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}",
        "version": 1,
        "metadata": {
            "timestamp": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": "sabot",
                "version": own.version,
                "purl": root,
                "licenses": [_licence(licence_of(own))],
            },
        },
        "components": sorted(components, key=lambda each: str(each["name"])),
        "dependencies": [{"ref": ref, "dependsOn": needs[ref]} for ref in sorted(needs)],
    }


def licences(made: Mapping[str, Any]) -> str:
    """The same for people, one line a package."""
    rows = [made["metadata"]["component"], *made["components"]]
    lines = [
        f"{row['name']} {row['version']}: {row['licenses'][0]['license']['name']}" for row in rows
    ]
    return "\n".join(("Licences of what a table PC gets, as each package says", "", *lines, ""))


def main(words: list[str]) -> None:
    match words:
        case ["bill", lock, folder]:
            made = bill(Path(lock))
            text = json.dumps(made, indent=1, sort_keys=True) + "\n"
            (Path(folder) / "sabot.cdx.json").write_text(text, encoding="utf-8")
            (Path(folder) / "LICENCES.txt").write_text(licences(made), encoding="utf-8")
            sys.stdout.write(f"{folder}/sabot.cdx.json: {len(made['components'])} packages\n")
        case ["changes", old, new]:
            found = list(changes(Path(old), Path(new)))
            sys.stdout.write("".join(f"  {line}\n" for line in found or ["nothing changed"]))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (ValueError, OSError) as error:
        sys.exit(f"supply.py: {error}")
