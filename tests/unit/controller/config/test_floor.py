"""The section `[floor]`: what a table cannot be set up with."""

from pathlib import Path

import pytest

from controller.config import file as config
from controller.config.floor import COULD, USUAL
from controller.floor.web.orders import MAY
from controller.table.commands.registry import REGISTRY, STAFF
from support.rows import each_row

TABLE = """[table]
rulebook = "mbs-baccarat-8"
minimum = 100
maximum = 100000
[money]
chip_unit = 100
rounding = "half_up"
"""
GOOD = {
    "url": '"tls://floor.example:4222"',
    "site": '"bay"',
    "table": '"bac-07"',
    "floor_key": '"/etc/sabot/floor.pub"',
    "certificate": '"/etc/sabot/floor.crt"',
    "key": '"/etc/sabot/floor.key"',
}


def loaded(folder: Path, **changed: str | None) -> config.Config:
    keys = {name: value for name, value in {**GOOD, **changed}.items() if value is not None}
    file = folder / "table.toml"
    section = "\n".join(f"{name} = {value}" for name, value in keys.items())
    file.write_text(f"{TABLE}[floor]\n{section}\n")
    return config.load(file)


def test_table_without_the_section_has_no_floor(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(TABLE)
    assert config.load(file).floor is None


def test_what_may_come_from_the_floor_is_the_usual_unless_it_says_otherwise(tmp_path: Path) -> None:
    floor = loaded(tmp_path).floor
    assert floor is not None
    assert floor.may == USUAL
    fewer = loaded(tmp_path, may='["approve"]').floor
    assert fewer is not None
    assert fewer.may == ("approve",)


def test_a_table_that_may_be_closed_from_the_floor_may_also_stay_open(tmp_path: Path) -> None:
    floor = loaded(tmp_path).floor
    assert floor is not None
    assert {"close_table", "stay_open"} <= {*floor.may}


def test_what_the_floors_pages_carry_is_taken_by_a_table_that_says_nothing_else() -> None:
    assert set(MAY) == set(USUAL)


@each_row("word", ["enter_card", "count", "correct", "expose", "resume", "card"])
def test_word_about_cards_never_comes_from_the_floor_even_if_it_is_configured(
    tmp_path: Path, word: str
) -> None:
    with pytest.raises(config.ConfigError, match=r"table.toml:15.*never comes from the floor"):
        loaded(tmp_path, may=f'["approve", "{word}"]')


def test_every_word_that_could_come_is_a_word_of_staff() -> None:
    assert all(REGISTRY[word].speakers == STAFF for word in COULD)


@each_row(
    "changed, says",
    [
        ({"url": '"ftp://floor"'}, "tls://host:port"),
        ({"url": '"nats://floor.example:4222"'}, "needs TLS"),
        ({"url": '"http://floor.example"'}, "needs TLS"),
        ({"site": '"Bay.1"'}, "no name for a site"),
        ({"table": '"t*"'}, "no name for a table"),
        ({"key": None}, "go together"),
        ({"key": None, "certificate": None}, "must know who speaks"),
        ({"token": '"/etc/sabot/token"'}, "takes certificates and no token"),
        ({"pith": '"north"'}, "did you mean 'floor.pit'"),
        ({"certificate": '"/var/lib/sabot/journal.db"'}, "names the same file"),
    ],
)
def test_what_cannot_be_is_said_with_its_key(
    tmp_path: Path, changed: dict[str, str | None], says: str
) -> None:
    with pytest.raises(config.ConfigError, match=says):
        loaded(tmp_path, **changed)


@pytest.mark.parametrize("url", ["nats://127.0.0.1:4222", "http://localhost:8080"])
def test_floor_on_this_machine_needs_no_certificate(tmp_path: Path, url: str) -> None:
    assert loaded(tmp_path, url=f'"{url}"', certificate=None, key=None).floor is not None


def test_keys_in_a_file_of_their_own_are_checked_too(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text('url = "nats://127.0.0.1:1"\nsite = "bay"\ntable = "t1"\nfloor_key = "k"\n')
    assert config.load_floor(file).table == "t1"
    file.write_text(file.read_text() + 'may = ["count"]\n')
    with pytest.raises(config.ConfigError, match="never comes from the floor"):
        config.load_floor(file)
