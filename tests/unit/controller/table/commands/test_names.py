"""Names that look alike are one person's, whatever letters they are written in."""

from controller.table.commands.names import is_same_name
from support.rows import each_row

ALIKE = {
    "capitals": "PIA",
    "another width": "\uff50\uff49\uff41",
    "Cyrillic": "\u0440\u0456\u0430",
    "one Cyrillic letter": "pi\u0430",
    "Greek": "\u03c1\u03b9\u03b1",
    "Greek capitals": "\u03a1\u0399\u0391",
    "a dotless i": "p\u0131a",
}


@each_row("how", ALIKE)
def test_a_name_in_letters_that_look_alike_is_the_same_name(how: str) -> None:
    assert is_same_name("pia", ALIKE[how])
    assert is_same_name(ALIKE[how], "Pia")


def test_a_letter_looks_like_one_when_small_and_like_another_as_a_capital() -> None:
    assert is_same_name("nan", "\u03b7a\u03b7")
    assert is_same_name("HAL", "\u0397AL")


@each_row("other", ["pib", "piaa", "ria", "p1a", "p\u00eda", "\u043f\u0456\u0430"])
def test_what_people_can_tell_apart_are_two_names(other: str) -> None:
    assert not is_same_name("pia", other)


def test_staff_numbers_are_not_letters() -> None:
    assert not is_same_name("d17", "dl7")
    assert not is_same_name("d10", "d1o")
