"""A shift's figures, counted from a journal that real rounds were played into."""

import json
import random
from datetime import UTC

import pytest

from controller.engine.session import open_session
from controller.game.money.rounding import Rounding
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.table.rules import House, Rules
from controller.terminal.json_lines import JsonLines
from controller.upkeep import figures, reports
from controller.upkeep.figures import Figures

MORNING = 1_795_000_000.0 // 3600 * 3600


class Day:
    """A table whose clock starts in the morning; a minute passes at every word."""

    def __init__(self, *, track_wagers: bool = True) -> None:
        house = House("mbs-baccarat-8", burn="none", track_wagers=track_wagers)
        self.rules = Rules(rulebook("mbs-baccarat-8"), house, Rounding.EXACT)
        self.journal = MemoryJournal()
        self.sealer = Sealer(bytes(32), random.Random(1).randbytes)
        self.lines = JsonLines(open_session(self.rules, self.journal, self.sealer))
        self.at = MORNING
        self.staff("pia", "open_table")
        self.staff("d1", "load_shoe", deck_set="blue", verified_by="pia", cut=True)

    def say(self, **message: object) -> dict[str, object]:
        self.at += 60
        answer = self.lines.answer(json.dumps({"at": self.at, **message}).encode())
        assert "error" not in answer
        return answer

    def staff(self, who: str, do: str, **given: object) -> None:
        role = "pit_supervisor" if who == "pia" else "dealer"
        said = {"from": "staff", "who": who, "role": role, "do": do, "with": given}
        assert self.say(**said)["accepted"], do

    def round(self, dealer: str, cards: str, *, bet: bool = True) -> None:
        self.staff(dealer, "open_betting")
        if bet:
            given = {"wager": "banker", "amount": 2000, "position": 1}
            self.say(**{"from": "player", "who": "ann", "do": "place", "with": given})
        self.staff(dealer, "close_betting")
        for card in cards.split():
            self.say(**{"from": "shoe", "event": "card", "card": card})
        self.staff(dealer, "announce")
        self.staff(dealer, "settle")

    def figures(self, since: float = MORNING, hours: float = 24) -> Figures:
        until = since + hours * 3600
        return figures.of(self.journal.records(), self.rules, self.sealer, since, until)


@pytest.fixture
def day() -> Day:
    day = Day()
    day.round("d1", "2H KC 3D 6S TD")  # the Banker wins, 1900 are paid
    day.round("d2", "9H 2C KD 3S")  # the Player wins, 2000 are kept
    return day


def test_rounds_results_drop_and_hold_are_counted(day: Day) -> None:
    found = day.figures()
    assert (found.total.rounds, found.total.drop, found.total.hold) == (2, 4000, 2000 - 1900)
    assert dict(found.results) == {"B": 1, "P": 1}
    assert found.shoes == 1
    assert {name: tally.hold for name, tally in found.dealers.items()} == {"d1": -1900, "d2": 2000}
    assert found.deck_sets["blue"].rounds == 2
    assert found.devices["shoe"].cards == 9


def test_a_void_is_counted_under_its_clause_and_stakes_nothing(day: Day) -> None:
    day.staff("d1", "open_betting")
    given = {"wager": "banker", "amount": 2000, "position": 1}
    day.say(**{"from": "player", "who": "ann", "do": "place", "with": given})
    day.staff("d1", "close_betting")
    for card in ("9H", "2C"):
        day.say(**{"from": "shoe", "event": "card", "card": card})
    day.staff("d1", "report", what="simultaneous")
    day.staff("d1", "answer", value=False)
    day.staff("pia", "approve")
    found = day.figures()
    assert dict(found.voids) == {"5.8.2.1": 1}
    assert found.halts["5.8.2.1"] == 0, "a case is counted under the clause it was opened with"
    assert found.halts.total() == 1
    assert (found.total.rounds, found.total.voids, found.total.drop) == (3, 1, 4000)


def test_a_correction_after_settlement_changes_the_hold(day: Day) -> None:
    # The last card was a seven: nine each, so that the Player's win becomes a tie.
    day.staff("d1", "correct", n=9, card="7S", reason="seen on camera")
    day.staff("pia", "approve")
    found = day.figures()
    assert found.corrections == 1
    assert found.total.hold == -1900
    assert found.results == {"B": 1, "T": 1}
    assert found.devices["shoe"].misreads == 1


def test_only_the_asked_hours_count_and_the_rest_is_replayed(day: Day) -> None:
    late = day.figures(since=day.at - 1)
    assert late.total.rounds == 1, "the settlement of the second round falls into it"
    assert day.figures(since=MORNING - 7200, hours=1).total.rounds == 0


def test_a_device_that_misreads_too_often_is_flagged(day: Day) -> None:
    made = reports.report(day.figures(), "table 7", UTC, tracked=True, misreads_most=5)
    assert "too many misreads" not in reports.as_text(made)
    found = day.figures()
    found.devices["shoe"].misreads = figures.MISREADS_FEWEST
    flagged = reports.report(found, "table 7", UTC, tracked=True, misreads_most=5)
    assert "too many misreads" in reports.as_text(flagged)


@pytest.mark.parametrize("write", [reports.as_text, reports.as_csv, reports.as_html])
def test_every_form_tells_title_or_sections_and_every_row(day: Day, write: object) -> None:
    assert callable(write)
    made = reports.report(day.figures(), "table <7>", UTC, tracked=True, misreads_most=5)
    text = write(made)
    for section in made.sections:
        for row in section.rows:
            assert str(row[0]) in text, (section.title, row)
    assert "<7>" not in text or write is reports.as_text


def test_money_is_left_out_where_wagers_are_not_tracked() -> None:
    day = Day(track_wagers=False)
    day.round("d1", "9H 2C KD 3S", bet=False)
    made = reports.report(day.figures(), "table 7", UTC, tracked=False, misreads_most=5)
    assert "hold" not in reports.as_text(made)


def test_page_draws_a_bar_for_every_hour_up_and_down(day: Day) -> None:
    day.at += 3600
    day.round("d1", "9H 2C KD 3S")
    made = reports.report(day.figures(), "table 7", UTC, tracked=True, misreads_most=5)
    hold = next(s for s in made.sections if s.title.startswith("Hold"))
    page = reports.as_html(made)
    assert len(hold.rows) == 2
    assert page.count("<rect") == sum(len(s.rows) for s in made.sections if s.plot)
    assert "<script" not in page
