"""What each audience is told: a round's name elsewhere, and of whom nobody is."""

from pathlib import Path
from typing import Any

from controller.journal import audit
from controller.journal.store import Journal
from controller.views import audience
from controller.views.answers import answer_view
from controller.views.structs.encoding import plain
from support.journal.journals import SIGNER
from support.rows import each_row
from support.table.bench import NATURAL, Bench

REF = "studio-7/0042"


def settled() -> Bench:
    bench = Bench().open()
    bench.say("open_betting", ref=REF)
    bench.say("close_betting")
    bench.card(*NATURAL)
    bench.settle()
    return bench


@each_row("who", ["public", "dealer", "pit", "surveillance"])
def test_the_name_a_round_has_elsewhere_is_told_until_the_next_round(who: str) -> None:
    bench = settled()
    assert audience.render_views(bench.table, bench.rules).of(who).ref == REF
    bench.say("open_betting")
    assert audience.render_views(bench.table, bench.rules).of(who).ref is None


def test_it_is_in_the_answer_and_in_the_records_of_the_round(tmp_path: Path) -> None:
    bench = settled()
    refused = plain(answer_view(bench.refused("settle")))
    assert (refused["accepted"], refused["ref"]) == (False, REF)
    path = tmp_path / "journal.db"
    with Journal.open(path, head_path=tmp_path / "journal.db.head", signer=SIGNER) as kept:
        for record in bench.journal.records():
            kept.append(record)
    first, *shown = audit.show(path, 1)
    bodies: list[Any] = [each.body for each in shown if each.kind == "summary"]
    opened: Any = first.body
    assert opened["in"]["with"]["ref"] == REF
    assert [body["ref"] for body in bodies] == [REF]


def test_the_public_is_told_no_name_and_no_amount() -> None:
    bench = Bench().deal(*NATURAL, wagers=(("Mr Smith", "player", 777),))
    bench.settle()
    told = audience.render_views(bench.table, bench.rules)
    for secret in ("Mr Smith", "777"):
        assert secret in repr(told.dealer)
        assert secret not in repr(told.public)
