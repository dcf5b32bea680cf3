"""The actions of hands on the machine: its lid, hopper, cards, button and mains plug."""

from collections.abc import Iterable, Mapping

from simulators.kit import fields
from simulators.kit.cards import CUTTING_CARD, NEW_DECK
from simulators.kit.contract import Action, Refused
from simulators.shuffler_batch.device import CAPACITY, JAM_FAULTS, Jammed, Machine, texts
from simulators.shuffler_batch.orders import AT_THE_MACHINE, No, Orders
from simulators.shuffler_batch.pack import Piece

WHY = {
    "BUSY": "something moves already",
    "STATE": "not in this state",
    "DOOR": "the lid or the door is open",
    "NO_CARDS": "there are no cards",
    "UNVERIFIED": "the pack is not verified",
    "SERVICE": "it needs a technician",
}


class Hands:
    def __init__(self, machine: Machine, orders: Orders) -> None:
        self._machine = machine
        self._orders = orders

    @property
    def words(self) -> Mapping[str, Action]:
        card = {"card": "which, like 9H"}
        yes = {"open": "yes (default) or no"}
        where = {
            "where": "infeed, reader, elevator, compartment or exit",
            "clears_after": "attempts after which it frees itself; 0: a hand must (default)",
        }
        return {
            "load": Action("put whole decks into the hopper", self.load, {"decks": "1-10 (8)"}),
            "add": Action("put an extra card into the hopper", self.add, card),
            "take_out": Action("take a card out of the hopper", self.take_out, card),
            "unreadable": Action("make a card of the hopper unreadable", self.unreadable, card),
            "foreign": Action(
                "swap a card of the hopper for one of another set", self.foreign, card
            ),
            "cut_card": Action("leave the cutting card among the cards", self.cut_card),
            "press": Action(
                "press a button of the machine",
                self.press,
                {"button": "start (default), stop, open or empty"},
            ),
            "lid": Action("open or close the lid", self.lid, yes),
            "door": Action("force the output door open, or shut it", self.door, yes),
            "take": Action("take the pack out of the open door", self.take),
            "take_dealt": Action("take up the cards that were dealt", self.take_dealt),
            "jam": Action("let a card stick", self.jam, where),
            "clear_jam": Action("pull the stuck card free", self.clear_jam),
            "fault": Action(
                "let something break",
                self.fault,
                {"code": "1-22 (15)", "kind": "notice, operator, service (default) or fatal"},
            ),
            "repair": Action("a technician mends what broke", self.repair),
            "power_cut": Action("pull the mains plug", self.power_cut),
            "power_on": Action("put the mains plug back", self.power_on),
            "restart": Action("off and on again", self.restart),
        }

    # --- cards --------------------------------------------------------------------------------

    def load(self, decks: object = 8) -> int:
        self._put(Piece(code) for code in NEW_DECK * fields.whole(decks, "decks", 1, 10))
        return len(self._machine.hopper)

    def add(self, card: object) -> int:
        self._put((Piece(fields.a_card(card)),))
        return len(self._machine.hopper)

    def cut_card(self) -> None:
        self._put((Piece(CUTTING_CARD),))

    def take_out(self, card: object) -> int:
        self._machine.hopper.remove(self._in_hopper(card))
        self._settle()
        return len(self._machine.hopper)

    def unreadable(self, card: object) -> None:
        self._swap(card, Piece(fields.a_card(card), unreadable=True))

    def foreign(self, card: object) -> None:
        self._swap(card, Piece(fields.a_card(card), foreign=True))

    def _put(self, pieces: Iterable[Piece]) -> None:
        machine = self._machine
        new = list(pieces)
        if machine.motion is not None:
            raise Refused("cards are moving: wait, or abort")
        if len(machine.hopper) + len(machine.inside) + len(new) > CAPACITY:
            raise Refused(f"the machine holds {CAPACITY} cards")
        machine.hopper += new
        self._settle()

    def _swap(self, card: object, other: Piece) -> None:
        piece = self._in_hopper(card)
        self._machine.hopper[self._machine.hopper.index(piece)] = other

    def _in_hopper(self, card: object) -> Piece:
        piece = Piece(fields.a_card(card))
        if piece not in self._machine.hopper:
            raise Refused(f"there is no good {piece.code} in the hopper")
        return piece

    def _settle(self) -> None:
        if self._machine.state in ("IDLE_EMPTY", "LOADING"):
            self._machine.rest()

    # --- the outside of the machine -------------------------------------------------------------

    def press(self, button: object = "start") -> None:
        orders: Mapping[str, tuple[str, tuple[object, ...]]] = {
            "start": ("START", ("SHUFFLE_VERIFY", self._machine.decks)),
            "stop": ("ABORT", ()),
            "open": ("OPEN", ()),
            "empty": ("EMPTY", ()),
        }
        word, given = orders[fields.one_of(button, "button", tuple(orders))]
        try:
            self._orders.ask(word, AT_THE_MACHINE, given)
        except No as no:
            raise Refused(WHY[str(no)]) from None

    def lid(self, open: object = True) -> None:  # noqa: A002
        self._open_or_shut("LID", fields.yes(open, "open"))

    def door(self, open: object = True) -> None:  # noqa: A002
        self._open_or_shut("OUTPUT", fields.yes(open, "open"))

    def _open_or_shut(self, which: str, is_open: bool) -> None:
        machine = self._machine
        name = "lid_open" if which == "LID" else "door_open"
        if getattr(machine, name) == is_open:
            raise Refused(f"it is {'open' if is_open else 'closed'} already")
        if which == "OUTPUT" and not is_open and machine.state == "DOOR_OPEN":
            raise Refused("the machine closes it when the pack is taken")
        setattr(machine, name, is_open)
        if not machine.on:
            return
        if is_open:
            machine.opened(which)
        else:
            machine.say("DOOR", which, "CLOSED")

    def take(self) -> list[str]:
        if not self._machine.door_open or not self._machine.output:
            raise Refused("no pack lies behind an open door")
        return texts(self._machine.taken())

    def take_dealt(self) -> list[str]:
        machine = self._machine
        if machine.motion is not None or machine.door_open or not machine.output:
            raise Refused("no dealt cards lie there")
        dealt, machine.output = machine.output, []
        machine.say("TAKEN")
        return texts(dealt)

    # --- trouble --------------------------------------------------------------------------------

    def jam(self, where: object = "infeed", clears_after: object = 0) -> None:
        place = fields.one_of(where, "where", tuple(name.lower() for name in JAM_FAULTS)).upper()
        after = fields.whole(clears_after, "clears_after", 0, 99)
        self._machine.jammed = Jammed(place, after or 100)

    def clear_jam(self) -> None:
        if self._machine.jammed is None:
            raise Refused("nothing is jammed")
        self._machine.unjam()

    def fault(self, code: object = 15, kind: object = "service") -> None:
        number = fields.whole(code, "code", 1, 22)
        name = fields.one_of(kind, "kind", ("notice", "operator", "service", "fatal")).upper()
        machine = self._machine
        if name == "NOTICE":
            machine.say("FAULT", number, name)
            return
        machine.stop()
        machine.fail(number, name)
        machine.rest()

    def repair(self) -> None:
        if self._machine.fault is None:
            raise Refused("nothing is broken")
        self._machine.fault = None
        self._machine.rest()

    def power_cut(self) -> None:
        if not self._machine.on:
            raise Refused("it is off")
        self._machine.lose_power()

    def power_on(self) -> None:
        if self._machine.on:
            raise Refused("it is on")
        self._machine.on = True
        self._machine.boot()

    def restart(self) -> None:
        self.power_cut()
        self.power_on()
