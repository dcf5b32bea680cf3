"""Keys that one library takes and another does not: no file is good under one of them, for either
program."""

from pathlib import Path

import pytest

from controller.floor.proof import keys
from controller.floor.proof.form import MAGIC, SIGNED
from controller.journal.keys.signing import is_signed
from controller.journal.records import canonical
from support.floor.archives import FLOOR, archived
from support.floor.auditor import audit, both, changed, split
from support.rows import each_row

P, BASE = audit.P, audit.BASE
ORDER_8 = keys._ORDER_8


def key(y: int, sign: int = 0) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


WEAK = {
    "identity": key(1),
    "identity_with_a_sign": key(1, 1),
    "identity_not_canonical": key(P + 1),
    "identity_not_canonical_with_a_sign": key(P + 1, 1),
    "order_2": key(P - 1),
    "order_2_with_a_sign": key(P - 1, 1),
    "order_4": key(0),
    "order_4_with_a_sign": key(0, 1),
    "order_4_not_canonical": key(P),
    "order_4_not_canonical_with_a_sign": key(P, 1),
    "order_8": key(ORDER_8),
    "order_8_with_a_sign": key(ORDER_8, 1),
    "order_8_other": key(P - ORDER_8),
    "order_8_other_with_a_sign": key(P - ORDER_8, 1),
}


def packed_point(point: tuple[int, int, int, int]) -> bytes:
    x, y, z, _ = point
    x, y = x * pow(z, P - 2, P) % P, y * pow(z, P - 2, P) % P
    return key(y, x & 1)


def times(number: int, point: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    found: tuple[int, int, int, int] = audit.both_times(number, point, 0, BASE)
    return found


@each_row("name", WEAK)
def test_no_file_is_good_under_a_key_that_anybody_signs_with(tmp_path: Path, name: str) -> None:
    """The signature is B and 1: it fits whenever the hash, times the key, is nothing, which under
    a key of order 8 is so for one message of eight."""
    file, weak = archived(tmp_path / "one.sabot").file, WEAK[name]
    header, rest = split(file)
    signature = packed_point(BASE) + (1).to_bytes(32, "little")
    fitted = False
    for written in range(40):
        line = canonical({**header, "key": weak.hex(), "written": written})
        fitted = fitted or is_signed(SIGNED + line, signature, weak)
        whole = MAGIC + line + b"\n" + signature.hex().encode() + b"\n" + rest
        assert both(changed(file, whole)) is None, written
    assert fitted, "or this shows nothing"


@each_row("name", WEAK)
def test_no_root_is_good_under_one_either(tmp_path: Path, name: str) -> None:
    file = archived(tmp_path / "one.sabot").file
    header, rest = split(file)
    root_signature = (packed_point(BASE) + (1).to_bytes(32, "little")).hex()
    for hour in range(40):
        said = {"root_key": WEAK[name].hex(), "root_signature": root_signature, "hour": hour}
        line = canonical({**header, **said})
        whole = MAGIC + line + b"\n" + FLOOR.sign(SIGNED + line).hex().encode() + b"\n" + rest
        assert both(changed(file, whole)) is None, hour


def test_a_key_with_a_small_part_gets_the_same_answer_from_both(tmp_path: Path) -> None:
    """A point of full order and one of order 8 added up is written in one way only; a signature
    under it fits for one message of eight, and for both programs for the same."""
    file = archived(tmp_path / "one.sabot").file
    header, rest = split(file)
    secret, once = 123456789, 987654321
    mixed = packed_point(audit.added(times(secret, BASE), audit.point(key(ORDER_8))))
    begin = packed_point(times(once, BASE))
    good = 0
    for written in range(40):
        line = canonical({**header, "key": mixed.hex(), "written": written})
        hashed = audit.hashlib.sha512(begin + mixed + SIGNED + line).digest()
        s = (once + int.from_bytes(hashed, "little") % audit.L * secret) % audit.L
        signature = begin + s.to_bytes(32, "little")
        whole = MAGIC + line + b"\n" + signature.hex().encode() + b"\n" + rest
        good += both(changed(file, whole)) is not None
    assert 0 < good < 40


def test_a_key_is_written_in_one_way() -> None:
    assert keys.counts(FLOOR.public)
    assert not keys.counts(FLOOR.public[:-1])
    for y in range(19):
        assert not keys.counts(key(P + y)), y
        with pytest.raises(audit.Bad):
            audit.point(key(P + y))
