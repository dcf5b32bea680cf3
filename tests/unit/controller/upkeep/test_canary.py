"""Four cards that lie face down are looked for in all that leaves a table PC: files, exports,
reports, bundle, logs, metrics. Only the key opens them."""

import io
import json
import logging
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog
from typer.testing import CliRunner

from controller.cli import app, report
from controller.cli.report import ReportFormat
from controller.config import file as config
from controller.engine import card_sealing
from controller.engine.card_sealing import SealedMessage, Sealing
from controller.engine.replay import Replayer
from controller.engine.session import Session
from controller.journal import audit, exports
from controller.journal.bodies import JsonLine
from controller.runtime.open_table import JournalPlaces, open_table
from controller.runtime.release_info import release_digest
from controller.runtime.snapshots import Snapshot, SnapshotLog
from controller.service.metrics import Metrics
from controller.table.commands.device_events import CardDrawnEvent
from controller.table.commands.message import Message, message_from_line
from controller.table.commands.registry import Payload
from controller.table.rules import Rules
from controller.table.state import Table
from controller.upkeep import backups, bundle, doctor, integrity
from controller.views.answers import step_answer
from controller.views.audience import render_views

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
CANARIES = ("7S", "JD", "4S", "QD")
NAMES = ("Seven of spades", "Jack of diamonds", "Four of spades", "Queen of diamonds",
         "黑桃7", "方块J", "黑桃4", "方块Q")  # fmt: skip
STAFF = {"dan": "dealer", "pia": "pit_supervisor", "max": "pit_manager"}


def lines() -> Iterator[dict[str, Any]]:
    def staff(who: str, do: str, **given: object) -> dict[str, Any]:
        return {"from": "staff", "who": who, "role": STAFF[who], "do": do, "with": given}

    yield staff("pia", "open_table")
    yield staff("dan", "load_shoe", deck_set="blue", verified_by="pia", cut=True)
    yield staff("pia", "approve")
    yield staff("max", "method", method="A")
    yield staff("dan", "open_betting")
    yield staff("dan", "place", player="ann-lee", wager="banker", amount=2000, position=1)
    yield staff("dan", "close_betting")
    for card in CANARIES:
        yield {"from": "shoe", "event": "card", "card": card}
    yield {"from": "shoe", "event": "result", "with": {"winner": "banker"}}


@dataclass
class Pc:
    folder: Path
    file: Path
    loaded: config.Config
    metrics: str
    logged: str

    @property
    def places(self) -> JournalPlaces:
        files = self.loaded.journal
        return JournalPlaces(
            Path(files.path), Path(files.head), Path(files.key), Path(files.signing)
        )


@pytest.fixture
def planted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A leak, where a test asks for one, before the table is played."""
    plant = getattr(request, "param", None)
    if plant is not None:
        plant(monkeypatch)


@pytest.fixture
def pc(
    planted: None,  # noqa: ARG001
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> Pc:
    """A live table, stopped with the marked cards face down and the shoe's own result sealed."""
    caplog.set_level(logging.DEBUG)
    structlog.reset_defaults()
    file, data = tmp_path / "table.toml", tmp_path / "data"
    (data / "backups").mkdir(parents=True)
    house = 'rulebook = "mbs-baccarat-8"\nburn = "none"\nhlga = true\nminimum = 1\nmaximum = 99999'
    file.write_text(
        f'[table]\n{house}\n[money]\nchip_unit = 100\n[journal]\npath = "{data}/journal.db"\n'
        f'head = "{data}/head"\nkey = "{tmp_path}/journal.key"\n[logs]\nfile = "{data}/sabot.log"\n'
    )
    loaded = config.load(file)
    found = Pc(tmp_path, file, loaded, "", "")
    metrics, snapshots = Metrics(), SnapshotLog()
    stop = metrics.watch(snapshots)
    rules = loaded.rules()
    with open_table(rules, found.places) as session:
        for n, line in enumerate(lines()):
            answer = session.handle(
                message_from_line(
                    msgspec.convert({"at": NOW.timestamp() - 60 + n, **line}, JsonLine)
                )
            )
            assert answer.accepted, answer.why
            views = render_views(session.machine.table, rules)
            told = step_answer(answer, views.dealer, n + 1)
            what = str(line.get("event") or line.get("do"))
            snapshots.post(Snapshot(n + 1, 0.0, what, views, told))
    stop()
    found.metrics = metrics.text().decode()
    found.logged = "".join(capsys.readouterr()) + caplog.text
    (data / "sabot.log").write_text(found.logged)
    return found


def face_in(text: str) -> list[str]:
    """Cards that somebody could read there. Quoted, or as a word: two letters alone stand in many
    a digest by chance."""
    words = [
        each
        for each in CANARIES
        if re.search(rf"(?<![0-9A-Za-z+/=]){each}(?![0-9A-Za-z+/=])", text)
    ]
    return words + [each for each in NAMES if each in text]


def bytes_without_key(pc: Pc) -> Iterator[tuple[str, bytes]]:
    for path in sorted(pc.folder.rglob("*")):
        if path.is_file() and path not in (pc.places.key, pc.places.signing):
            yield path.name, path.read_bytes()


def outputs(pc: Pc) -> Iterator[tuple[str, str]]:
    """Everything that a table PC gives to anybody, by what it is."""
    journal, run = str(pc.places.journal), CliRunner()
    for write in (exports.export_csv, exports.export_jsonl):
        out = io.StringIO()
        write(pc.places.journal, out)
        yield write.__name__, out.getvalue()
    copy = pc.folder / "copy.db"
    exports.export_copy(pc.places.journal, pc.places.head, copy)
    backups.back_up(pc.places.journal, pc.places.head, pc.folder / "data/backups", NOW)
    for words in (
        ("journal", "show", journal, "1"),
        ("journal", "show", journal, "1", "--json"),
        ("journal", "verify", journal, "--head", str(pc.places.head)),
        ("journal", "export", str(copy), "--jsonl"),
        *(
            ("report", "day", f"{NOW:%Y-%m-%d}", "--config", str(pc.file), "--as", form)
            for form in ("text", "csv", "html")
        ),
        ("doctor", "--config", str(pc.file), "--backups", str(pc.folder / "data/backups")),
        ("verify-night", "--config", str(pc.file)),
    ):
        done = run.invoke(app, list(words))
        said = done.output
        assert done.exception is None or isinstance(done.exception, SystemExit), words
        assert "Usage:" not in said, said
        yield " ".join(word for word in words if not word.startswith(str(pc.folder))), said
    packed = pc.folder / "bundle.zip"
    bundle.pack(pc.loaded, pc.file, "all is well\n", NOW, packed)
    with zipfile.ZipFile(packed) as opened:
        for name in opened.namelist():
            yield f"bundle {name}", opened.read(name).decode("utf-8", "replace")
    yield "metrics", pc.metrics
    yield "log", pc.logged


def found_in(pc: Pc) -> set[str]:
    """Where a face can be read."""
    return {name for name, text in outputs(pc) if face_in(text)}


def test_no_output_of_a_table_pc_tells_a_card_that_lies_face_down(pc: Pc) -> None:
    told = list(outputs(pc))
    assert len({name for name, _ in told}) == len(told), "none is looked at in another's place"
    assert {name: face_in(text) for name, text in told if face_in(text)} == {}
    assert "sabot_steps_total" in dict(told)["metrics"]


def test_no_byte_on_the_disk_tells_it_without_the_key(pc: Pc) -> None:
    assert told_on_disk(pc) == set()


def told_on_disk(pc: Pc) -> set[str]:
    """Files without the key in which a face, or the shoe's own result, can be read."""
    list(outputs(pc))
    found = dict(bytes_without_key(pc))
    assert {"journal.db", "head", "sabot.log", "copy.db", "bundle.zip"} <= set(found)
    plain = {f'"{card}"'.encode() for card in CANARIES} | {name.encode() for name in NAMES}
    plain |= {json.dumps({"card": card}).encode()[1:-1] for card in CANARIES}
    told = (*plain, b'"winner":"banker"')
    return {name for name, data in found.items() if any(each in data for each in told)}


def test_with_the_key_they_are_there(pc: Pc) -> None:
    """Guards the search: what it looks for can be found, by whoever has the key."""
    rules = pc.loaded.rules()
    replaying = Replayer(rules, release_digest(rules))
    for record in audit.read(pc.places.journal):
        replaying.step(record, pc.places.sealer())
    assert face_in(repr(replaying.table)) == list(CANARIES)


def test_bundle_names_nobody_wherever_a_name_stands(pc: Pc) -> None:
    """In a word, in what the step did, in the id of a wager, in what somebody wrote."""

    def staff(who: str, do: str, **given: object) -> dict[str, Any]:
        return {"from": "staff", "who": who, "role": STAFF[who], "do": do, "with": given}

    played = (
        staff("dan", "accept_cards", hand="banker", player="ann-lee"),
        staff("dan", "report", what="wrong_player", hand="banker", to="doris"),
        staff("dan", "report", what="uncovered", text="carl leaned over"),
        staff("dan", "place", player="emil", wager="banker", amount=1, id="w:emil:1"),
        staff("max", "method", method="C", drawer="fritz"),
    )
    with open_table(pc.loaded.rules(), pc.places) as session:
        for line in played:  # taken or refused, it is on record
            session.handle(
                message_from_line(msgspec.convert({"at": NOW.timestamp(), **line}, JsonLine))
            )
    journal = b"".join(map(msgspec.json.encode, audit.read_plain(pc.places.journal))).decode()
    names = ("ann-lee", "doris", "carl", "emil", "fritz", "dan", "pia")
    assert [name for name in names if name not in journal] == [], "they are on record"
    packed = pc.folder / "names.zip"
    bundle.pack(pc.loaded, pc.file, "", NOW, packed)
    with zipfile.ZipFile(packed) as opened:
        told = opened.read("journal.jsonl").decode()
    assert [name for name in names if re.search(rf"\b{name}\b", told)] == []
    assert "(16 characters)" in told
    assert '"id": "w:person ' in told


# --- the search finds a leak wherever one is planted --------------------------------------------


def in_records(patch: pytest.MonkeyPatch) -> None:
    """A card is recorded as it came."""
    covered = card_sealing.seal_message

    def uncovered(
        table: Table, message: Message[Payload], rules: Rules, sealer: Sealing
    ) -> SealedMessage:
        found = covered(table, message, rules, sealer)
        if not isinstance(message.payload, CardDrawnEvent):
            return found
        shown = msgspec.structs.replace(found.shown, role=message.payload.card)
        return msgspec.structs.replace(found, shown=shown)

    patch.setattr(card_sealing, "seal_message", uncovered)


def in_logs(patch: pytest.MonkeyPatch) -> None:
    handle = Session.handle

    def telling(session: Session, said: Message[Payload]) -> Any:
        structlog.get_logger().debug("heard", word=repr(said.payload))
        return handle(session, said)

    patch.setattr(Session, "handle", telling)


def in_metrics(patch: pytest.MonkeyPatch) -> None:
    text = Metrics.text
    patch.setattr(Metrics, "text", lambda each: text(each) + b'sabot_last_card{card="4S"} 1\n')


def after(name: str, says: str | list[str], where: Any) -> Callable[[pytest.MonkeyPatch], None]:
    """What that function gives, and a card."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        tells = getattr(where, name)
        patch.setattr(where, name, lambda *given, **more: tells(*given, **more) + says)

    return plant


def in_report(form: ReportFormat, says: str) -> Callable[[pytest.MonkeyPatch], None]:
    tells = report._WRITERS[form]
    return lambda patch: patch.setitem(report._WRITERS, form, lambda made: tells(made) + says)


EXPORTS = {"export_csv", "export_jsonl", "journal export --jsonl", "bundle journal.jsonl"}
PLANTS: dict[Callable[[pytest.MonkeyPatch], None], set[str]] = {
    in_records: EXPORTS | {"journal show 1", "journal show 1 --json"},
    in_logs: {"log", "bundle logs/sabot.log"},
    in_metrics: {"metrics"},
    in_report(ReportFormat.TEXT, "\n7S\n"): {f"report day {NOW:%Y-%m-%d} --config --as text"},
    in_report(ReportFormat.CSV, "a,JD\n"): {f"report day {NOW:%Y-%m-%d} --config --as csv"},
    in_report(ReportFormat.HTML, "<p>黑桃4</p>"): {f"report day {NOW:%Y-%m-%d} --config --as html"},
    after("page", "Queen of diamonds\n", doctor): {"doctor --config --backups"},
    after("__str__", " (JD)", integrity.FileFinding): {
        "doctor --config --backups", "verify-night --config",
    },
    after("__str__", " 方块J", audit.AuditVerdict): {
        "journal verify --head", "verify-night --config",
    },
    after("_packages", ["7S"], bundle): {"bundle packages.txt"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("planted", "caught"),
    PLANTS.items(),
    ids=["record", "log", "metrics", "text", "csv", "html", "page", "finding", "verdict", "zip"],
    indirect=["planted"],
)
def test_a_planted_leak_is_found_where_it_is(pc: Pc, caught: set[str]) -> None:
    assert found_in(pc) == caught


@pytest.mark.parametrize("planted", [in_records], indirect=True)
def test_a_planted_leak_is_found_on_the_disk(pc: Pc) -> None:
    assert {"journal.db", "copy.db"} <= told_on_disk(pc)
