"""The links a story runs on, and which stories run where.

`memory` is the table alone; `shoe_angel_eye` and the other shoes are two programs and a wire;
`by_hand` is a table without a shoe; `unit` is a real one on a bench. In the first tier all stories
run in memory, and a few with each shoe and by hand. In the second tier all stories run with all
shoes once, each under one of its books in turn: it is in memory and by hand that a story is played
under every book. What a shoe cannot send, and why, is in `untold.py`.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.rulebooks import rulebook
from drivers.testing.bench.rigged import RigRun
from scenario.by_hand_link import open_by_hand
from scenario.memory_link import open_in_memory
from scenario.shoe_hands import BY_HAND, HANDS, AtARealUnit, ShoeHand
from scenario.story import Open, stories
from scenario.untold import name_of, why
from scenario.wire_link import at_the_end_of, by_wire

MEMORY, UNIT = "memory", "unit"
WITHOUT_A_WIRE: Final[dict[str, Open]] = {MEMORY: open_in_memory, BY_HAND: open_by_hand}

FAMILIES: Final = {
    "mbs": "mbs-baccarat-8",
    "rws": "rws-commission-baccarat-4",
    "short": "mbs-sands-super-baccarat",
}
"""The folder of each family's stories, and the book they are played by."""

ON_EVERY_LINK: Final = (
    "mbs/method_a_squeeze",
    "mbs/simultaneous",
    "mbs/unreadable_face_up",
    "mbs/device_gap_card_missing",
    "mbs/restart_interrupted",
    "rws/plain_round",
)
TELLS_HELD: Final = "rws/plain_round"
"""The story whose two programs report which packages they have imported: once a shoe."""


@contextmanager
def opened(link: str, folder: Path, path: Path, run: RigRun | None = None) -> Iterator[Open]:
    """How a story opens its table on this link; `run` is the bench of a real unit."""
    text = path.read_text("utf-8")
    if link in WITHOUT_A_WIRE:
        yield WITHOUT_A_WIRE[link]
        return
    if run is not None:
        with at_the_end_of(UnitEnd(run), folder, text) as on_a_bench:
            yield on_a_bench
        return
    with by_wire(folder, link, text, tells_held=name_of(path) == TELLS_HELD) as on_wire:
        yield on_wire


class UnitEnd:
    """The unit of a rig, with a person at it."""

    tells_held = False

    def __init__(self, run: RigRun) -> None:
        rig = run.rig
        run.let_go()  # the table's program is to have the port
        self.driver, self.port = rig.driver, rig.port
        self.settings: Mapping[str, object] = rig.settings
        self.hand: ShoeHand = AtARealUnit(run.say, rig.sheet.numbered)

    def ended(self) -> None:
        """A real unit goes on."""


def irregularities() -> dict[tuple[str, str], tuple[Path, str]]:
    """For every irregularity of every family one story that an Angel Eye can tell."""
    found: dict[tuple[str, str], tuple[Path, str]] = {}
    told = [(path, book) for path, book in stories() if book in FAMILIES.values()]
    for family, book in FAMILIES.items():
        own = [p for p, of in told if of == book and p.parent.name in (family, "mbs")]
        for row in rulebook(book).irregularities:
            named = [p for p in own if p.stem == row.id or p.stem.startswith(f"{row.id}_")]
            fitting = sorted(
                (p for p in named if why("shoe_angel_eye", p) is None),
                key=lambda path: (path.parent.name != family, len(path.stem)),
            )
            if fitting:
                found[family, row.id] = (fitting[0], book)
    return found


def all_of() -> tuple[str, ...]:
    """Every shoe, and none."""
    return (*HANDS, BY_HAND)


def told_once(link: str) -> list[tuple[str, Path, str]]:
    """Link, story and book of all that can be told there: on a wire each under one of its books,
    and another with another shoe, for it is in memory that every book is played."""
    books: dict[Path, list[str]] = {}
    for path, book in stories():
        books.setdefault(path, []).append(book)
    turn = all_of().index(link)
    return [
        (link, path, book)
        for path, under in books.items()
        if why(link, path) is None
        for book in (under if link == BY_HAND else [under[turn % len(under)]])
    ]


def first_tier() -> list[tuple[str, Path, str]]:
    """Link, story and book of the stories that the first tier plays on a wire or by hand."""
    first = {name_of(path): (path, book) for path, book in reversed(stories())}
    few = [first[name] for name in ON_EVERY_LINK]
    return [
        (link, path, book) for link in all_of() for path, book in few if why(link, path) is None
    ]
