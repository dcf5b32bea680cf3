#!/usr/bin/env python3
"""Proves archive files of a Sabot floor. For auditors: one file, Python 3.8 or newer, nothing else.

    python3 audit.py FILE... [--key KEY]

KEY is the floor's public key as the site published it, 64 hexadecimal digits or base64; say --key
again for each key that the floor has had. Without it a good file proves only that nobody changed it
after its own key had signed it. Exit status: 0 all good, 1 one is bad, 2 none is bad but one cannot
be read, or this was not asked as above. The format is archive-format.md; this program shares no
line with the software that writes the files.
"""

import base64
import hashlib
import json
import lzma
import math
import struct
import sys
import time

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ZEROS = bytes(32)
HEX = {"before": 32, "end": 32, "head_digest": 32, "previous": 32, "root": 32,
       "root_key": 32, "root_signature": 64, "key": 32, "packed_sha256": 32}  # fmt: skip
NUMBERS = {"epoch", "first", "last", "head_seq", "index", "hour", "size", "packed", "unpacked",
           "written"}  # fmt: skip
TEXTS = {"site", "table", "month"}
MAX_LENGTH = 1 << 28
NEGATIVE_ZERO = b"\x80" + bytes(7)


class Bad(Exception):
    pass


def need(holds, otherwise):
    if not holds:
        raise Bad(otherwise)


# --- Ed25519, RFC 8032 ---------------------------------------------------------------------------


def added(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def both_times(m, p, n, q):
    """m p + n q, bit by bit from the top."""
    choice = {(0, 1): q, (1, 0): p, (1, 1): added(p, q)}
    found = (0, 1, 1, 0)
    for bit in range(max(m, n).bit_length() - 1, -1, -1):
        found = added(found, found)
        if (m >> bit | n >> bit) & 1:
            found = added(found, choice[m >> bit & 1, n >> bit & 1])
    return found


def point(raw):
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    need(y < P, "a key or a signature is no point of the curve")
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    need((x * x - x2) % P == 0 and (x or not sign), "a key or a signature is no point of the curve")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_small(p):
    """Of order 1, 2, 4 or 8: under such a key anybody signs anything."""
    for _ in range(3):
        p = added(p, p)
    return p[0] % P == 0 and (p[1] - p[2]) % P == 0


def is_signed(said, signature, key):
    """Is s B - h A the point that the signature begins with?"""
    s = int.from_bytes(signature[32:], "little")
    try:
        x, y, _, t = point(key)
    except Bad:
        return False
    if s >= L or is_small((x, y, 1, t)):
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + said).digest(), "little") % L
    x, y, z, _ = both_times(s, BASE, h, (P - x, y, 1, P - t))
    x, y = x * pow(z, P - 2, P) % P, y * pow(z, P - 2, P) % P
    return signature[:32] == (y | (x & 1) << 255).to_bytes(32, "little")


# --- the file ------------------------------------------------------------------------------------


def unhex(text, size):
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        raw = b""
    need(len(raw) == size and raw.hex() == text, "its header has a value of the wrong form")
    return raw


def header_of(line):
    try:
        said = json.loads(line.decode("utf-8"))
        text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Bad("its header is not JSON") from None
    need(text == line, "its header is not written canonically")
    fields = set(HEX) | NUMBERS | TEXTS | {"path", "stamp"}
    need(isinstance(said, dict) and set(said) == fields, "its header has other fields")
    need(all(type(said[name]) is int for name in NUMBERS), "a number of its header is none")
    texts = [said[name] for name in (*HEX, *TEXTS)] + [
        "" if said["stamp"] is None else said["stamp"]
    ]
    need(type(said["path"]) is list, "its path is none")
    need(all(type(text) is str for text in texts + said["path"]), "a text of its header is none")
    return {**said, **{name: unhex(said[name], size) for name, size in HEX.items()},
            "path": [unhex(side, 32) for side in said["path"]]}  # fmt: skip


def check_root(head):
    """Its head to the root, along the path (RFC 9162, 2.1.3.2), and the root's signature."""
    leaf = head["site"].encode() + b"\0" + head["table"].encode() + b"\0"
    leaf += struct.pack(">qq", head["epoch"], head["head_seq"]) + head["head_digest"]
    found, at, last = hashlib.sha256(b"\0" + leaf).digest(), head["index"], head["size"] - 1
    need(0 <= at <= last, "its head has no place in the tree")
    for side in head["path"]:
        need(last > 0, "its path is too long")
        if at % 2 or at == last:
            found = hashlib.sha256(b"\1" + side + found).digest()
            while at and at % 2 == 0:
                at, last = at // 2, last // 2
        else:
            found = hashlib.sha256(b"\1" + found + side).digest()
        at, last = at // 2, last // 2
    need(last == 0 and found == head["root"], "its head does not come to its root")
    said = b"sabot floor root 1\0" + head["site"].encode() + b"\0" + struct.pack(">q", head["hour"])
    said += head["previous"] + struct.pack(">q", head["size"]) + head["root"]
    need(is_signed(said, head["root_signature"], head["root_key"]), "its root is not signed")


def unpacked(packed):
    """One xz stream and nothing after it, in pieces."""
    stream = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=64 << 20)
    try:
        piece = stream.decompress(packed, 1 << 20)
        while piece or not stream.eof:
            need(piece or not stream.needs_input, "its xz stream ends too early")
            yield piece
            piece = b"" if stream.eof else stream.decompress(b"", 1 << 20)
    except lzma.LZMAError:
        raise Bad("its xz stream is damaged") from None
    need(not stream.unused_data, "something follows its xz stream")


class Taking:
    def __init__(self, pieces):
        self.pieces, self.have, self.size = pieces, bytearray(), 0

    def take(self, count):
        need(count <= MAX_LENGTH, "a record is longer than any is")
        while len(self.have) < count:
            piece = next(self.pieces, None)
            need(piece is not None, "it ends within a record")
            self.have += piece
        found = bytes(self.have[:count])
        del self.have[:count]
        self.size += count
        return found

    def more(self):
        while not self.have:
            piece = next(self.pieces, None)
            if piece is None:
                return False
            self.have += piece
        return True


def records(packed, size):
    """seq, at, and the bytes its digest covers."""
    stream = Taking(unpacked(packed))
    while stream.more():
        start = stream.take(44)
        seq, _, _, _, at, kind_length = struct.unpack(">qqqqdI", start)
        kind = stream.take(kind_length)
        body_length = stream.take(4)
        body = stream.take(int.from_bytes(body_length, "big"))
        sealed = stream.take(4)
        if sealed != b"\xff" * 4:
            need(sealed == b"\0\0\0\x20", "what is sealed has no hash")
            sealed += stream.take(32)
        need(math.isfinite(at) and start[32:40] != NEGATIVE_ZERO, "a record has no time")
        try:
            kind.decode("utf-8")
        except UnicodeDecodeError:
            raise Bad("a record's kind is no text") from None
        yield seq, at, start + kind + body_length + body + sealed
    need(stream.size == size, "its records are not as long as its header says")


def check_records(head, packed):
    """Every record after the one before."""
    seq, digest, month = head["first"] - 1, head["before"], ""
    need(seq or digest == ZEROS, "nothing comes before record 1")
    for number, at, covered in records(packed, head["unpacked"]):
        need(number == seq + 1, f"record {number} stands where {seq + 1} belongs")
        seq, digest = number, hashlib.sha256(digest + covered).digest()
        if seq == head["last"]:
            need(digest == head["end"], "its last record is another one")
            month = month_of(at)
    need(
        (seq, digest) == (head["head_seq"], head["head_digest"]),
        "its records do not come to its head",
    )
    need(month == head["month"], "its last record is of another month")


def month_of(at):
    try:
        found = time.gmtime(math.floor(at))
        return f"{found[0]:04}-{found[1]:02}" if 1 <= found[0] <= 9999 else "none"
    except (ValueError, OverflowError, OSError):
        return "none"


def fingerprint(key):
    digest = hashlib.sha256(key).hexdigest()
    return "-".join(digest[i : i + 4] for i in range(0, 16, 4))


def audited(whole, keys=()):
    """What is to be said of a good file; raises `Bad`."""
    magic, _, rest = whole.partition(b"\n")
    line, _, rest = rest.partition(b"\n")
    signed, newline, packed = rest.partition(b"\n")
    need(magic == b"sabot archive 1" and newline, "it is not an archive file of a form known here")
    need(len(line) < 1 << 16, "its header is too long")
    head = header_of(line)
    signature = unhex(signed.decode("ascii", "replace"), 64)
    same = (
        len(packed) == head["packed"] and hashlib.sha256(packed).digest() == head["packed_sha256"]
    )
    need(same, "its records are not the bytes that its header speaks of")
    said = b"sabot floor archive 1\0" + line
    need(is_signed(said, signature, head["key"]), "the floor's signature does not fit its header")
    check_root(head)
    need(not keys or {head["key"], head["root_key"]} <= set(keys), "it is signed by another key")
    need(0 < head["first"] <= head["last"] <= head["head_seq"], "its numbers are out of order")
    check_records(head, packed)
    return (
        f"{head['site']}/{head['table']} history {head['epoch']} month {head['month']}, records "
        f"{head['first']} to {head['last']}, root of hour {head['hour']} by key "
        f"{fingerprint(head['root_key'])}, file by key {fingerprint(head['key'])}"
    )


def refused(why):
    """Asked for what cannot be done: not a word about any file."""
    print(why, file=sys.stderr)
    return 2


def key_in(text):
    """The 32 bytes of a key as people hand it on; None where it is none."""
    try:
        raw = bytes.fromhex(text) if len(text) == 64 else base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return raw if len(raw) == 32 else None


def told(name, keys):
    """One line about one file, and the exit status that it asks for."""
    try:
        with open(name, "rb") as file:
            whole = file.read()
    except OSError as error:
        return 2, f"it cannot be read: {error.strerror or error}"
    try:
        return 0, f"good: {audited(whole, keys)}"
    except (Bad, struct.error) as error:
        return 1, f"bad: {error}"


def main(words):
    keys, files, words = [], [], list(words)
    while words:
        word = words.pop(0)
        if word == "--key" and words:
            text = words.pop(0)
            keys.append(key_in(text))
            if keys[-1] is None:
                return refused(f"audit.py: {text!r} is no public key: 64 hexadecimal digits, or a "
                               "line of base64 as in floor.pub")  # fmt: skip
        elif word.startswith("-"):
            return refused(__doc__)
        else:
            files.append(word)
    found = set()
    for name in files:
        status, line = told(name, keys)
        found.add(status)
        print(f"{name}: {line}")
    return refused(__doc__) if not files else min(found - {0}, default=0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
