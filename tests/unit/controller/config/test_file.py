import os
from dataclasses import replace
from pathlib import Path

import pytest

from controller.cli import demo
from controller.config import key_reference, rulebook_fit
from controller.config.file import DEMO, Config, ConfigError, complete, example, load, load_floor
from controller.floor import config as floor_config
from controller.game.money.rounding import Rounding
from controller.game.roles import Role
from controller.upkeep import integrity
from drivers.shoe_angel_eye.sheet import SHEET
from support.rows import each_row

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

LOCKED = GOOD.replace("decks = 8", "lock_while_betting = true")

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
    "a layout nobody has": (GOOD.replace("decks = 8", 'layout = "Z"'), ":4: table.layout: the lay"),
    "more wagers an area than the book has": (
        GOOD.replace("decks = 8", "wagers_per_area = 4"),
        "at most 3 (clause 3.6), not 4",
    ),
    "a position too many": (GOOD.replace("decks = 8", "positions = 15"), "clause 2.2 has 15"),
    "a position too few": (
        GOOD.replace("decks = 8", 'layout = "Appendix C"\npositions = 6'),
        "has 6 positions (7 to 14)",
    ),
    "limits of no wager": (
        GOOD.replace("[money]", "[table.limits.tye]\nminimum = 5\n[money]"),
        "no wager 'tye'",
    ),
    "a kind's minimum above its maximum": (
        GOOD.replace("[money]", "[table.limits.tie]\nminimum = 5\nmaximum = 4\n[money]"),
        "table.limits.tie: the minimum 5 is over the maximum 4",
    ),
    "a lock that the shoe cannot be asked for": (
        LOCKED + SHOE,
        ":4: table.lock_while_betting: shoe_angel_eye takes no command to lock",
    ),
    "a minimum above the maximum": (
        GOOD.replace("decks = 8", "minimum = 500\nmaximum = 400"),
        ":4: table.minimum: the minimum 500 is over the maximum 400",
    ),
    "a differential below nothing": (
        GOOD.replace("decks = 8", "differential = -1"),
        ":4: table.differential: ",
    ),
    **{
        f"{value} for {key}": (
            GOOD.replace("decks = 8", f"{key} = {value}")
            if section == "table"
            else f"{GOOD}[{section}]\n{key} = {value}",
            f"{section}.{key}: ",
        )
        for section, key in (
            ("table", "betting_s"),
            ("table", "option_timeout_s"),
            ("checks", "clock_step_s"),
            ("checks", "verify_every_h"),
            ("checks", "errors_per_thousand"),
        )
        for value in ("nan", "inf", "-inf", "+nan", "-1.0")
    },
    "no hours at all": (GOOD + "[checks]\nverify_every_h = 0", "must be above 0, not 0.0"),
    "a setting that is no number": (GOOD + SHOE + "settings = {window_s = nan}", "shoe.settings"),
    "a fraction of the disk": (GOOD + "[checks]\nfree_disk_mb = -1", "must be 0 or more, not -1"),
    "no money": (GOOD.partition("[money]")[0], "money"),
    "not TOML": ("[table", "table.toml"),
    "not text": ("\x00", "table.toml"),
}


def test_a_shoe_that_takes_commands_can_be_locked(tmp_path: Path) -> None:
    config = load(written(tmp_path, LOCKED + SHOE + "settings = {read_only = false}"))
    assert config.table.lock_while_betting


@pytest.mark.clause("mbs-baccarat-8", "3.11.1", shows="refused")
def test_method_c_with_a_shoe_that_reads_no_cards_stops_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = GOOD.replace("decks = 8", 'hlga = true\nmethod = "C"') + SHOE
    assert load(written(tmp_path, text)).table.method == "C"
    blind = replace(SHEET, reads_cards=False)
    monkeypatch.setattr("drivers.shoe_angel_eye.SHEET", blind)
    with pytest.raises(ConfigError, match=r"clause 3\.11\.1: under Method C a player draws"):
        load(written(tmp_path, text))


@each_row("what", BAD)
def test_bad_file_stops_the_start_and_says_why(what: str, tmp_path: Path) -> None:
    text, said = BAD[what]
    with pytest.raises(ConfigError) as caught:
        load(written(tmp_path, text))
    assert said in str(caught.value)
    assert "table.toml" in str(caught.value)


HOSTILE = {
    "nested without end": b"a = " + b"[" * 100_000,
    "a key without end": b"a." * 100_000 + b"b = 1",
    "a number without end": b"[table]\ndecks = " + b"9" * 10_000,
    "a key twice": GOOD.encode() + b"\n[table]\n",
    "a key twice in one table": b"[site]\nname = 'a'\nname = 'b'\n",
    "no UTF-8": b"[site]\nname = '\xff\xfe'\n",
    "another coding": GOOD.encode("utf-16"),
    "a hundred megabytes": b"",
}


@each_row("what", HOSTILE)
def test_hostile_files_are_refused_in_words_by_whoever_reads_them(
    what: str, tmp_path: Path
) -> None:
    file = tmp_path / "table.toml"
    file.write_bytes(HOSTILE[what])
    if not HOSTILE[what]:
        os.truncate(file, 100_000_000)
    for read in (load, load_floor, floor_config.load):
        with pytest.raises(ConfigError, match=r"table\.toml"):
            read(file)
    assert integrity.bad(file) == (), "nobody signed it: left to whoever reads all of it"


ONE_FILE = {
    "head": "journal.head",
    "key": "journal.key",
    "signing_key": "journal.signing_key",
}


@pytest.mark.parametrize("key", ONE_FILE)
@pytest.mark.parametrize("spelt", ["as it is", "with dots", "relative", "linked", "second name"])
def test_one_file_for_journal_and_what_guards_it_stops_the_start(
    key: str, spelt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "data" / "journal.db"
    journal.parent.mkdir()
    journal.touch()
    (tmp_path / "link").symlink_to(journal.parent)
    (tmp_path / "second").hardlink_to(journal)
    monkeypatch.chdir(tmp_path)
    other = {
        "as it is": str(journal),
        "with dots": f"{tmp_path}/data/../data/journal.db",
        "relative": "data/journal.db",
        "linked": str(tmp_path / "link" / "journal.db"),
        "second name": str(tmp_path / "second"),
    }[spelt]
    own = {name: str(tmp_path / name) for name in ONE_FILE} | {key: other}
    lines = "".join(f'{name} = "{place}"\n' for name, place in own.items())
    with pytest.raises(ConfigError, match=rf"{ONE_FILE[key]}: journal.path names the same file"):
        load(written(tmp_path, f'{GOOD}[journal]\npath = "{journal}"\n{lines}'))
    apart = lines.replace(other, str(tmp_path / "apart"))
    load(written(tmp_path, f'{GOOD}[journal]\npath = "{journal}"\n{apart}'))


@pytest.mark.parametrize("other", ["data/../data/journal.db", "data/journal.db", "link/journal.db"])
def test_one_file_is_found_before_there_is_any(
    other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    text = f'{GOOD}[journal]\npath = "{tmp_path}/data/journal.db"\nhead = "{other}"\n'
    with pytest.raises(ConfigError, match=r"journal\.head: journal\.path names the same file"):
        load(written(tmp_path, text))


@each_row(
    "text, said",
    [
        (
            '[journal]\nkey = "{0}/k"\nsigning_key = "{0}/k"',
            "journal.signing_key: journal.key names",
        ),
        (
            '[journal]\nkey = "{0}/k"\n[console]\nstaff = "{0}/k"',
            "console.staff: journal.key names",
        ),
        ('[journal]\nkey = "{0}/s"\n[checks]\nsite_key = "{0}/s"', "checks.site_key: journal.key"),
        ('[journal]\nhead = "{0}/m"\n[checks]\nmaker_key = "{0}/m"', "journal.head names"),
        ('[journal]\npath = "{0}/j"\nhead = "{0}/j-wal"', "journal.head: journal.path names"),
        ('[journal]\npath = "{0}/j"\nhead = "{0}/j.lock"', "journal.head: journal.path names"),
        ('[journal]\nhead = "{0}/h"\nkey = "{0}/h.last"', "journal.key: journal.head names"),
        ('[journal]\npath = "{0}/table.toml"', "journal.path: the configuration itself names"),
        ('[console]\nstaff = "{0}/table.toml.sig"', "console.staff: the configuration itself"),
        ('[journal]\npath = "{0}/j"\n[logs]\nfile = "{0}/j"', "logs.file: journal.path names"),
    ],
)
def test_sisters_of_one_file_in_two_places_stop_the_start(
    text: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=said):
        load(written(tmp_path, GOOD + text.format(tmp_path)))


def test_certificate_and_its_key_may_be_one_file(tmp_path: Path) -> None:
    both = f'[console]\ntls_cert = "{tmp_path}/both.pem"\ntls_key = "{tmp_path}/both.pem"'
    assert load(written(tmp_path, GOOD + both)).console.tls_cert is not None


LAYOUTS = {
    "mbs-baccarat-8": "2.2",
    "mbs-dragon-tiger-baccarat": "2.2",
    "mbs-sands-super-baccarat": "2.2",
    "mbs-baccarat-tournament-5": "2.2",
    "rws-commission-baccarat-4": "2.1",
}


@pytest.mark.parametrize(
    "book",
    [pytest.param(b, marks=pytest.mark.clause(b, LAYOUTS[b], shows="refused")) for b in LAYOUTS],
)
def test_a_layout_of_another_document_stops_the_start(book: str, tmp_path: Path) -> None:
    chosen = GOOD.replace("mbs-baccarat-8", book).replace("decks = 8", 'layout = "Diagram Z"')
    with pytest.raises(ConfigError, match=f":4: table.layout: the layouts of {book} are "):
        load(written(tmp_path, chosen))


@pytest.mark.clause("rws-commission-baccarat-4", "2.1.1", shows="refused")
def test_a_box_more_than_the_layout_shows_stops_the_start(tmp_path: Path) -> None:
    chosen = GOOD.replace("mbs-baccarat-8", "rws-commission-baccarat-4")
    with pytest.raises(ConfigError, match=r"no layout of clause 2\.1\.1 has 13 positions"):
        load(written(tmp_path, chosen.replace("decks = 8", "positions = 13")))
    assert (
        load(written(tmp_path, chosen.replace("decks = 8", "positions = 12"))).table.positions == 12
    )


DISPLAYED = {
    "mbs-baccarat-8": ("3.5.1", ("minimum", "maximum")),
    "mbs-dragon-tiger-baccarat": ("3.5.1", ("minimum", "maximum")),
    "rws-commission-baccarat-4": ("3.4", ("minimum", "differential")),
}


@pytest.mark.parametrize(
    "book",
    [
        pytest.param(b, marks=pytest.mark.clause(b, DISPLAYED[b][0], shows="refused"))
        for b in DISPLAYED
    ],
)
def test_a_table_that_has_no_limits_to_display_is_not_started(book: str, tmp_path: Path) -> None:
    clause, limits = DISPLAYED[book]
    given = [f"{limit} = {amount}" for limit, amount in zip(limits, (500, 50_000), strict=True)]
    chosen = GOOD.replace("mbs-baccarat-8", book) + 'rounding = "half_up"'
    for few in ([], given[:1], given[1:]):
        text = chosen.replace("decks = 8", "\n".join(["decks = 8", *few]))
        with pytest.raises(
            ConfigError, match=rf"Limits to be displayed are not set.*clause {clause}\)"
        ):
            complete(written(tmp_path, text))
    both = complete(written(tmp_path, chosen.replace("decks = 8", "\n".join(given))))
    assert both.table.minimum == 500


# --- a card too many (reading 24) -----------------------------------------------------------------

THREE = ("next_round", "no_bet_hand", "burn")
MAY = {
    "mbs-baccarat-8": (THREE, "5.7"),
    "mbs-dragon-tiger-baccarat": (THREE, "5.7"),
    "mbs-sands-super-baccarat": (THREE, "5.2"),
    "mbs-baccarat-tournament-5": (THREE, "5.2"),
    "rws-commission-baccarat-4": (("next_round",), "5.7"),
}
"""From the documents: what may become of it, and the clause."""


@pytest.mark.parametrize("excess", THREE)
@pytest.mark.parametrize(
    "book", [pytest.param(b, marks=pytest.mark.clause(b, MAY[b][1], shows="refused")) for b in MAY]
)
def test_check_refuses_what_the_book_does_not_allow(book: str, excess: str, tmp_path: Path) -> None:
    allowed, clause = MAY[book]
    # Limits are not to be displayed where no wagers are taken.
    said = f'excess = "{excess}"\ntrack_wagers = false'
    chosen = GOOD.replace("mbs-baccarat-8", book).replace("decks = 8", said)
    path = written(tmp_path, chosen)
    if excess in allowed:
        assert complete(path).table.excess.value == excess
        assert load(path).rules().excess.value == excess
        return
    with pytest.raises(ConfigError, match=f":4: table.excess: clause {clause} does not allow"):
        complete(path)
    assert load(path).rules().excess.value == "next_round", "a running table goes on"


@pytest.mark.parametrize(
    ("said", "above"), [("", False), ('highest_role = "assistant_casino_manager"', True)]
)
def test_a_house_says_which_of_two_managers_stands_above_the_other(
    said: str, above: bool, tmp_path: Path
) -> None:
    ladder = load(written(tmp_path, GOOD.replace("decks = 8", said))).rules().ladder
    casino, shift = Role.ASSISTANT_CASINO_MANAGER, Role.GAMING_SHIFT_MANAGER
    assert (ladder.may_act(casino, shift), ladder.may_act(shift, casino)) == (above, not above)
    assert ladder.may_act(casino, Role.PIT_MANAGER)
    assert ladder.may_act(shift, Role.PIT_MANAGER)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: No such file"):
        load(tmp_path / "nowhere.toml")


def test_a_named_rounding_rule_lets_any_chip_start(tmp_path: Path) -> None:
    text = GOOD.replace("chip_unit = 100", 'chip_unit = 1\nrounding = "half_up"')
    assert load(written(tmp_path, text)).money.rounding is Rounding.HALF_UP


RWS = GOOD.replace("mbs-baccarat-8", "rws-commission-baccarat-4")
LIMITS = "minimum = 100\nmaximum = 10000\n[money]"
NOT_COMPLETE = {
    "no limits to display": (GOOD, "minimum, maximum (clause 3.5.1)"),
    "no maximum to display": (GOOD.replace("[money]", "minimum = 100\n[money]"), "maximum (clause"),
    "no differential to display": (
        RWS.replace("[money]", "minimum = 100\n[money]") + 'rounding = "down"',
        "differential (clause 3.4)",
    ),
    "shares in fractions": (
        RWS.replace("[money]", "minimum = 100\ndifferential = 1000\n[money]"),
        "(clause 5.1.1) are rounded half up",
    ),
}


@pytest.mark.parametrize("what", NOT_COMPLETE)
def test_a_table_does_not_begin_with_less_than_its_book_wants(what: str, tmp_path: Path) -> None:
    text, said = NOT_COMPLETE[what]
    path = written(tmp_path, text)
    assert load(path), "a table that has begun goes on with it"
    with pytest.raises(ConfigError) as caught:
        complete(path)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("[money]", LIMITS),
        GOOD.replace("decks = 8", "track_wagers = false"),
        RWS.replace("[money]", "minimum = 100\ndifferential = 1000\n[money]") + 'rounding = "down"',
        GOOD.replace("mbs-baccarat-8", "mbs-sands-super-baccarat"),
    ],
)
def test_a_table_begins_with_all_its_book_wants(text: str, tmp_path: Path) -> None:
    assert complete(written(tmp_path, text))


def test_the_table_for_trying_things_out_has_all_its_book_wants() -> None:
    assert rulebook_fit.shortcomings(DEMO.rules()) == []
    assert rulebook_fit.shortcomings(demo.CONFIG.rules()) == []


def test_example_file_is_what_the_structs_say_and_can_start() -> None:
    file = Path(__file__).parents[4] / "deploy" / "table.example.toml"
    assert file.read_text(encoding="utf-8") == example(), "make it anew: sabot config example"
    assert complete(file).shoe is not None


def test_every_key_says_what_it_is_for() -> None:
    for section, found in key_reference.sections(Config).items():
        assert found, section
        for key in found:
            said = key_reference.explain(Config, key.name)
            assert said is not None
            assert key.description in said


@each_row(
    "key, said",
    [
        ("table.option_timeout_s", "unit: s"),
        ("decks", "default: 8"),
        ("chip_unit", "must be given"),
        ("excess", "one of: next_round, no_bet_hand, burn"),
        ("minimum", "default: left out"),
    ],
)
def test_explain_tells_unit_choices_and_default(key: str, said: str) -> None:
    assert said in (key_reference.explain(Config, key) or "").splitlines()


def test_explain_knows_no_key_that_is_not_there() -> None:
    assert key_reference.explain(Config, "table.deks") is None
