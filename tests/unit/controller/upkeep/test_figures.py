"""A shift's figures, counted from a journal that real rounds were played into."""

import json
import random
from collections import Counter
from datetime import UTC
from pathlib import Path

import msgspec
import pytest

from controller.config import file as config
from controller.config.file import Config
from controller.engine.replay import Replayer
from controller.engine.session import open_session
from controller.engine.summaries import WagerTotals
from controller.game.money.rounding import Rounding
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.journal.store import Journal
from controller.rulebooks import rulebook
from controller.table.rules import HouseRules, Rules
from controller.terminal.json_lines import JsonLines
from controller.upkeep import reports
from controller.upkeep.figures import of_journal
from controller.views import figures
from controller.views.figures import Figures
from controller.views.record_reader import recorded
from controller.views.structs.encoding import plain
from support.journal.journals import SIGNER

MORNING = 1_795_000_000.0 // 3600 * 3600


class Day:
    """A table whose clock starts in the morning; a minute passes at every word."""

    def __init__(self, *, track_wagers: bool = True) -> None:
        house = HouseRules("mbs-baccarat-8", burn="none", track_wagers=track_wagers)
        self.rules = Rules(rulebook("mbs-baccarat-8"), house, Rounding.EXACT)
        self.journal = MemoryJournal()
        self.sealer = Sealer(bytes(32), random.Random(1).randbytes)
        self.lines = JsonLines(open_session(self.rules, self.journal, self.sealer))
        self.at = MORNING
        self.staff("pia", "open_table")
        self.staff("d1", "load_shoe", deck_set="blue", verified_by="pia", cut=True)
        self.staff("pia", "approve")

    def say(self, **message: object) -> dict[str, object]:
        self.at += 60
        answer = plain(self.lines.answer(json.dumps({"at": self.at, **message}).encode()))
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
        told = recorded(self.journal.records())
        return figures.of(told, since, until)

    def halts_by_replay(self) -> Counter[str]:
        """Counted a second time, from the tables that replay comes to."""
        found: Counter[str] = Counter()
        replaying = Replayer(self.rules)
        for record in self.journal.records():
            before = replaying.table
            replaying.step(record, self.sealer)
            after = replaying.table
            if after.case and (before.case is None or before.case.id != after.case.id):
                found[after.case.clause or after.case.id] += 1
            for latch in set(after.latches) - set(before.latches):
                found[latch.kind.value] += 1
        return found


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


def void(day: Day, dealer: str) -> None:
    """A round that ends in a void, which somebody else approves."""
    day.staff(dealer, "open_betting")
    given = {"wager": "banker", "amount": 2000, "position": 1}
    day.say(**{"from": "player", "who": "ann", "do": "place", "with": given})
    day.staff(dealer, "close_betting")
    for card in ("9H", "2C"):
        day.say(**{"from": "shoe", "event": "card", "card": card})
    day.staff("d1", "report", what="simultaneous")
    day.staff("d1", "answer", value=False)
    day.staff("pia", "approve")


def test_a_void_is_counted_under_its_clause_and_stakes_nothing(day: Day) -> None:
    void(day, "d1")
    found = day.figures()
    assert dict(found.voids) == {"5.8.2.1": 1}
    assert found.halts["5.8.2.1"] == 0, "a case is counted under the clause it was opened with"
    assert found.halts.total() == 1
    assert (found.total.rounds, found.total.voids, found.total.drop) == (3, 1, 4000)


def test_a_void_is_the_round_of_who_opened_the_betting(day: Day) -> None:
    void(day, "d1")
    found = day.figures()
    assert found.dealers["d1"].voids == 1
    assert "pia" not in found.dealers, "who approved it dealt nothing"


def correct(day: Day) -> None:
    """The last card was a seven: nine each, so that the Player's win becomes a tie."""
    day.staff("d1", "correct", n=9, card="7S", reason="seen on camera")
    day.staff("pia", "approve")


def test_a_correction_changes_its_round_in_the_hour_it_ended_and_for_who_dealt_it(day: Day) -> None:
    ended = day.at
    day.at += 3 * 3600
    correct(day)
    found = day.figures()
    assert found.total.rounds == 2, "the summary it supersedes is no round of its own"
    assert {name: tally.hold for name, tally in found.dealers.items()} == {"d1": -1900, "d2": 0}
    assert found.deck_sets["blue"].hold == -1900
    assert [hour for hour in found.hours if hour > ended] == []
    assert sum(tally.hold for tally in found.hours.values()) == -1900


def test_a_correction_after_the_stretch_corrects_the_round_within_it(day: Day) -> None:
    hours = (day.at + 60 - MORNING) / 3600
    day.at += 3 * 3600
    correct(day)
    day.round("d1", "9H 2C KD 3S")
    found = day.figures(hours=hours)
    assert (found.total.rounds, found.total.hold) == (2, -1900)
    late = day.figures(since=MORNING + hours * 3600)
    assert (late.total.rounds, late.total.hold) == (1, 2000)


def test_money_is_told_by_the_kind_of_wager_and_makes_up_drop_and_hold(day: Day) -> None:
    void(day, "d1")
    found = day.figures()
    assert found.wagers == {"banker": WagerTotals(2, 4000, 1900, 2000)}
    made = reports.report(found, reports.Desk("table 7", UTC, tracked=True, misreads_most=5))
    (section,) = (each for each in made.sections if each.title == "By wager")
    assert section.rows == (("banker", 2, 4000, 1900, 2000, 100, 2.5),)
    assert (found.total.drop, found.total.hold) == (4000, 100)


def test_what_holds_the_table_is_counted_once_until_it_holds_it_again(day: Day) -> None:
    lid = {"from": "shoe", "event": "lid_open"}
    day.say(**lid)
    day.say(**{"from": "shoe", "event": "lid_closed"})
    day.staff("pia", "resume")
    day.say(**lid)
    day.say(**{"from": "shuffler", "event": "link_lost"})
    day.say(**{"from": "shoe", "event": "lid_closed"})
    halts = day.figures().halts
    assert (halts["lid_open"], halts["link_lost"]) == (2, 1)
    assert halts == day.halts_by_replay()


def test_a_correction_after_settlement_changes_the_hold(day: Day) -> None:
    correct(day)
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
    made = reports.report(
        day.figures(), reports.Desk("table 7", UTC, tracked=True, misreads_most=5)
    )
    assert "too many misreads" not in reports.as_text(made)
    found = day.figures()
    found.devices["shoe"].misreads = figures.MIN_MISREADS
    flagged = reports.report(found, reports.Desk("table 7", UTC, tracked=True, misreads_most=5))
    assert "too many misreads" in reports.as_text(flagged)


@pytest.mark.parametrize("write", [reports.as_text, reports.as_csv, reports.as_html])
def test_every_form_tells_title_or_sections_and_every_row(day: Day, write: object) -> None:
    assert callable(write)
    made = reports.report(
        day.figures(), reports.Desk("table <7>", UTC, tracked=True, misreads_most=5)
    )
    text = write(made)
    for section in made.sections:
        for row in section.rows:
            assert str(row[0]) in text, (section.title, row)
    assert "<7>" not in text or write is reports.as_text


def test_money_is_left_out_where_wagers_are_not_tracked() -> None:
    day = Day(track_wagers=False)
    day.round("d1", "9H 2C KD 3S", bet=False)
    made = reports.report(
        day.figures(), reports.Desk("table 7", UTC, tracked=False, misreads_most=5)
    )
    assert "house win" not in reports.as_text(made)


def test_page_draws_a_bar_for_every_hour_up_and_down(day: Day) -> None:
    day.at += 3600
    day.round("d1", "9H 2C KD 3S")
    made = reports.report(
        day.figures(), reports.Desk("table 7", UTC, tracked=True, misreads_most=5)
    )
    hold = next(s for s in made.sections if s.title.startswith("House win"))
    page = reports.as_html(made)
    assert len(hold.rows) == 2
    assert page.count("<rect") == sum(len(s.rows) for s in made.sections if s.plot)
    assert "<script" not in page


# --- from a file, without its key ---------------------------------------------------------------


def at_a_table(journal: Path) -> Config:
    files = config.JournalPaths(str(journal), f"{journal}.head", f"{journal}.key")
    table = msgspec.structs.replace(config.DEMO.table, rulebook="mbs-baccarat-8", burn="none")
    return msgspec.structs.replace(config.DEMO, table=table, journal=files)


def test_no_key_is_needed_for_todays_records(day: Day, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with Journal.open(journal, head_path=tmp_path / "journal.db.head", signer=SIGNER) as kept:
        for record in day.journal.records():
            kept.append(record)
    assert not (tmp_path / "journal.db.key").exists()
    found = of_journal(at_a_table(journal), MORNING, day.at + 60)
    assert found == day.figures(hours=(day.at + 60 - MORNING) / 3600)
    assert found.total.rounds == 2
