from pathlib import Path

import pytest

from controller.config import explained
from controller.config.file import Config, ConfigError, example, load
from controller.game.money.rounding import Rounding

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


SHOE = """
[shoe]
driver = "shoe_angel_eye"
port = "/dev/sabot-shoe"
"""

BAD = {
    "a misspelt key": (GOOD.replace("decks", "deks"), "deks"),
    "an unknown book": (GOOD.replace("baccarat-8", "baccarat-7"), "there is no rulebook"),
    "too many decks": (GOOD.replace("decks = 8", "decks = 11"), "clause 2.1 asks for 4 to 10"),
    "a chip that cannot be paid": (GOOD.replace("100", "10"), "cannot express odds of 19/20"),
    "no chip": (GOOD.replace("100", "0"), "not an amount of money"),
    "an unknown rule": (GOOD + 'rounding = "up"', "up"),
    "a key of another section": (GOOD + "decks = 8", ":7: there is no key 'money.decks'"),
    "a misspelt section": (GOOD + "[consol]", "did you mean 'console'?"),
    "a misspelt key's neighbour": (GOOD.replace("decks", "deks"), "did you mean 'table.decks'?"),
    "a misspelt key's line": (GOOD.replace("decks", "deks"), "table.toml:4: "),
    "a value of the wrong kind": (GOOD.replace("8\n[", '"eight"\n['), ":4: table.decks: Expected"),
    "a driver nobody has": (GOOD + SHOE.replace("angel", "angle"), "did you mean shoe_angel_eye?"),
    "a shoe as shuffler": (GOOD + SHOE.replace("[shoe]", "[shuffler]"), "is a shoe"),
    "an unknown setting": (GOOD + SHOE + "settings = {bawd = 4800}", "has no setting 'bawd'"),
    "the world without TLS": (GOOD + '[console]\nhost = "0.0.0.0"', ":8: console.host: an address"),
    "half of TLS": (GOOD + '[console]\ntls_key = "k"', "go together"),
    "no such port": (GOOD + "[console]\nport = 70000", "a TCP port"),
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


def test_example_file_is_what_the_structs_say_and_can_start() -> None:
    file = Path(__file__).parents[4] / "deploy" / "table.example.toml"
    assert file.read_text(encoding="utf-8") == example(), "make it anew: sabot config example"
    assert load(file).shoe is not None


def test_every_key_says_what_it_is_for() -> None:
    for section, found in explained.sections(Config).items():
        assert found, section
        for key in found:
            said = explained.explain(Config, key.name)
            assert said is not None
            assert key.says in said


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("table.option_timeout_s", "unit: s"),
        ("decks", "default: 8"),
        ("chip_unit", "must be given"),
        ("excess", "one of: next_round, no_bet_hand, burn, void"),
        ("minimum", "default: left out"),
    ],
)
def test_explain_tells_unit_choices_and_default(key: str, said: str) -> None:
    assert said in (explained.explain(Config, key) or "").splitlines()


def test_explain_knows_no_key_that_is_not_there() -> None:
    assert explained.explain(Config, "table.deks") is None
