"""Fields of devices' words: errors by meaning or number, notes in our words or a maker's."""

from controller.journal.records import Json
from controller.table.commands.device_events import ErrorReportedEvent, NoticeEvent, SelfTestEvent
from controller.table.commands.message import MalformedPayload, typed_payload
from drivers.error_meaning import SHOE_NUMBERS, ErrorMeaning
from support.rows import each_row


@each_row("means", ErrorMeaning)
def test_an_error_means_what_it_says_whatever_its_number(means: ErrorMeaning) -> None:
    for number in (None, 1, 4, 777):
        assert ErrorReportedEvent(code=number, means=means).meaning is means


@each_row("number, means", [*SHOE_NUMBERS.items(), (99, ErrorMeaning.OTHER)])
def test_an_error_that_tells_its_number_only_means_what_that_always_meant(
    number: int, means: ErrorMeaning
) -> None:
    word = typed_payload("error", {"code": number})
    assert isinstance(word, ErrorReportedEvent)
    assert word.means is None, "it is recorded as it was said"
    assert word.meaning is means


def test_an_error_that_tells_nothing_is_another() -> None:
    assert ErrorReportedEvent().meaning is ErrorMeaning.OTHER


@each_row("means", ["rubbish", "", 4, ["excess"]])
def test_a_meaning_that_is_none_does_not_fit(means: Json) -> None:
    assert isinstance(typed_payload("error", {"code": 4, "means": means}), MalformedPayload)


def test_a_device_may_tell_its_own_words_or_a_sentence_of_ours() -> None:
    said = typed_payload("notice", {"note": {"code": "shoe_started", "gaps": {}}})
    assert isinstance(said, NoticeEvent)
    assert said.note is not None
    assert said.note.code == "shoe_started"


@each_row("good", [["disk space"], 7, None])
def test_what_was_good_is_named_or_counted(good: Json) -> None:
    assert isinstance(typed_payload("self_test", {"bad": [], "good": good}), SelfTestEvent)
