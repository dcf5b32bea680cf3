"""An error means what it says, or what its number says where it says no more; see PROTOCOL.md."""

import re
from pathlib import Path

import pytest

import drivers
from drivers.error_meaning import SHOE_NUMBERS, ErrorMeaning, meaning_of
from drivers.events import ErrorRaised, ShufflerFault
from drivers.shoe_angel_eye.meaning import ERRORS
from drivers.shuffler_batch.faults import FAULTS
from support.rows import each_row

FOLDER = Path(drivers.__file__).parent


def published(driver: str) -> dict[int, ErrorMeaning]:
    """Number and meaning of every row of a table of errors in PROTOCOL.md."""
    text = (FOLDER / driver / "PROTOCOL.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|.*\| (\w+) \|$", text, re.MULTILINE)
    return {int(code): ErrorMeaning(means) for code, means in rows}


def test_an_error_means_what_its_driver_says() -> None:
    raised = ErrorRaised(4, "the motor is hot", means=ErrorMeaning.SERVICE)
    assert raised.means is ErrorMeaning.SERVICE
    assert ErrorRaised(4, "nobody knows", means=ErrorMeaning.OTHER).means is ErrorMeaning.OTHER


@each_row("code, means", [*SHOE_NUMBERS.items(), (99, ErrorMeaning.OTHER)])
def test_a_driver_written_before_errors_had_meanings_is_read_by_its_number(
    code: int, means: ErrorMeaning
) -> None:
    assert ErrorRaised(code, "as it was").means is means
    assert ErrorRaised(code, "as it was", True).means is means
    assert ErrorRaised(code=code, says="as it was", must_clear=True).means is means


def test_a_fault_of_a_shuffler_has_no_shared_numbers() -> None:
    assert ShufflerFault(4, "as it was").means is ErrorMeaning.OTHER


def test_the_word_goes_before_the_number_and_a_word_that_is_none_is_refused() -> None:
    assert meaning_of(4, "excess") is ErrorMeaning.EXCESS
    assert meaning_of(None, "excess") is ErrorMeaning.EXCESS
    assert meaning_of(None) is ErrorMeaning.OTHER
    with pytest.raises(ValueError, match="rubbish"):
        meaning_of(4, "rubbish")


def test_protocol_md_says_what_each_number_means() -> None:
    assert published("shoe_angel_eye") == SHOE_NUMBERS
    assert set(ERRORS) == set(SHOE_NUMBERS)
    assert published("shuffler_batch") == {code: means for code, (means, _) in FAULTS.items()}
    assert ErrorMeaning.OTHER not in published("shuffler_batch").values()
