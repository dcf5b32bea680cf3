from pathlib import Path

import pytest

from controller.config import ConfigError, load
from controller.game.money import Rounding

GOOD = """
[table]
rulebook = "mbs-baccarat-8"
decks = 8
[money]
chip_unit = 100
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_good_file_is_read_and_rounds_exactly_by_default(tmp_path: Path) -> None:
    config = load(written(tmp_path, GOOD))
    assert config.table.rulebook == "mbs-baccarat-8"
    assert config.money.rounding is Rounding.EXACT


BAD = {
    "a misspelt key": (GOOD.replace("decks", "deks"), "deks"),
    "an unknown book": (GOOD.replace("baccarat-8", "baccarat-7"), "there is no rulebook"),
    "too many decks": (GOOD.replace("decks = 8", "decks = 11"), "clause 2.1 asks for 4 to 10"),
    "a chip that cannot be paid": (GOOD.replace("100", "10"), "cannot express odds of 19/20"),
    "no chip": (GOOD.replace("100", "0"), "not an amount of money"),
    "an unknown rule": (GOOD + 'rounding = "up"', "up"),
    "no money": (GOOD.partition("[money]")[0], "money"),
    "not TOML": ("[table", "table.toml"),
    "not text": ("\x00", "table.toml"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_file_stops_the_start_and_says_why(what: str, tmp_path: Path) -> None:
    text, said = BAD[what]
    with pytest.raises(ConfigError) as caught:
        load(written(tmp_path, text))
    assert said in str(caught.value)
    assert "table.toml" in str(caught.value)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: No such file"):
        load(tmp_path / "nowhere.toml")


def test_a_named_rounding_rule_lets_any_chip_start(tmp_path: Path) -> None:
    text = GOOD.replace("chip_unit = 100", 'chip_unit = 1\nrounding = "half_up"')
    assert load(written(tmp_path, text)).money.rounding is Rounding.HALF_UP
