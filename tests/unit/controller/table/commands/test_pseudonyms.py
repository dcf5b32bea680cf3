"""Players under made-up names: every word that names one, before it is recorded."""

from pathlib import Path
from typing import Any, get_args, get_type_hints

from controller.engine.session import open_session
from controller.journal import audit
from controller.journal.memory import MemoryJournal
from controller.runtime.open_table import open_table, replay_table
from controller.table.commands.message import new_message, staff_message
from controller.table.commands.pseudonyms import disguise_with_key, pseudonym
from controller.table.commands.registry import REGISTRY
from support.rows import each_row
from support.table.bench import Bench, rules_of, sealer_of

KEY = b"k" * 32


def test_one_player_has_one_pseudonym_and_another_table_another() -> None:
    ann = pseudonym(KEY, "Ann Lee")
    assert ann == pseudonym(KEY, " ann lee ")
    assert ann != pseudonym(KEY, "Bob")
    assert ann != pseudonym(b"o" * 32, "Ann Lee")
    assert pseudonym(KEY, ann) == ann
    assert [pseudonym(KEY, each) for each in ("*", "dealer", "")] == ["*", "dealer", ""]


def naming() -> list[tuple[str, str]]:
    """Every text in a word that is titled as a player, by the words themselves."""
    found = []
    for name, spec in REGISTRY.items():
        for field, hint in get_type_hints(spec.struct, include_extras=True).items():
            titles = [str(each) for each in (hint, *get_args(hint))]
            named = any("the player" in each and "'kind': 'text'" in each for each in titles)
            if "staff" in spec.speakers and named:
                found.append((name, field))
    return found


def test_every_field_that_names_a_player_is_known() -> None:
    assert {"place", "accept_cards", "refuse_cards", "option", "report"} <= {
        word for word, _ in naming()
    }


@each_row("word, field", [*naming(), ("method", "drawer")])
def test_name_in_a_word_becomes_a_pseudonym_also_where_the_word_is_refused(
    word: str, field: str
) -> None:
    said = staff_message(word, "dan", "dealer", **{field: "Ann Lee", "method": "C"})
    rules, journal = rules_of(), MemoryJournal()
    session = open_session(rules, journal, sealer_of(), disguise=disguise_with_key(KEY))
    session.handle(said)
    body = list(journal.records())[-1].body
    assert b"Ann" not in body
    assert pseudonym(KEY, "Ann Lee").encode() in body


def test_player_who_speaks_has_the_pseudonym_that_staff_gave_them() -> None:
    bench = Bench()
    bench.session = open_session(
        bench.rules, bench.journal, bench.sealer, disguise=disguise_with_key(KEY)
    )
    bench.bet()
    bench.say("place", player="Ann Lee", wager="banker", amount=2000, position=1)
    bench.player("place", "ann lee", wager="player", amount=1000, position=2)
    assert {each.player for each in bench.round.wagers} == {pseudonym(KEY, "Ann Lee")}
    assert not any(b"nn lee" in each.lower() for each in bench.bodies())


def test_table_keeps_its_names_over_a_restart_and_replay_comes_to_the_same(tmp_path: Path) -> None:
    path, rules = tmp_path / "journal.db", rules_of()
    names: list[str] = []
    for wager in ("banker", "player"):
        with open_table(rules, path, pseudonyms=True) as session:
            for said in OPENING if wager == "banker" else (RESTARTED,):
                assert session.handle(said).accepted
            placed: dict[str, Any] = {"wager": wager, "amount": 1000, "position": len(names) + 1}
            bet = new_message("staff", "place", who="dan", role="dealer", player="Ann", **placed)
            assert session.handle(bet).accepted
            assert session.machine.table.round is not None
            names.append(session.machine.table.round.wagers[-1].player)
    assert len(set(names)) == 1
    assert not any(b'"Ann"' in each.body for each in audit.read(path))
    table = replay_table(rules, path)
    assert table.round is not None
    assert [each.player for each in table.round.wagers] == names


OPENING = (
    staff_message("open_table", "pia", "pit_supervisor"),
    staff_message("load_shoe", "dan", "dealer", deck_set="b", verified_by="pia", cut=True),
    staff_message("approve", "pia", "pit_supervisor"),
    staff_message("open_betting", "dan", "dealer"),
)
RESTARTED = staff_message("answer", "pia", "pit_supervisor", value=False)
