"""`make test-all ONLY=erring HOURS=n`: tables until the time is over, with progress and an end."""

import json
import sys
import time

from judge.erring.found import Tally
from judge.erring.mistakes import HAPPENS
from judge.erring.shoes import played
from judge.erring.ways import WAYS

SAYS_EVERY_S = 20.0


def main(hours: float, only: list[str]) -> int:
    tally, seed = Tally(), 0
    start = said = time.monotonic()
    shown: set[str] = set()
    while time.monotonic() - start < hours * 3600:
        for way in WAYS:
            found = played(way, seed, tally, only)
            if found is not None and found.kind not in shown:
                shown.add(found.kind)
                _tell(f"\n{found.way}, seed {seed}: {found}")
                for line in found.script[-_since_the_call(found.script) :]:
                    _tell(f"    {json.dumps(line, ensure_ascii=False)}")
        seed += 1
        if time.monotonic() - said > SAYS_EVERY_S:
            said = time.monotonic()
            _tell(_progress(tally, said - start))
    _tell(_progress(tally, time.monotonic() - start))
    for what, many in sorted(tally.reports.items()):
        _tell(f"  {many:7} {what}")
    made = {what.partition(" ")[0] for what in tally.reports}
    for never in sorted({*HAPPENS, "excess_card"} - made):
        _tell(f"NEVER MADE {never}")
    for kind, many in tally.kinds().most_common():
        _tell(f"DIFFERENT {many:7} {kind}")
    return 1 if tally.different else 0


def _since_the_call(script: list[dict[str, object]]) -> int:
    """How many lines there are since the round before commenced."""
    calls = [place for place, line in enumerate(script) if line.get("do") == "open_betting"]
    return len(script) - (calls[-1] if calls else 0)


def _progress(tally: Tally, seconds: float) -> str:
    a_second = tally.rounds / seconds if seconds else 0
    return (
        f"{seconds / 60:.1f} min: {tally.tables} tables, {tally.rounds} rounds ({a_second:.0f}/s), "
        f"{tally.words} words, {tally.reports.total()} mistakes, {tally.void} void, "
        f"{len(tally.different)} differences of {len(tally.kinds())} kinds"
    )


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
