"""What a barcode reader sends while it types a label: the reports of its keys."""

USAGES = {
    **{chr(ord("A") + n): 0x04 + n for n in range(26)},
    **{str(n): 0x1D + n for n in range(1, 10)},
    "0": 0x27,
    "-": 0x2D,
    "\n": 0x28,
}
RELEASE = bytes(8)


def press(character: str) -> bytes:
    return bytes([0, 0, USAGES[character], 0, 0, 0, 0, 0])


def scan(label: str) -> bytes:
    """Each key down and up, and Enter at the end."""
    return b"".join(press(character) + RELEASE for character in label + "\n")


def reports(data: bytes) -> list[bytes]:
    return [data[start : start + 8] for start in range(0, len(data), 8)]
