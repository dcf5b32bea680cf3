"""Effects: what a step did, as plain data that any later release can apply without judging it.

That they come to the same table is shown by every test that uses `Bench`, which applies them all.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from controller.engine import effects
from controller.engine.effects import PlainState, Secret
from controller.game.hands import Outcome
from controller.journal.bodies import Delta, Splice
from controller.table.cards import Drawn, UnplacedCard
from controller.table.state import DeviceResult, Round, Shoe, Table, change_part
from support.rows import each_row
from support.table.bench import BOTH_DRAW, NATURAL, Bench


def effect(bench: Bench) -> dict[str, Any]:
    """Of the last step."""
    steps = [body for body in bench.bodies() if b'"effect"' in body]
    found: dict[str, Any] = msgspec.json.decode(steps[-1])["effect"]
    return found


def test_a_step_says_only_what_it_changed() -> None:
    bench = Bench().deal("9H")
    assert set(effect(bench)) == {"in", "set"}
    assert set(effect(bench)["set"]) == {"at"}
    assert set(effect(bench)["in"]) == {"round", "shoe"}
    assert [card["card"] for card in effect(bench)["in"]["round"]["set"]["cards"]] == ["9H"]


def test_what_is_added_to_a_list_is_added_and_not_written_anew() -> None:
    bench = Bench().bet(("ann", "player", 100), ("bob", "banker", 200))
    start, end, by = effect(bench)["in"]["round"]["splice"]["wagers"]
    assert (start, end, [each["player"] for each in by]) == (1, 1, ["bob"])
    bench.say("close_betting")
    bench.card("9H", "2C")
    assert [each["card"] for each in effect(bench)["in"]["round"]["add"]["cards"]] == ["2C"]


def test_one_wager_of_many_is_raised_or_withdrawn_alone() -> None:
    bench = Bench().bet(("ann", "player", 100), ("bob", "banker", 200), ("cho", "tie", 50))
    bench.player("raise", "bob", id="w2", amount=5)
    start, end, by = effect(bench)["in"]["round"]["splice"]["wagers"]
    assert (start, end, [each["amount"] for each in by]) == (1, 2, [205])
    bench.player("withdraw", "ann", id="w1")
    assert effect(bench)["in"]["round"]["splice"]["wagers"] == [0, 1, []]


def test_a_new_round_is_written_as_a_whole() -> None:
    bench = Bench().deal(*NATURAL)
    bench.settle()
    bench.say("open_betting")
    assert effect(bench)["set"]["round"]["number"] == 2


def test_what_is_refused_has_no_effect() -> None:
    bench = Bench().open()
    bench.refused("settle")
    assert "effect" not in msgspec.json.decode(bench.bodies()[-1])


def test_effects_apply_to_states_that_have_fields_nobody_knows_today() -> None:
    """A state of another form is brought up after its effects are applied, not before."""
    state = PlainState({"gone_since": 3, "round": {"old": [1], "cards": [], "many": [1, 2, 3]}})
    inner = Delta(add={"old": [2], "cards": ["x"]}, splice={"many": Splice(1, 2, ["b", "c"])})
    state.apply(Delta({"gone_since": 4}, within={"round": inner}))
    round_ = {"old": [1, 2], "cards": ["x"], "many": [1, "b", "c", 3]}
    assert state.fields == {"gone_since": 4, "round": round_}


# --- what nobody has seen -----------------------------------------------------------------------


def salts(table: Table) -> list[str]:
    """Of every card and winner that is hidden: each occurs once in the world."""
    round_, case, doubt = table.round, table.case, table.count_check
    cards: list[Drawn | UnplacedCard] = [*table.carried]
    cards += round_.cards if round_ else ()
    cards += doubt.unplaced if doubt else ()
    cards += case.kept if case else ()
    hidden = [card for card in cards if not getattr(card, "exposed", False)]
    return [card.salt for card in hidden if card.salt is not None]


def hidden_hands() -> Bench:
    return Bench(deal_face="down").deal(*BOTH_DRAW, wagers=(("ann", "player", 100),))


def one_aside() -> Bench:
    bench = hidden_hands()
    bench.card("7D")
    return bench


def in_doubt() -> Bench:
    bench = hidden_hands()
    bench.device("events_lost")
    bench.card("7D", "8D")
    return bench


def kept_for_counting() -> Bench:
    bench = hidden_hands()
    bench.device("excess", card="7D")
    bench.restart()
    return bench


def entered_by_hand() -> Bench:
    """People name a card that the device could not read, while the others lie face down."""
    bench = Bench(deal_face="down").deal("??", "2C", "KD", "5S")
    bench.say("report", what="foreign_card", cards=[1])
    bench.say("answer", "pia", value=True)
    bench.say("enter_card", card="9H", n=1)
    bench.say("approve", "pia")
    assert next(drawn.card for drawn in bench.round.cards) == "9H"
    return bench


@each_row("make", [hidden_hands, one_aside, in_doubt, kept_for_counting, entered_by_hand])
def test_no_record_has_a_hidden_card_or_its_salt(make: Any) -> None:
    bench = make()
    found = salts(bench.table)
    assert len(found) >= 4
    written = b"".join(bench.bodies()).decode()
    assert not [salt for salt in found if salt in written]
    state = msgspec.json.encode(effects.state(bench.table).fields).decode()
    assert not [salt for salt in found if salt in state]
    assert '"7D"' not in written + state


def test_a_hidden_card_is_put_back_by_its_commitment() -> None:
    bench = hidden_hands()
    cards = bench.round.cards
    secrets = {c.commitment: Secret(c.card, c.salt) for c in cards if c.commitment and c.salt}
    shown = effects.state(bench.table).read()
    assert shown.round is not None
    assert [card.card for card in shown.round.cards] == [None] * len(cards)
    assert effects.restore_hidden_cards(shown, secrets) == bench.table


def test_a_card_that_was_entered_by_hand_is_not_taken_for_the_one_that_was_sealed() -> None:
    """The device could not read it; what people entered stands, whatever the seal holds."""
    bench = Bench(deal_face="down").deal("9H", "2C", "KD", "??")
    for hand in ("player", "banker"):
        bench.say("expose", hand=hand)
    bench.say("enter_card", card="6S")
    bench.say("approve", "pia")
    assert [drawn.card for drawn in bench.round.cards][3] == "6S"


def test_a_winner_that_was_never_sealed_is_no_secret() -> None:
    bench = Bench(deal_face="down").deal(*BOTH_DRAW)
    says = DeviceResult(Outcome.TIE)
    told = replace(bench.table, round=change_part(bench.round, "device", result=says))
    sealed = replace(says, commitment="c0ffee")
    hidden = replace(bench.table, round=change_part(bench.round, "device", result=sealed))
    assert effects.state(told).fields["round"]["device"]["result"]["winner"] == "tie"
    assert effects.state(hidden).fields["round"]["device"]["result"]["winner"] is None


def test_nothing_that_may_hold_a_hidden_card_is_forgotten() -> None:
    """Every field of the state with a card somewhere in it is covered when it is written."""
    hides = {Drawn, UnplacedCard, DeviceResult}
    for struct, (*_, covers) in effects._FIELDS.items():
        fields = msgspec.inspect.type_info(struct)
        assert isinstance(fields, msgspec.inspect.StructType)
        for field in fields.fields:
            kind = field.type  # a part that is never absent is never written whole
            is_part = isinstance(kind, msgspec.inspect.StructType) and kind.cls in effects._FIELDS
            hidden = hides & structs(kind)
            assert is_part or not hidden or field.name in covers, field.name
    assert {Drawn, UnplacedCard, DeviceResult} < structs(msgspec.inspect.type_info(Table))


def test_whichever_field_a_step_changes_is_in_its_effect() -> None:
    """Those that change often and those that are compared all at once."""
    shoe, round_ = Shoe(1, "blue", 8, "pia"), Round(1, "B", face_down=False)
    whole: list[tuple[msgspec.Struct, list[str]]] = [(Table(), [])]
    whole += [(shoe, ["shoe"]), (round_, ["round"])]
    whole += [(part(), []) for part in effects._FIELDS if part not in (Table, Shoe, Round)]
    for now, path in whole:
        names = set(now.__struct_fields__) - {"number"}  # by which another one is known
        for name in sorted(names):
            then, since = replace(now, **{name: "was"}), replace(now, **{name: None})
            if path:
                then, since = (replace(Table(), **{path[0]: each}) for each in (then, since))
            delta = effects.effect(then, since)
            for inner in path:
                assert not delta.set
                delta = delta.within[inner]
            assert delta == Delta(set={name: None}), name


def structs(kind: Any) -> set[Any]:
    """The struct types that occur in a type, itself among them."""
    found: set[Any] = set()
    queue = [kind]
    while queue:
        info = queue.pop()
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls in found:
                continue
            found.add(info.cls)
            queue += [each.type for each in info.fields]
        elif isinstance(info, msgspec.inspect.UnionType):
            queue += info.types
        elif isinstance(info, msgspec.inspect.VarTupleType):
            queue.append(info.item_type)
        elif isinstance(info, msgspec.inspect.DictType):
            queue += [info.key_type, info.value_type]
    return found
