"""Lines of the batch shuffler for tests; the checksum is worked out by neither side's code."""


def sealed(text: str) -> bytes:
    data = text.encode("ascii")
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
    return data + b"*%08X\n" % (crc ^ 0xFFFFFFFF)


def texts(stream: bytes) -> list[str]:
    """The lines of a stream without their checksums, each of which must fit."""
    lines = stream.splitlines(keepends=True)
    found = [line.decode("ascii").partition("*")[0] for line in lines]
    assert [sealed(text) for text in found] == lines
    return found
