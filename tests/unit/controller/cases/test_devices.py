"""What devices say besides cards: they may hold the table, open a case, and never move it on."""

from typing import Any

import msgspec
import pytest

from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table.commands.device_events import MAX_SAYS
from controller.table.commands.message import new_message
from controller.table.state import VerifiedDecks
from controller.views import audience
from controller.views.structs.encoding import plain
from drivers.error_meaning import SHOE_NUMBERS, ErrorMeaning
from support.rows import each_row
from support.table.bench import NATURAL, Bench, why

CASES = {
    ErrorMeaning.EXCESS: "excess_card",
    ErrorMeaning.SEVERAL_AT_ONCE: "simultaneous",
    ErrorMeaning.DOES_NOT_BELONG: "foreign_card",
}
QUIET = (ErrorMeaning.UNREADABLE, ErrorMeaning.NOTICE)


def dealt() -> Bench:
    return Bench().deal("9H", "2C")


@pytest.fixture
def bench() -> Bench:
    return dealt()


def latches(bench: Bench) -> list[tuple[str, str]]:
    return [(latch.kind.value, latch.by) for latch in bench.table.latches]


# --- errors -------------------------------------------------------------------------------------


@each_row("means", ErrorMeaning)
@each_row("number", [None, 1, 4, 777])
def test_an_error_is_judged_by_what_it_means_whatever_its_number(
    means: ErrorMeaning, number: int | None
) -> None:
    bench = dealt()
    bench.device("error", code=number, means=means.value)
    case = bench.table.case
    assert (case.id if case else None) == CASES.get(means)
    held = means not in CASES and means not in QUIET
    assert latches(bench) == ([("device_error", "shoe")] if held else [])


@each_row("number", [*SHOE_NUMBERS, 99])
def test_a_number_alone_means_what_it_always_meant(number: int) -> None:
    by_number, by_meaning = Bench().deal("9H", "2C"), Bench().deal("9H", "2C")
    by_number.device("error", code=number)
    means = SHOE_NUMBERS.get(number, ErrorMeaning.OTHER)
    by_meaning.device("error", code=number, means=means.value)
    assert by_number.table == by_meaning.table
    written = msgspec.json.decode(by_number.bodies()[-1])["in"]
    assert "means" not in written.get("with", {}), "it is recorded as it was said"


def test_a_meaning_that_is_none_is_refused_by_name(bench: Bench) -> None:
    refused = bench.not_taken(new_message("shoe", "error", code=4, means="rubbish"))
    wants = sentence(Code.FIELD_NOT_AS_IT_MUST_BE, word="error", field="means")
    assert why(refused) == wants


def test_the_lamp_says_again_what_the_card_has_said_and_that_is_one_case(bench: Bench) -> None:
    bench.device("excess", card="KD")
    bench.device("error", means="excess")
    assert bench.table.case is not None
    once = bench.table
    assert once.queue == ()
    bench.device("error", means="does_not_belong")
    bench.device("error", means="does_not_belong")
    assert [case.id for case in bench.table.queue] == ["foreign_card"]


def open_cases(bench: Bench) -> list[tuple[str, tuple[int, ...]]]:
    cases = [case for case in (bench.table.case, *bench.table.queue) if case is not None]
    return [(case.id, case.about.cards) for case in cases]


def test_another_pair_is_another_case_once_a_card_was_drawn_since(bench: Bench) -> None:
    for _ in range(2):
        bench.device("error", code=4)
    assert open_cases(bench) == [("simultaneous", ())], "the second of them may be read later"
    bench.card("KD")
    for _ in range(2):
        bench.device("error", code=4)
    assert open_cases(bench) == [("simultaneous", (1, 2)), ("simultaneous", ())]


def test_another_pair_is_another_case_after_the_first_was_ruled() -> None:
    bench = Bench().deal("9H", "2C", wagers=(("ann", "player", 2000),))
    bench.device("error", code=4)
    bench.say("answer", "dan", value=True)
    bench.player("option", "ann", choice="play")
    bench.device("error", code=4)
    assert open_cases(bench) == [], "ruled already"
    bench.card("KD")
    bench.device("error", code=4)
    assert open_cases(bench) == [("simultaneous", ())]


def test_another_foreign_card_is_another_case(bench: Bench) -> None:
    bench.device("read_failed")
    for _ in range(2):
        bench.device("error", code=6)
    assert [each for each, _ in open_cases(bench)].count("foreign_card") == 1
    bench.card("KD")
    bench.device("error", code=6)
    assert [each for each, _ in open_cases(bench)].count("foreign_card") == 2


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"code": 9}, sentence(Code.DEVICE_ERROR, device="shoe", number=9)),
        ({"code": 3}, sentence(Code.DEVICE_NOTICE, number=3)),
        (
            {"code": 9, "says": "motor hot"},
            sentence(Code.DEVICE_ERROR_SAYS, device="shoe", number=9, says="motor hot"),
        ),
        (
            {"means": "service"},
            sentence(Code.DEVICE_ERROR, device="shoe", number=None),
        ),
    ],
)
def test_an_error_is_shown_with_the_makers_number_and_words(
    bench: Bench, given: dict[str, Any], says: Sentence
) -> None:
    bench.device("error", **given)
    assert bench.table.notices[-1] == says


def test_an_error_that_is_over_holds_until_somebody_clears_it(bench: Bench) -> None:
    bench.device("error", code=9)
    bench.device("error_cleared")
    assert latches(bench) == [("device_had_error", "shoe")]
    bench.say("resume", "pia")
    assert bench.state == "dealing"
    bench.device("error_cleared")
    assert latches(bench) == [], "nothing was wrong"


# --- lids and links -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("begins", "ends", "now", "then"),
    [
        ("lid_open", "lid_closed", "lid_open", "lid_was_open"),
        ("link_lost", "link_up", "link_lost", "link_was_lost"),
    ],
)
@pytest.mark.parametrize("by", ["shoe", "shuffler"])
def test_what_was_open_or_lost_is_cleared_by_a_person(
    bench: Bench, by: str, begins: str, ends: str, now: str, then: str
) -> None:
    bench.device(begins, by=by)
    assert latches(bench) == [(now, by)]
    bench.device(ends, by=by)
    assert latches(bench) == [(then, by)]
    bench.device(begins, by=by)
    assert latches(bench) == [(now, by)], "one hold, not two"
    bench.device(ends, by=by)
    bench.say("resume", "pia")
    assert bench.state == "dealing"


def test_a_lost_link_tells_why_where_it_knows(bench: Bench) -> None:
    bench.device("link_lost", says="no such port")
    wants = sentence(Code.DEVICE_SAYS, device="shoe", says="no such port")
    assert bench.table.notices == (wants,)
    quiet = Bench().deal("9H")
    quiet.device("link_lost")
    assert quiet.notices == []


def test_a_link_that_was_not_listened_to_asks_for_a_count(bench: Bench) -> None:
    bench.device("link_lost")
    bench.device("link_up", count=True)
    assert bench.table.count_check is not None
    assert bench.table.count_check.why.code == "shoe_not_listened_to"


# --- the shoe -----------------------------------------------------------------------------------


def test_a_shoe_switched_on_before_a_card_left_it_is_just_being_made_ready() -> None:
    bench = Bench().open()
    bench.device("started")
    assert (bench.table.count_check, bench.notices) == (None, ["shoe_started"])
    bench.deal("9H")
    bench.device("started")
    assert bench.table.count_check is not None


def test_a_round_the_shoe_gives_up_is_for_people_to_decide(bench: Bench) -> None:
    bench.device("gave_up")
    assert bench.table.case is not None
    assert bench.table.case.id == "device_gave_up"
    assert not bench.round.over
    over = Bench().deal(*NATURAL)
    over.settle()
    over.device("gave_up")
    assert (over.table.case, over.notices) == (None, ["shoe_gave_up_nothing"])


def test_a_loss_is_told_in_the_devices_words_or_ours(bench: Bench) -> None:
    bench.device("events_lost", says="buffer overrun")
    assert bench.table.count_check is not None
    assert bench.table.count_check.why == sentence(
        Code.DEVICE_SAYS, device="shoe", says="buffer overrun"
    )


# --- the shuffler -------------------------------------------------------------------------------


def shuffler(*words: str) -> Bench:
    bench = Bench()
    for word in words:
        bench.device(word, by="shuffler", **({"cards": 416} if word == "verified" else {}))
    return bench


@each_row(
    "words, verified",
    [
        (("verified",), True),
        (("verified", "fault"), False),
        (("verified", "not_verified"), False),
        (("verified", "taken", "fault"), True),
        (("taken", "verified", "fault"), False),
        (("verified", "taken", "verified", "fault"), False),
    ],
)
def test_a_fault_spoils_what_is_still_inside(words: tuple[str, ...], verified: bool) -> None:
    table = shuffler(*words).table
    held = table.decks.shuffler
    assert isinstance(held, VerifiedDecks) is verified
    assert not isinstance(held, VerifiedDecks) or held.cards == 416


@pytest.mark.parametrize("word", ["locked", "unlocked", "notice"])
def test_what_is_only_to_know_is_shown_and_holds_nothing(bench: Bench, word: str) -> None:
    bench.device(word)
    assert bench.table.notices == (sentence(Code.DEVICE_SAYS_WORD, device="shoe", word=word),)
    assert bench.state == "dealing"


def test_a_devices_own_words_are_cut_to_what_a_screen_shows(bench: Bench) -> None:
    bench.device("notice", says="x" * 500)
    assert bench.table.notices[-1].params["says"] == "x" * MAX_SAYS


def test_a_sentence_of_ours_goes_before_the_devices_words(bench: Bench) -> None:
    note = {"code": "device_mode", "gaps": {"device": "shoe", "mode": 3}}
    bench.device("notice", says="MODE=3", note=note)
    assert bench.table.notices[-1] == sentence(Code.DEVICE_MODE, device="shoe", mode=3)


# --- what has to be cleared at the device -------------------------------------------------------


@pytest.mark.parametrize("number", [3, 7])
def test_an_error_that_must_be_cleared_holds_the_table_and_says_what_to_clear(
    bench: Bench, number: int
) -> None:
    bench.device("error", code=number, says="a button was pressed", must_clear=True)
    assert bench.state == "halted"
    view = plain(audience.dealer(bench.table, bench.rules))
    clear = f"At the shoe, clear error {number}: a button was pressed"
    assert view["prompt"]["do"] == clear
    assert (
        view["held"][0]["detail"]["text"]
        == f"The shoe reports error {number}: a button was pressed"
    )
    bench.device("error_cleared", code=number)
    assert bench.state == "dealing", "whoever cleared it there has looked"


def test_each_error_is_cleared_by_its_own_number(bench: Bench) -> None:
    bench.device("error", code=3, says="a button", must_clear=True)
    bench.device("error", code=7, says="too long", must_clear=True)
    bench.device("error_cleared", code=7)
    assert [latch.number for latch in bench.table.latches] == [3]
    bench.device("error_cleared")
    assert bench.state == "dealing"


def test_an_error_whose_end_was_lost_takes_two_people(bench: Bench) -> None:
    bench.device("error", code=3, says="a button", must_clear=True)
    bench.say("resume", "pia")
    assert bench.state == "halted"
    bench.say("approve", "paul")
    assert bench.state == "dealing"


@pytest.mark.parametrize("lost_first", [True, False])
def test_lost_records_and_an_error_of_the_shoe_are_approved_one_by_one(
    bench: Bench, lost_first: bool
) -> None:
    """Records are approved from the floor too; over a device only somebody at the table goes on."""

    def records_lost() -> None:
        bench.device("journal_loss", by="system")

    def error() -> None:
        bench.device("error", code=3, says="a button", must_clear=True)

    first, then = (records_lost, error) if lost_first else (error, records_lost)
    first()
    bench.say("resume", "pia")
    then()
    kinds = ["journal_loss", "must_clear"] if lost_first else ["must_clear", "journal_loss"]
    assert [each.kind.value for each in bench.table.latches] == kinds
    bench.say("approve", "paul")
    assert [each.kind.value for each in bench.table.latches] == kinds[1:]
    told = [each for each in bench.table.notices if each.code == "cleared_without_reason"]
    assert told[-1].params["holds"] == kinds[:1]
    bench.say("resume", "pia")
    bench.say("approve", "paul")
    assert bench.state == "dealing"


def test_what_one_person_can_clear_ends_with_an_approval(bench: Bench) -> None:
    bench.say("suspend", "pia")
    bench.device("journal_loss", by="system")
    bench.say("resume", "pia")
    bench.say("approve", "paul")
    assert bench.state == "dealing"


def test_a_question_shows_the_error_it_is_about(bench: Bench) -> None:
    bench.device("error", code=4, says="a card was pushed back at the exit", must_clear=True)
    (ask,) = plain(audience.dealer(bench.table, bench.rules))["asks"]
    says = "The shoe reports error 4: a card was pushed back at the exit"
    assert (ask["ask"], ask["device"]["text"]) == ("order_known", says)


@pytest.mark.parametrize("first", ["error", "read_failed"])
def test_so_does_the_question_for_a_card_nobody_could_read(bench: Bench, first: str) -> None:
    """A shoe tells the error before the card or after it."""
    for word in (first, "read_failed" if first == "error" else "error"):
        given: dict[str, Any] = (
            {"code": 1, "says": "the card cannot be read"} if word == "error" else {}
        )
        bench.device(word, **given)
    (ask,) = plain(audience.dealer(bench.table, bench.rules))["asks"]
    assert ask["ask"] == "enter"
    assert ask["device"]["text"] == "The shoe reports error 1: the card cannot be read"
