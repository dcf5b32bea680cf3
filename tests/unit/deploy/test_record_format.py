"""The page of the record format: its examples are records, and their digests come out right."""

import hashlib
import json
import re
import struct
from pathlib import Path
from typing import Any

import msgspec

from controller.engine import effects
from controller.engine.release import StateOfTable
from controller.journal.records import (
    CHECKPOINT,
    KEYS,
    RECORD_FORMAT,
    RELEASE,
    STEP,
    SUMMARY,
    Entry,
    canonical,
    digest_of,
)
from scenario.fitting import record_rules

PAGE = Path(__file__).parents[3] / "deploy/manual/record-format.md"


def examples() -> list[dict[str, Any]]:
    found = re.findall(r"^```json\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [json.loads(line) for block in found for line in block.splitlines()]


def digest(before: bytes, record: dict[str, Any]) -> str:
    numbers = [record[name] for name in ("seq", "version", "shoe", "round", "at")]
    said = before + struct.pack(">qqqqd", *numbers)
    body = json.dumps(record["body"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    for part in (record["kind"].encode(), body.encode()):
        said += struct.pack(">I", len(part)) + part
    sealed = record["sealed"]
    said += b"\xff" * 4 if sealed is None else struct.pack(">I", 32) + bytes.fromhex(sealed)
    return hashlib.sha256(said).hexdigest()


def of_the_product(before: bytes, record: dict[str, Any]) -> str:
    named = {name: record[name] for name in ("kind", "version", "at", "shoe", "round")}
    body = canonical(record["body"])
    sealed = None if record["sealed"] is None else bytes.fromhex(record["sealed"])
    entry = Entry(**named, body=body, sealed=sealed)
    return digest_of(before, record["seq"], entry, hashed=True).hex()


def test_every_kind_of_record_has_an_example_that_is_one() -> None:
    found = examples()
    assert {each["kind"] for each in found} == {KEYS, RELEASE, CHECKPOINT, STEP, SUMMARY}
    assert {each["version"] for each in found} == {RECORD_FORMAT}
    assert {each["body"]["accepted"] for each in found if each["kind"] == STEP} == {True, False}
    assert any(each["sealed"] for each in found)
    for each in found:
        record_rules().validate(each)


def test_digests_come_out_as_the_page_says() -> None:
    by_number = {each["seq"]: each for each in examples()}
    by_number[0] = {"digest": bytes(32).hex()}
    followed = [seq for seq in by_number if seq and seq - 1 in by_number]
    assert len(followed) >= 3
    for seq in followed:
        before = bytes.fromhex(by_number[seq - 1]["digest"])
        assert digest(before, by_number[seq]) == by_number[seq]["digest"], seq
        assert of_the_product(before, by_number[seq]) == by_number[seq]["digest"], seq


def test_the_examples_have_the_state_of_today() -> None:
    """Made by `make generate ONLY=record-examples`."""
    found = [each["body"] for each in examples() if each["kind"] in (RELEASE, CHECKPOINT)]
    assert len(found) == 2
    for body in found:
        known = msgspec.json.decode(json.dumps(body), type=StateOfTable).plain()
        again = json.loads(json.dumps(effects.state(known.read()).fields))
        assert again == body["table"]


def test_the_page_names_every_field_of_a_record() -> None:
    text = PAGE.read_text("utf-8")
    for each in examples():
        names = {*each, *each["body"]} - {"accepted"}
        assert [name for name in names if f"`{name}`" not in text] == []
