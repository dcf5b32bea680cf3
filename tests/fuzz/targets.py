"""What each codec is fuzzed with: pieces that look like what its device sends, whole and damaged.

A new driver gets one line in `TARGETS`, with the name of its file in `tests/vectors/`.
"""

import json
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

VECTORS = Path(__file__).parents[1] / "vectors"


def shaped_like(name: str) -> SearchStrategy[bytes]:
    """Vectors of this file as they are, cut, with a byte changed, stuck together; and noise."""
    text = (VECTORS / f"{name}.json").read_text(encoding="utf-8")
    whole = st.sampled_from([bytes.fromhex(vector["hex"]) for vector in json.loads(text)])
    cut = st.builds(lambda raw, end: raw[: end % (len(raw) + 1)], whole, st.integers(0, 99))
    changed = st.builds(_changed, whole, st.integers(0, 99), st.integers(0, 255))
    return st.one_of(whole, cut, changed, st.builds(bytes.__add__, cut, whole), st.binary())


def _changed(raw: bytes, at: int, byte: int) -> bytes:
    at %= len(raw)
    return raw[:at] + bytes((byte,)) + raw[at + 1 :]


TARGETS: dict[str, SearchStrategy[bytes]] = {
    "shoe_angel_eye": shaped_like("angel_eye"),
    "shoe_barcode_usb": shaped_like("barcode"),
    "shoe_bee_tek": shaped_like("bee_tek"),
    "shuffler_batch": shaped_like("batch"),
    "shuffler_reshuffled": shaped_like("reshuffled"),
}
