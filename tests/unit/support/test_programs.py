"""Programs that are forked from one that waits: each test has its own."""

import json
import os
import socket

from support import programs


def test_a_start_that_nobody_waited_for_is_not_taken_for_the_next() -> None:
    """As when a test runs out of time just then: the program that was started late is ended, and
    the next test has its own."""
    read, write = os.pipe()
    nowhere = os.open(os.devnull, os.O_RDWR)
    order = {"order": 0, "module": "controller", "words": ["table", "--jsonl"], "env": {}}
    asked = json.dumps({**order, "cwd": os.getcwd()}).encode()
    socket.send_fds(programs._nursery(), [asked], [read, nowhere, nowhere])
    try:
        done = programs.run("--help")
    finally:
        for each in (read, write, nowhere):
            os.close(each)
    assert (done.returncode, b"Usage: sabot" in done.stdout) == (0, True)
