"""The site's documents: signed, newer, kept, taken over between rounds, and what they change."""

import asyncio
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from controller.floor.embedded.nats import NatsServer, nats
from controller.journal import audit
from controller.journal.records import canonical
from controller.protocol.documents import (
    DocumentKind,
    LicensedPerson,
    People,
    SignedDocument,
    SiteLimits,
    signed,
)
from controller.table.commands.message import Message, new_message
from controller.table.commands.registry import Payload
from controller.uplink.document_sync import DocumentSync
from controller.uplink.documents import SiteDocuments
from support.floor.model_floor import FLOOR, NAME, STRANGER
from support.floor.nats_floor import NatsFloor
from support.floor.table_at_floor import TableAtFloor, table_at_floor
from support.table.bench import Bench, code

LATER = time.time() + 10**6
NOBODY = "nats://127.0.0.1:1"


def people(version: int, *licences: LicensedPerson, table: str = NAME.table) -> SignedDocument:
    body = canonical(People(licences))
    return SignedDocument(DocumentKind.PEOPLE, NAME.site, table, version, body)


def limits(version: int, **amounts: int) -> SignedDocument:
    body = canonical(SiteLimits(**amounts))
    return SignedDocument(DocumentKind.LIMITS, NAME.site, NAME.table, version, body)


def licence(who: str, until: float = LATER, *games: str) -> LicensedPerson:
    return LicensedPerson(who, who.title(), "dealer", until, games or ("*",))


# --- what is kept -------------------------------------------------------------------------------


def shelf(path: Path) -> SiteDocuments:
    return SiteDocuments(path / "head.documents", NAME, FLOOR.public)


def test_document_is_kept_over_a_restart_until_the_table_was_told(tmp_path: Path) -> None:
    first = shelf(tmp_path)
    document = signed(people(3, licence("anna")), FLOOR)
    assert first.take(document)
    again = shelf(tmp_path)
    assert again.have() == {"people": 3}
    assert [each for each, _ in again.waiting()] == [document]
    again.refusal_sent(document)
    assert shelf(tmp_path).waiting() == []
    assert shelf(tmp_path).in_force() == {"people": 3}


def test_older_forged_and_foreign_documents_are_not_taken(tmp_path: Path) -> None:
    found = shelf(tmp_path)
    assert found.take(signed(people(3, licence("anna")), FLOOR))
    for document in (
        signed(people(3, licence("eve")), FLOOR),
        signed(people(2, licence("eve")), FLOOR),
        signed(people(4, licence("eve")), STRANGER),
        people(4, licence("eve")),
        signed(people(4, licence("eve"), table="t2"), FLOOR),
        signed(SignedDocument(DocumentKind.PEOPLE, "bay", "t1", 4, b"[]"), FLOOR),
    ):
        assert not found.take(document)
    assert found.have() == {"people": 3}


# --- what they change ---------------------------------------------------------------------------


def with_list(*licences: dict[str, Any], version: int = 1) -> Bench:
    bench = Bench()
    bench.device("site_people", "system", version=version, licences=list(licences))
    bench.open()
    return bench


def list_of(version: int) -> Message[Payload]:
    return new_message("system", "site_people", version=version, licences=[])


def on_list(who: str, until: float, *games: str) -> dict[str, Any]:
    return {"who": who, "until": until, "games": list(games or ("*",))}


def test_dealer_who_is_on_the_list_opens_betting_until_the_licence_runs_out() -> None:
    bench = with_list(on_list("dee", 1000.0))
    bench.say("open_betting", who="dee", at=999.0)
    bench = with_list(on_list("dee", 1000.0))
    assert code(bench.refused("open_betting", who="dee", at=1000.0)) == "licence_has_run_out"


def test_dealer_who_is_not_on_the_list_or_lacks_the_game_does_not_open_betting() -> None:
    bench = with_list(on_list("dee", 10**9, "rws-commission-baccarat-4"))
    assert code(bench.refused("open_betting", who="dee")) == "licence_lacks_game"
    assert code(bench.refused("open_betting", who="eve")) == "not_on_the_sites_list"
    bench.device(
        "site_people", "system", version=2, licences=[on_list("DEE", 10**9, "mbs-baccarat-8")]
    )
    bench.say("open_betting", who="dee")


def test_who_speaks_from_the_floor_works_at_the_site() -> None:
    """By the site's own list, whatever the floor's accounts say; at the table people are seen."""
    bench = with_list(on_list("PIA", 1000.0))
    stranger = bench.refused("limits", who="max", via="floor", minimum=500)
    assert code(stranger) == "not_on_the_sites_list"
    bench.say("limits", who="max", minimum=600)
    bench.say("limits", who="pia", via="floor", at=999.0, minimum=700)
    late = bench.refused("limits", who="pia", via="floor", at=1000.0, minimum=800)
    assert code(late) == "licence_has_run_out"


def test_older_list_is_not_put_back_and_a_round_is_not_interrupted() -> None:
    bench = with_list(on_list("dee", 10**9), version=5)
    assert code(bench.not_taken(list_of(5))) == "older_document"
    bench.say("open_betting", who="dee")
    assert code(bench.not_taken(list_of(6))) == "not_now"


def test_sites_limits_are_those_of_the_next_round() -> None:
    bench = Bench(minimum=100, maximum=1000)
    bench.device("site_limits", "system", version=1, minimum=500, maximum=5000)
    bench.open()
    bench.say("open_betting")
    assert bench.table.round is not None
    in_force = bench.table.round.terms.limits
    assert in_force is not None
    assert (in_force.minimum, in_force.maximum) == (500, 5000)


# --- from the floor -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    with nats(tmp_path_factory.mktemp("broker")) as server:
        yield server


def list_in_force(table: TableAtFloor, floor: NatsFloor, version: int) -> None:
    floor.until(lambda: f"site_list_taken_over', 'gaps': {{'version': {version}" in str(table.view))


def test_list_is_pulled_taken_over_and_kept_by_a_table_that_is_cut_off(
    tmp_path: Path, broker: NatsServer
) -> None:
    with NatsFloor(broker.url) as floor:
        floor.documents = [signed(people(7, licence("anna")), FLOOR)]
        with table_at_floor(tmp_path, broker.url) as table:
            list_in_force(table, floor, 7)
            floor.until(lambda: floor.beats[-1].documents == {"people": 7})
    with table_at_floor(tmp_path, NOBODY) as table:
        table.say("open_table")
        table.say("load_shoe", deck_set="a", verified_by="paul", cut=True)
        table.say("approve", who="paul")
        refused = table.say("open_betting", who="eve", role="dealer")
        assert refused["code"] == "not_on_the_sites_list"
        assert table.say("open_betting", who="anna", role="dealer")["accepted"]


def refusals(table: TableAtFloor) -> int:
    steps = [e.body for e in audit.read(table.places.journal) if b'"event":"site_limits"' in e.body]
    return sum(b'"maximum":1000' in each for each in steps)


def test_refused_document_is_not_said_to_be_in_force_and_asked_again_when_limits_change(
    tmp_path: Path, broker: NatsServer
) -> None:
    """Ties have limits of their own at this table, which are above what the site would allow."""
    with table_at_floor(tmp_path, NOBODY) as table:
        table.say("open_table")
        assert table.say("limits", wager="tie", minimum=5000)["accepted"]
    with NatsFloor(broker.url) as floor:
        floor.documents = [signed(limits(3, minimum=100, maximum=1000), FLOOR)]
        with table_at_floor(tmp_path, broker.url) as table:
            asked_again_when_limits_change(floor, table)


def asked_again_when_limits_change(floor: NatsFloor, table: TableAtFloor) -> None:
    floor.until(lambda: "the site's limits: " in table.status().refused)
    for count in (1, 2):
        seen = len(floor.beats) + 2  # some seconds: it is looked every second
        floor.until(partial(lambda seen: len(floor.beats) > seen, seen))
        assert floor.beats[-1].documents == {}
        assert refusals(table) == count
        if count == 1:
            table.say("limits", wager="tie", minimum=4000)
            floor.until(lambda: refusals(table) == 2)
    table.say("limits", wager="tie", minimum=500)
    floor.until(lambda: floor.beats[-1].documents == {"limits": 3})
    assert table.status().refused == ""


def test_newer_document_is_taken_over_where_the_last_was_refused(tmp_path: Path) -> None:
    waiting = SiteDocuments(tmp_path / "mine", NAME, FLOOR.public)
    waiting.take(signed(limits(3, minimum=100, maximum=1000), FLOOR))
    with table_at_floor(tmp_path, NOBODY) as table:
        table.say("open_table")
        table.say("limits", wager="tie", minimum=5000)
        taking = DocumentSync(waiting, table.loop, time.time)
        asyncio.run(taking.look())
        asyncio.run(taking.look())
        assert (waiting.in_force(), refusals(table)) == ({}, 1)
        waiting.take(signed(limits(4, minimum=100, maximum=9000), FLOOR))
        asyncio.run(taking.look())
        assert (waiting.in_force(), taking.refusal_reason()) == ({"limits": 4}, "")


def test_document_that_is_in_force_already_is_said_to_be(tmp_path: Path) -> None:
    """The file beside the journal was lost, and the floor has sent the list again."""
    lost, again = (
        SiteDocuments(tmp_path / "mine", NAME, FLOOR.public),
        SiteDocuments(tmp_path / "again", NAME, FLOOR.public),
    )
    with table_at_floor(tmp_path, NOBODY) as table:
        for each in (lost, again):
            each.take(signed(people(3, licence("anna")), FLOOR))
            taking = DocumentSync(each, table.loop, time.time)
            asyncio.run(taking.look())
            assert (each.in_force(), taking.refusal_reason()) == ({"people": 3}, "")
