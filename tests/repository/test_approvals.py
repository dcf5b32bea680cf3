"""Who may do what stands in one table: change a row, and refusal, question, prompt, hold, the words
a person is offered and what pages are served all follow. Nothing else names a least role."""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import pytest
import typer

from controller.cli import upkeep
from controller.console.handlers.command_list import AvailableCommand, available_commands
from controller.game.irregularities import RulingStep
from controller.game.roles import Ladder, Role
from controller.game.rulebook import Rulebook
from controller.rulebooks import RULEBOOKS
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.commands.registry import REGISTRY
from controller.upkeep import backups
from controller.views import audience
from controller.views.structs.encoding import plain
from support.console.consoles import PINS, Console, accounts_in
from support.table.bench import NATURAL, Bench, code, nearly_empty, why

ROOT: Final = Path(__file__).parents[2]
WAGERS: Final = (("ann", "banker", 2000),)
DEALT: Final = ("2H", "KC", "3D")


# --- where each act is the next thing to be done ------------------------------------------------


def held_by_a_lid() -> Bench:
    bench = Bench().open()
    bench.device("lid_open")
    bench.device("lid_closed")
    return bench


def left_at_the_shoe() -> Bench:
    bench = reported("wrong_count", "dan", *DEALT)
    bench.say("approve", "pia")
    bench.device("still_plays")
    return bench


def came_back() -> Bench:
    bench = Bench().deal(*DEALT, wagers=WAGERS)
    bench.restart()
    return bench


def offered(**house: Any) -> Bench:
    bench = Bench(**house).deal(*DEALT, wagers=() if house else WAGERS)
    bench.say("report", what="simultaneous")
    bench.say("answer", value=True)
    if house:  # untracked: somebody may have a wager that these cards had decided
        bench.say("approve", "pia")
    return bench


def reported(what: str, by: str, *cards: str) -> Bench:
    bench = Bench().deal(*cards, wagers=WAGERS)
    bench.say("report", by, what=what)
    return bench


def entered(by: str) -> Bench:
    bench = Bench().deal("2H", "??", wagers=WAGERS)
    bench.say("enter_card", by, card="KC")
    return bench


def first_entered(by: str) -> Bench:
    bench = Bench(burn="first_card").open()
    bench.say("enter_card", by, card="2C")
    return bench


def corrected(by: str) -> Bench:
    bench = Bench().deal(*DEALT, wagers=WAGERS)
    bench.say("correct", by, n=1, card="3H", reason="it is a three")
    return bench


def counted(by: str) -> Bench:
    bench = Bench().deal(*DEALT, wagers=WAGERS)
    bench.device("events_lost")
    bench.say("count", by, cards=4)
    return bench


def shoe_asked_for(by: str) -> Bench:
    bench = Bench().open()
    bench.device("verified", by="shuffler")
    bench.say("load_shoe", by, deck_set="red", verified_by="shuffler", cut=True)
    return bench


def vouching_asked_for(by: str) -> Bench:
    bench = Bench()
    bench.say("open_table", "pia")
    bench.say("load_shoe", by, deck_set="red", verified_by="max", cut=True)
    return bench


def records_missing(by: str) -> Bench:
    bench = Bench().open()
    bench.device("journal_loss", by="system")
    bench.say("resume", by)
    return bench


UNIT: Final = {"device": "shoe", "identity": "AE-2", "asset": "17", "reason": "worn"}


def unit_asked_for(by: str) -> Bench:
    bench = Bench().open()
    bench.say("swap_device", by, **UNIT)
    return bench


GREEN: Final = {"deck_set": "green", "stage": "received"}


def inspected(by: str) -> Bench:
    bench = Bench().open()
    bench.say("deck_set", "pia", **GREEN)
    bench.say("deck_set", by, deck_set="green", stage="inspected")
    return bench


def destroyed(by: str) -> Bench:
    bench = Bench().open()
    bench.say("deck_set", "pia", **GREEN)
    bench.say("deck_set", "pia", deck_set="green", stage="retired")
    bench.say("deck_set", by, deck_set="green", stage="destroyed")
    return bench


def decks_counted(by: str) -> Bench:
    bench = Bench().deal("9H", "2C", "KD", "6S")
    bench.device("cut_card")
    bench.settle()
    bench.say("reconcile", by, cards=412)
    return bench


def by_hand_asked_for(by: str) -> Bench:
    bench = Bench().open()
    bench.say("deal_by_hand", by, reason="broken")
    return bench


def announced_by_hand(by: str) -> Bench:
    bench = Bench().open()
    bench.device("by_hand")
    bench.say("open_betting")
    bench.say("close_betting")
    for card in ("9H", "2C", "KD", "6S"):
        bench.say("deal_card", card=card)
    bench.say("announce", by)
    return bench


def disagreed(by: str) -> Bench:
    bench = Bench().deal("9H", "2C", "KD", "6S", wagers=WAGERS)
    bench.device("result", winner="tie")
    bench.say("resume", by)
    return bench


def nobody_wants_it() -> Bench:
    bench = Bench(method="A").deal(*DEALT, "6S", wagers=(("ann", "player", 2000),))
    bench.player("refuse_cards", "ann", hand="player")
    return bench


def wants_the_hand() -> Bench:
    return Bench(method="A").deal(*DEALT, "6S", wagers=(("ann", "player", 2000),))


def over_differential(by: str) -> Bench:
    bench = Bench("rws-commission-baccarat-4", differential=1000).bet(*WAGERS)
    bench.say("close_betting", by, anyway=True)
    return bench


def asks_to_squeeze() -> Bench:
    bench = Bench("rws-commission-baccarat-4", deal_face="down").deal(wagers=WAGERS)
    bench.player("accept_cards", "ann", hand="player")
    return bench


def order_asked() -> Bench:
    bench = Bench().deal("2H", "AC", "3D", "AS", "4H", "6S", wagers=WAGERS)
    bench.say("report", what="simultaneous", cards=[5, 6])
    bench.say("answer", value=False)
    return bench


def too_much_on_one_side() -> Bench:
    bench = Bench(differential=500).bet(*WAGERS)
    bench.say("report", what="differential")
    return bench


def moved(by: str) -> Bench:
    bench = Bench().deal("9H", "2C", wagers=())
    bench.say("report", by, what="simultaneous", order=[2, 1])
    bench.say("answer", by, value=True)
    return bench


def doubted(by: str) -> Bench:
    bench = Bench().deal(*NATURAL, wagers=WAGERS)
    bench.say("report", by, what="simultaneous", cards=[3, 4], order=[4, 3])
    bench.say("answer", by, value=True)
    return bench


def struck(by: str) -> Bench:
    bench = Bench().deal("9H", wagers=WAGERS)
    bench.say("report", by, what="late_wager", wagers=["w1"])
    return bench


def decided_alone(by: str) -> Bench:
    bench = Bench().deal("9H", wagers=WAGERS)
    bench.say("report", by, what="uncovered")
    bench.say("decide", by, text="it comes off", outcome="remove", remove=["w1"])
    return bench


@dataclass(frozen=True)
class Where:
    """A table at which an act is next: who says which word, and where its role shows."""

    at: Callable[[], Bench]
    word: str
    given: dict[str, Any] = field(default_factory=dict)
    shows: tuple[str, ...] = ()
    """Of `prompt`, `ask`, `hold`: each names the least role."""
    in_words: bool = True
    """The word takes this role; not so where only a field of it does."""


ALWAYS: Final = ("prompt", "ask", "hold")
ACTS: Final = {
    Act.OPEN_TABLE: Where(Bench, "open_table"),
    Act.CLOSE_TABLE: Where(lambda: Bench().open(), "close_table"),
    Act.PAUSE: Where(lambda: Bench().open(), "suspend"),
    Act.CHANGE_LIMITS: Where(lambda: Bench().open(), "limits", {"minimum": 100}),
    Act.ALLOW_FEWER_ON_AN_AREA: Where(
        lambda: Bench().open(), "limits", {"per_area": 2}, in_words=False
    ),
    Act.CLOSE_OVER_DIFFERENTIAL: Where(lambda: over_differential("dan"), "approve", shows=("ask",)),
    Act.PERMIT_A_SQUEEZE: Where(
        asks_to_squeeze, "accept_cards", {"hand": "player", "player": "ann"}, in_words=False
    ),
    Act.RESUME: Where(held_by_a_lid, "resume", shows=("prompt", "hold")),
    Act.PUT_ASIDE: Where(left_at_the_shoe, "put_aside", {"reason": "its button is broken"}),
    Act.GO_ON_OVER_A_DEVICE: Where(lambda: disagreed("pia"), "approve", shows=("ask",)),
    Act.SAY_WHAT_A_RESTART_WAS: Where(came_back, "answer", {"value": False}, ALWAYS),
    Act.CLOSE_OFFER: Where(offered, "close_offer"),
    Act.CLOSE_UNTRACKED_OFFER: Where(lambda: offered(track_wagers=False), "close_offer"),
    Act.NAME_A_HANDLER: Where(
        nobody_wants_it, "accept_cards", {"hand": "player", "player": "bob"}, ("prompt",), False
    ),
    Act.ALLOW_A_SQUEEZE: Where(
        wants_the_hand,
        "accept_cards",
        {"hand": "player", "player": "bob", "leave": True},
        in_words=False,
    ),
    Act.SAY_THE_ORDER: Where(order_asked, "answer", {"order": [6, 5]}, ALWAYS),
    Act.PUT_WAGERS_RIGHT: Where(
        too_much_on_one_side, "decide", {"text": "so", "remove": ["w1"]}, ALWAYS
    ),
    Act.ASK_FOR_A_VOID: Where(lambda: nearly_empty(3).deal(*DEALT, wagers=WAGERS), "approve"),
    Act.VOID: Where(lambda: reported("wrong_count", "dan", *DEALT), "approve", shows=ALWAYS),
    Act.MOVE_EXPOSED_CARD: Where(lambda: moved("dan"), "approve", shows=ALWAYS),
    Act.DOUBT_EXPOSED_CARDS: Where(lambda: doubted("dan"), "approve", shows=ALWAYS),
    Act.STRIKE_WAGER: Where(lambda: struck("dan"), "approve", shows=ALWAYS),
    Act.CONFIRM_DECISION: Where(lambda: decided_alone("gus"), "approve", shows=ALWAYS),
    Act.ENTER_CARD: Where(lambda: entered("dan"), "approve", shows=ALWAYS),
    Act.ENTER_FIRST_CARD: Where(lambda: first_entered("dan"), "approve", shows=("ask",)),
    Act.CORRECT_CARD: Where(lambda: corrected("dan"), "approve", shows=("ask",)),
    Act.CONFIRM_COUNT: Where(lambda: counted("dan"), "approve", shows=("ask", "hold")),
    Act.REPLACE_SHOE: Where(lambda: shoe_asked_for("dan"), "approve", shows=("ask",)),
    Act.VOUCH_FOR_SHOE: Where(lambda: vouching_asked_for("dan"), "approve", shows=("ask",)),
    Act.CLEAR_JOURNAL_LOSS: Where(lambda: records_missing("pia"), "approve"),
    Act.ASK_FOR_ANOTHER_UNIT: Where(lambda: Bench().open(), "swap_device", UNIT),
    Act.START_SHUFFLE: Where(lambda: Bench().open(), "start_shuffle"),
    Act.SWAP_DEVICE: Where(lambda: unit_asked_for("pia"), "approve", shows=("ask",)),
    Act.KEEP_DECKS: Where(lambda: Bench().open(), "deck_set", GREEN),
    Act.INSPECT_DECKS: Where(lambda: inspected("pia"), "approve", shows=("ask",)),
    Act.DESTROY_DECKS: Where(lambda: destroyed("pia"), "approve", shows=("ask",)),
    Act.CONFIRM_DECK_COUNT: Where(lambda: decks_counted("dan"), "approve", shows=("ask",)),
    Act.DEAL_BY_HAND: Where(lambda: by_hand_asked_for("dan"), "approve", shows=("ask",)),
    Act.CONFIRM_CARDS: Where(lambda: announced_by_hand("dan"), "approve", shows=("ask",)),
    Act.DEAL: Where(lambda: Bench().open(), "open_betting"),
}
ELSEWHERE: Final = {
    *(Act.SEE_AS_DEALER, Act.SEE_AS_PIT, Act.SEE_AS_SURVEILLANCE),
    *(Act.EXPORT_ROUNDS, Act.UNLOCK_ACCOUNT, Act.RESTORE_JOURNAL, Act.RETIRE_TABLE),
    *(Act.SPEAK_FROM_FLOOR, Act.ACKNOWLEDGE_EXCEPTION, Act.PUBLISH_PEOPLE, Act.PUBLISH_LIMITS),
    Act.BEGIN_NEW_HISTORY,
}
"""At the console, in a shell and at the floor (tests/floor), not at the table."""
NO_ROLE_IN_THE_BOOK: Final = {
    Act.SAY_THE_ORDER: RulingStep.SAY_ORDER,
    Act.PUT_WAGERS_RIGHT: RulingStep.PUT_RIGHT,
}
"""Rows for books that name nobody: ours all do, so the test takes the name out."""


def test_every_act_is_tried() -> None:
    assert set(ACTS) | ELSEWHERE == set(Act) == set(approvals.APPROVALS)
    assert all(row.house or row.clause for row in approvals.ROWS)


# --- a row is changed ---------------------------------------------------------------------------

Change = Callable[..., None]
LOWER: Final = {Role.PIT_MANAGER: "pia", Role.GAMING_SHIFT_MANAGER: "max"}
HIGH_ENOUGH: Final = {Role.PIT_MANAGER: "max", Role.GAMING_SHIFT_MANAGER: "gus"}


@pytest.fixture
def change(monkeypatch: pytest.MonkeyPatch) -> Change:
    def changed(act: Act, **more: Any) -> None:
        monkeypatch.setitem(approvals.APPROVALS, act, replace(approvals.approval_row(act), **more))

    return changed


def higher(act: Act) -> Role:
    """A role that the row does not name."""
    low = (Role.DEALER, Role.PIT_SUPERVISOR)
    return (
        Role.PIT_MANAGER if approvals.approval_row(act).role in low else Role.GAMING_SHIFT_MANAGER
    )


def naming_nobody(book: Rulebook, step: RulingStep) -> Rulebook:
    rows = []
    for row in book.irregularities:
        rulings = [
            replace(
                ruling,
                then=tuple(replace(t, role=None) if t.step is step else t for t in ruling.then),
            )
            for ruling in row.rulings
        ]
        rows.append(replace(row, rulings=tuple(rulings)))
    return replace(book, irregularities=tuple(rows))


def shown(bench: Bench, part: str) -> str | None:
    view = plain(audience.pit(bench.table, bench.rules))
    if part == "prompt":
        role: str | None = view["prompt"]["gaps"].get("role")
    else:
        role = (view["asks"] if part == "ask" else view["held"])[0]["role"]
    return role


def offered_word(bench: Bench, word: str, role: Role) -> AvailableCommand:
    view = audience.dealer(bench.table, bench.rules)
    return next(
        each for each in available_commands(view, role.value, bench.rules) if each.word == word
    )


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.value)
def test_whoever_reads_the_rows_follows_a_changed_one(
    act: Act, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, least, before = ACTS[act], higher(act), approvals.approval_row(act).role
    if step := NO_ROLE_IN_THE_BOOK.get(act):
        book = naming_nobody(RULEBOOKS["mbs-baccarat-8"], step)
        monkeypatch.setitem(RULEBOOKS, "mbs-baccarat-8", book)
    if act is not Act.DEAL:  # which every table needs to get anywhere
        change(act, role=least)
    bench = where.at()
    if act is Act.DEAL:
        change(act, role=least)
    assert {part: shown(bench, part) for part in where.shows} == dict.fromkeys(
        where.shows, least.value
    )
    if where.in_words:
        assert offered_word(bench, where.word, before).role == least.value
        assert not offered_word(bench, where.word, before).mine
        assert offered_word(bench, where.word, least).mine
    refused = bench.refused(where.word, LOWER[least], **where.given)
    assert (why(refused).code, why(refused).params) == REFUSED.get(
        act, ("takes_role", {"role": least.value})
    )
    bench.say(where.word, HIGH_ENOUGH[least], **where.given)


REFUSED: Final = {Act.NAME_A_HANDLER: ("hand_goes_to", {"hand": "player", "player": None})}
"""Where a lower role is refused for another reason: it may pass the hand on, and only in turn."""


# --- one person or two --------------------------------------------------------------------------

BY_TWO: Final[dict[Act, Callable[[str], Bench]]] = {
    Act.VOID: lambda by: reported("wrong_count", by, *DEALT),
    Act.MOVE_EXPOSED_CARD: moved,
    Act.DOUBT_EXPOSED_CARDS: doubted,
    Act.STRIKE_WAGER: struck,
    Act.CONFIRM_DECISION: decided_alone,
    Act.ENTER_CARD: entered,
    Act.ENTER_FIRST_CARD: first_entered,
    Act.CORRECT_CARD: corrected,
    Act.CONFIRM_COUNT: counted,
    Act.REPLACE_SHOE: shoe_asked_for,
    Act.SWAP_DEVICE: unit_asked_for,
    Act.INSPECT_DECKS: inspected,
    Act.DESTROY_DECKS: destroyed,
    Act.CONFIRM_DECK_COUNT: decks_counted,
    Act.DEAL_BY_HAND: by_hand_asked_for,
    Act.CONFIRM_CARDS: announced_by_hand,
    Act.GO_ON_OVER_A_DEVICE: disagreed,
    Act.CLEAR_JOURNAL_LOSS: records_missing,
    Act.CLOSE_OVER_DIFFERENTIAL: over_differential,
}


def test_every_act_that_takes_two_is_tried() -> None:
    second = {row.act for row in approvals.ROWS if row.second}
    elsewhere = {Act.RESTORE_JOURNAL, Act.RETIRE_TABLE, Act.VOUCH_FOR_SHOE, Act.BEGIN_NEW_HISTORY}
    assert second == set(BY_TWO) | elsewhere


def test_second_person_says_it_in_person() -> None:
    """Whatever takes two people ends with a word that takes the speaker's own PIN at the web."""
    words = {ACTS[row.act].word for row in approvals.ROWS if row.second and row.act in ACTS}
    assert {word for word in words if not REGISTRY[word].in_person} == set()


def test_who_loads_a_shoe_vouches_for_it_where_the_row_says_so(change: Change) -> None:
    shoe = {"deck_set": "red", "verified_by": "pia", "cut": True}
    bench = Bench()
    bench.say("open_table", "pia")
    assert code(bench.refused("load_shoe", "pia", **shoe)) == "takes_two"
    change(Act.VOUCH_FOR_SHOE, second=False)
    bench.say("load_shoe", "pia", **shoe)
    bench.say("approve", "pia")
    assert bench.phase == "ready"


@pytest.mark.parametrize("act", BY_TWO, ids=lambda act: act.value)
def test_one_person_is_enough_where_the_row_says_so(act: Act, change: Change) -> None:
    first = "gus" if act is Act.CONFIRM_DECISION else "pia"  # who decides
    bench = BY_TWO[act](first)
    assert audience.pit(bench.table, bench.rules).asks[0].second
    assert code(bench.refused("approve", first)) == "takes_two"
    change(act, second=False)
    assert not audience.pit(bench.table, bench.rules).asks[0].second
    bench.say("approve", first)


def test_one_person_decides_a_void_where_the_row_says_so(change: Change) -> None:
    for second, left in ((True, "approve"), (False, None)):
        change(Act.VOID, second=second)
        bench = reported("uncovered", "gus", *DEALT)
        bench.say("decide", "gus", outcome="void", text="a glass was spilt")
        asked = plain(audience.pit(bench.table, bench.rules))["asks"]
        assert (asked[0]["ask"] if asked else None) == left


# --- at the console -----------------------------------------------------------------------------


def test_console_serves_what_the_rows_say(tmp_path: Path, change: Change) -> None:
    """The pages read these: the words that are offered, the questions, the rows themselves."""
    change(Act.VOID, role=Role.PIT_MANAGER)
    console = Console(tmp_path)
    with console.browser() as sam:
        sam.sign_in("sam")
        mia = sam.another()
        mia.sign_in("mia")
        console.table.staff("open_table")
        console.table.load_shoe()
        console.table.staff("open_betting")
        console.table.staff("close_betting")
        console.table.shoe("9H")
        console.table.staff("report", who="anna", role="dealer", what="wrong_count")
        view = sam.get("/api/table?audience=dealer").json()["view"]
        assert view["asks"][0]["role"] == view["held"][0]["role"] == "pit_manager"
        assert view["prompt"]["gaps"]["role"] == "pit_manager"
        words = {each["word"]: each for each in sam.get("/api/commands").json()["words"]}
        assert (words["approve"]["role"], words["approve"]["mine"]) == ("pit_manager", False)
        about = sam.get("/api/about").json()
        row = {"role": "pit_manager", "second": True, "clause": None, "in_person": False}
        assert about["approvals"]["void"] == row
        assert set(about["approvals"]) == {act.value for act in Act}
        assert about["ladder"] == [[role.value for role in rung] for rung in Ladder().rungs]
        problem = sam.say("approve").json()
        assert (problem["code"], problem["gaps"]) == ("takes_role", {"role": "pit_manager"})
        assert mia.say("approve").status_code == 200


OWN_PIN: Final[dict[Act, tuple[str, dict[str, Any]]]] = {
    Act.OPEN_TABLE: ("open_table", {}),
    Act.CLOSE_TABLE: ("close_table", {}),
    Act.PAUSE: ("suspend", {}),
    Act.CHANGE_LIMITS: ("limits", {"minimum": 100}),
    Act.DEAL: ("open_betting", {}),
}


@pytest.mark.parametrize("act", OWN_PIN, ids=lambda act: act.value)
def test_server_asks_for_the_own_pin_where_the_row_says_so(
    tmp_path: Path, change: Change, act: Act
) -> None:
    """A bare request on an open screen, as no page would send it."""
    word, given = OWN_PIN[act]
    console = Console(tmp_path)
    with console.browser() as sam:
        sam.sign_in("sam")
        if act is not Act.OPEN_TABLE:
            console.table.staff("open_table")
            console.table.load_shoe()
        change(act, in_person=True)
        bare = sam.post(f"/api/commands/{word}", {"key": "bare-request", "with": given})
        assert (bare.status_code, bare.json()["code"]) == (403, "takes_own_pin")
        about = sam.get("/api/about").json()
        assert word in about["in_person"]
        assert about["approvals"][act.value]["in_person"] is True
        wrong = {"key": "a-wrong-pin", "with": given, "secret": "0000"}
        assert sam.post(f"/api/commands/{word}", wrong).status_code == 401
        assert sam.say(word, **given).status_code == 200


def test_an_account_is_unlocked_with_a_pin_where_the_row_says_so(
    tmp_path: Path, change: Change
) -> None:
    with Console(tmp_path).browser() as mia:
        mia.sign_in("mia")
        assert mia.post("/api/staff/anna/unlock").json()["code"] == "takes_own_pin"
        change(Act.UNLOCK_ACCOUNT, in_person=False)
        assert mia.post("/api/staff/anna/unlock").status_code == 200


def test_console_lets_in_whom_the_rows_say(tmp_path: Path, change: Change) -> None:
    gus = Role.GAMING_SHIFT_MANAGER
    for act in (Act.SEE_AS_DEALER, Act.SEE_AS_PIT, Act.SEE_AS_SURVEILLANCE):
        change(act, role=gus)
    change(Act.EXPORT_ROUNDS, role=gus)
    change(Act.UNLOCK_ACCOUNT, role=gus)
    with Console(tmp_path).browser() as mia:
        mia.sign_in("mia")
        assert mia.get("/api/me").json()["feeds"] == ["public"]
        for answer in (
            mia.get("/api/rounds/export.csv"),
            mia.post("/api/staff/anna/unlock"),
        ):
            assert answer.status_code == 403
            assert answer.json()["gaps"] == {"role": gus.value}
        kim = mia.another()
        kim.sign_in("kim")
        assert kim.get("/api/me").json()["feeds"] == ["dealer", "pit", "surveillance", "public"]
        assert kim.get("/api/rounds/export.csv").status_code == 200
        assert kim.post("/api/staff/anna/unlock", {"secret": PINS["kim"][1]}).status_code == 200


@pytest.mark.parametrize("act", [Act.RESTORE_JOURNAL, Act.RETIRE_TABLE])
def test_what_is_done_at_the_machine_takes_whom_the_row_says(
    act: Act, tmp_path: Path, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts = accounts_in(tmp_path)

    def two_people(*names: str) -> tuple[str, str]:
        said = iter([each for name in names for each in (name, PINS[name][1])])
        monkeypatch.setattr(typer, "prompt", lambda *_, **__: next(said))
        return upkeep._two_people(accounts, Ladder(), act)

    change(act, role=Role.PIT_SUPERVISOR)
    assert two_people("sam", "mia") == ("sam", "mia")
    with pytest.raises(backups.BackupError):
        two_people("mia", "mia")
    change(act, role=Role.PIT_MANAGER, second=False)
    with pytest.raises(backups.BackupError):
        two_people("sam", "mia")
    assert two_people("mia", "mia") == ("mia", "mia")


# --- nobody else says who may -------------------------------------------------------------------

NAMES_A_ROLE: Final = {
    "controller/game/roles.py": "the roles and their ladder",
    "controller/game/rulebook.py": "who chooses a method, where a book's own row does not say",
    "controller/table/approvals.py": "the rows",
    "controller/table/rules.py": "whoever speaks as a player is one",
    "controller/terminal/phrases.py": "whoever speaks at a plain terminal is the dealer at first",
    "controller/console/auth/accounts.py": "a player has no account",
}
"""The only modules that name a role, beside the rulebooks, whose rows have clauses."""


def roles_named() -> Iterator[str]:
    for path in sorted((ROOT / "controller").rglob("*.py")):
        names = {
            node.attr
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Role"
        }
        if names & set(Role.__members__):
            yield path.relative_to(ROOT).as_posix()


def test_no_other_module_names_the_least_role_for_something() -> None:
    named = {path for path in roles_named() if not path.startswith("controller/rulebooks/")}
    assert named == set(NAMES_A_ROLE)


ARIA = "group|img|alert|dialog|status|toolbar"
"""Roles that a part of a page has, not a person."""


def test_no_page_names_one_either() -> None:
    pages = ("controller/console/static/js", "controller/floor/web/static/js")
    scripts = [each for page in pages for each in sorted((ROOT / page).glob("*.js"))]
    for path in scripts:
        if path.name.startswith("style_"):
            continue  # a made-up table, shown and never spoken to
        text = path.read_text("utf-8")
        named = [role.value for role in Role if role.value not in ("player", "dealer")]
        assert [role for role in named if f'"{role}"' in text] == [], path.name
        assert re.findall(rf'\brole: "(?!{ARIA})', text) == [], path.name
    assert len(scripts) > 10
