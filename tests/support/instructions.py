"""How much work something is, without a clock: the instructions of Python it takes.

What is done in C (a copy of a tuple, a look into a dict) does not count; a loop does.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def instructions(run: Callable[[], object]) -> int:
    """The same every time for the same work, on any machine."""
    count = 0

    def traced(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        count += event == "opcode"
        return traced

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        run()
    finally:
        sys.settrace(before)
    return count
