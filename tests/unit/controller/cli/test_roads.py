"""`sabot rules roads` as people script it: a real process, its bytes, its exit status."""

import json
import subprocess

from support import programs
from support.rows import each_row

NOTHING = {
    "bead_plate": [],
    "big_road": [],
    "big_eye_boy": "",
    "small_road": "",
    "cockroach_pig": "",
}


def ask(*lines: bytes) -> subprocess.CompletedProcess[bytes]:
    return programs.call("rules", "roads", given=b"".join(line + b"\n" for line in lines))


def shoe(outcomes: str) -> bytes:
    return json.dumps({"outcomes": outcomes}).encode()


def test_roads_answer_word_for_word() -> None:
    run = ask(shoe("T P Bb Tpb  B Pp P P B"), shoe(""), shoe("T Tb"))
    assert run.returncode == 0
    assert run.stderr == b""
    assert [json.loads(line) for line in run.stdout.splitlines()] == [
        {
            "bead_plate": [
                [0, 0, "T"],
                [0, 1, "P"],
                [0, 2, "Bb"],
                [0, 3, "Tbp"],
                [0, 4, "B"],
                [0, 5, "Pp"],
                [1, 0, "P"],
                [1, 1, "P"],
                [1, 2, "B"],
            ],
            "big_road": [
                [0, 0, "P", 1],
                [1, 0, "B", 1],
                [1, 1, "B", 0],
                [2, 0, "P", 0],
                [2, 1, "P", 0],
                [2, 2, "P", 0],
                [3, 0, "B", 0],
            ],
            # Streaks of 1, 2, 3 and 1.
            "big_eye_boy": "BBRBB",
            "small_road": "BRB",
            "cockroach_pig": "",
        },
        NOTHING,
        NOTHING | {"bead_plate": [[0, 0, "T"], [0, 1, "Tb"]]},
    ]


BAD_LINES = {
    b"": "",
    b"not json": "malformed",
    b"[]": "object",
    b"{}": "outcomes",
    b'{"outcomes":null}': "got `null`",
    b'{"outcomes":["B"]}': "got `array`",
    b'{"outcomes":"B","rulebook":"mbs-baccarat-8"}': "rulebook",
    b'{"outcomes":"B P X"}': "'X' is not an outcome: write B, P or T",
    b'{"outcomes":"B BP"}': "'BP' is not an outcome",
    b'{"outcomes":"B,P"}': "'B,P' is not an outcome",
    b"[" * 100_000: "",
}


@each_row("bad", BAD_LINES)
def test_bad_line_is_answered_in_its_place_and_the_others_still_are(bad: bytes) -> None:
    run = ask(shoe(""), bad, shoe(""))
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 1
    assert answers[0] == answers[2] == NOTHING
    assert answers[1].keys() == {"error", "line"}
    assert answers[1]["line"] == 2
    assert BAD_LINES[bad] in answers[1]["error"]
