"""A floor's file: read, checked, explained; a mistake is told with its line."""

from pathlib import Path

import pytest

from controller.config.file import ConfigError
from controller.floor import config
from controller.floor.service.website import context_of
from controller.floor.web.live.board import Board
from support.floor.web import FLOOR, Tables, live
from support.rows import each_row

EXAMPLE = Path(__file__).parents[4] / "deploy" / "floor" / "floor.example.toml"


def test_example_is_what_the_command_prints_and_can_start() -> None:
    assert EXAMPLE.read_text("utf-8") == config.example()
    assert config.load(EXAMPLE).site.name == "marina"


@each_row(
    "text, says",
    [
        ("[site]\nnam = 'x'\n", r":2: there is no key 'site.nam'; did you mean 'site.name'\?"),
        ("[site]\nname = 'a.b'\n", r":2: site.name: 'a.b' is no name for a site"),
        ("[site]\n", "site: Object missing required field `name`"),
        ("[site]\nname = 'a'\n[web]\nport = 70000\n", r":4: web.port: it is no TCP port"),
        ("[site]\nname = 'a'\n[web]\ntls_key = 'k'\n", "takes both, tls_cert and tls_key"),
        ("[site]\nname = 'a'\n[nats]\ncert = 'c'\n", "a certificate takes its key"),
        ("[site]\nname = 'a'\n[tables]\nclock_s = nan\n", "more than nothing"),
        ("[site]\nname = 'a'\n[tables]\nenrol = 'all'\n", r":4: tables.enrol: Invalid enum value"),
        ("[site", "floor.toml"),
    ],
)
def test_mistake_is_told_with_its_line(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=says):
        config.load(file)


def test_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        config.load(tmp_path / "floor.toml")


@pytest.mark.parametrize("named", [False, True])
def test_guests_see_dealers_where_the_file_says_so(tmp_path: Path, named: bool) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(
        f"[site]\nname = 'a'\nmode = 'demo'\n[web]\nstaff = '{tmp_path}/staff.json'\n"
        f"[lobby]\ndealers = {str(named).lower()}\n"
    )
    made = context_of(config.load(file), FLOOR, Board("a"), Tables(), {})
    made.board.live(live("c-01", 5, dealer="dana"), 100.0)
    made.lobby.look()
    assert (b"dana" in made.lobby.encoded(0, 100.0)) is named
