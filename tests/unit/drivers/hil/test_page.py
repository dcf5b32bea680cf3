"""The report's page: verdict, what differed first, the unit, every row in a sentence."""

from drivers.cards import DECK
from drivers.hil import page
from drivers.hil.report import CheckOutcome
from drivers.hil.results import KNOWN
from support.devices.bench_sessions import STORY, row, session

LOST = [*DECK[:4], *DECK[5:]]


def test_a_good_unit_is_said_to_be_good() -> None:
    told = page.html(session(None, STORY))
    assert "<b>PASSED</b>All 3 things" in told
    assert "What differed first" not in told
    assert "52 of 52 cards were read rightly." in told
    assert "A round is played." in told
    assert page.summary(session())[0].startswith("PASSED: ")


def test_what_differed_first_stands_on_top_with_where_to_look() -> None:
    silence = row("test_silence", CheckOutcome.FAILED)
    told = page.html(
        session(LOST, rows=(silence, row("test_cable_out_and_in", CheckOutcome.FAILED)))
    )
    first = told[told.index("What differed first") :]
    assert first.index("It said something that could be a card") < first.index("Where to look")
    assert "<b>NOT PASSED</b>2 of 2 things" in told
    assert "Card 5 of 52, the 5 of spades (5S), was drawn and never told" in told
    assert len(page.summary(session(LOST))) == 2


def test_a_link_that_was_lost_is_told_with_the_deck() -> None:
    told = page.html(session(LOST, gone=(4,)))
    after = told[told.index("<h2>The test deck</h2>") :]
    assert after.index("The link was gone after card 4.") < after.index("Card 5 of 52")


def test_a_session_that_was_stopped_is_not_called_passed() -> None:
    told = page.html(session(stopped="It was stopped before its end."))
    assert "<b>NOT FINISHED</b>It was stopped before its end." in told


def test_unit_firmware_wiring_and_times_are_told() -> None:
    told = page.html(session())
    for fact in ("SHOE-0017", "3.2", "USB adapter 0403:6001", "10:00:00", "10:09:00", "0.3.0"):
        assert fact in told


def test_what_was_left_out_is_listed_with_the_reason() -> None:
    told = page.html(session(None, row("test_hello", CheckOutcome.LEFT_OUT)))
    after = told[told.index("Left out on this bench") :]
    assert KNOWN["test_hello"].tried in after
    assert "All 2 things" in told


def test_a_plate_that_holds_markup_is_only_text() -> None:
    told = page.html(session(asset="<script>alert(1)</script>"))
    assert "<script>" not in told


def test_only_files_that_are_there_are_named() -> None:
    assert "junit.xml" not in page.html(session())
    assert "junit.xml" in page.html(session(), ("report.json", "junit.xml"))
