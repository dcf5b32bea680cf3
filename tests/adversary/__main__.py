"""python -m adversary [HOURS] [FIRST_SEED]: the long form, a few minutes by default.

Every other turn is played by two people together, and every fourth looks for what nobody got
accepted so far. Ends with what was accepted for each role,
word and phase, the cells that stayed empty, and every kind of violation as a script.
"""

import sys
import time
from typing import Final

from adversary import cells
from adversary.search import Found, Tally, search

HOURS: Final = 0.05
A_TURN: Final = 84
"""Settings a turn: every role in every layout once."""
FORKS: Final = 20
SAYS_EVERY: Final = 30.0
"""Seconds."""


def main(arguments: list[str]) -> int:
    seconds = 3600 * float(arguments[0] if arguments else HOURS)
    first = int(arguments[1]) if len(arguments) > 1 else 0
    began = said = time.monotonic()
    tally, kinds = Tally(), dict[str, Found]()
    turn = 0
    while (now := time.monotonic()) < began + seconds:
        start = first + turn * A_TURN
        missing = frozenset(cells.empty(tally.accepted)) if turn % 4 == 3 else frozenset()
        tried, found = search(
            range(start, start + A_TURN), FORKS, pair=turn % 2 == 1, favours=missing
        )
        tally.add(tried)
        for kind, each in found.items():
            if kind not in kinds:
                kinds[kind] = each
                _say(f"\n{each.told()}\n")
        turn += 1
        if now > said + SAYS_EVERY:
            said = now
            _say(_sum(tally, kinds, now - began))
    _say(cells.told(tally.accepted))
    for role, word, phase in cells.empty(tally.accepted):
        _say(f"empty: {role} {word} {phase}")
    _say(_sum(tally, kinds, time.monotonic() - began))
    for kind in sorted(kinds):
        _say(f"violated: {kind}")
    return 1 if kinds else 0


def _sum(tally: Tally, kinds: dict[str, Found], seconds: float) -> str:
    return (
        f"{seconds:.0f} s: {tally.episodes} rounds, {tally.words} words, {tally.by_adversary} of"
        f" them an adversary's, {sum(tally.accepted.values())} accepted;"
        f" {tally.stalled} rounds stopped; {len(kinds)} kinds of violations"
    )


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
