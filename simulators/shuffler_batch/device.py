"""The machine: a hopper, a reader, an elevator with compartments, a lift, a lid and an output door.

It has no bytes. `orders.py` has a host's requests, `hands.py` the actions of hands; `happened`
collects the events, each a word and its fields. `step` advances time.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from simulators.shuffler_batch.pack import Found, Piece, found

CAPACITY: Final = 10 * 52 + 16
COMPARTMENTS: Final = 40
RETRIES: Final = 3
PROGRESS_EVERY: Final = 26

LID_OPEN, CONTENT_UNKNOWN, WRONG_PACK, NOT_TAKEN = 18, 19, 20, 9
JAM_FAULTS: Final = {"INFEED": 2, "READER": 13, "ELEVATOR": 11, "COMPARTMENT": 13, "EXIT": 3}


@dataclass(frozen=True, slots=True)
class Times:
    """Durations in seconds. A pack of eight decks takes about three minutes, as published machines
    do."""

    card: float = 0.4
    boot: float = 2.0
    home: float = 3.0
    check: float = 2.0
    door: float = 1.0
    retry: float = 1.0
    pickup: float = 60.0

    @classmethod
    def paced(cls, card: float, motors: float) -> "Times":
        """Return times at this pace. Waits for people stay unchanged, because people keep their own
        pace."""
        usual = cls()
        motions = (usual.boot, usual.home, usual.check, usual.door, usual.retry)
        return cls(card, *(seconds * motors for seconds in motions))


@dataclass
class Motion:
    word: str
    number: int
    mode: str = ""
    decks: int = 0
    to_move: list[Piece] = field(default_factory=list)
    seen: list[Piece] = field(default_factory=list)
    checking: bool = False

    @property
    def state(self) -> str:
        if self.word == "START":
            return "VERIFYING" if self.checking or self.mode == "VERIFY" else "SHUFFLING"
        return {"HOME": "SELF_TEST", "DEAL": "DEALING"}.get(self.word, "UNLOADING")


@dataclass
class Jammed:
    where: str
    clears_after: int
    attempt: int = 0


class Machine:
    def __init__(self, random: Random, times: Times, decks: int, reads_faces: bool = True) -> None:
        self.random = random
        self.times = times
        self.decks = self.decks_now = decks
        """Decks of a pack started at the machine, and of the present pack."""
        self.reads_faces = reads_faces
        self.tells_order = False
        self.happened: list[tuple[str, tuple[object, ...]]] = []
        self.hopper: list[Piece] = []
        self.pack: list[Piece] = []
        self.aside: list[Piece] = []
        """The reserved compartment for unreadable cards and cards that do not belong."""
        self.output: list[Piece] = []
        self.on = True
        self.state = "BOOTING"
        self.lid_open = self.door_open = False
        self.run = 0
        self.report = Found()
        self.verified = False
        self.content = "EMPTY"
        self.fault: tuple[int, str] | None = None
        """The present fault's number and its class: OPERATOR, SERVICE or FATAL."""
        self.jammed: Jammed | None = None
        self.motion: Motion | None = None
        self.moved_in = self.moved_out = 0
        self._timers: dict[str, float] = {}
        self._held: dict[str, float] = {}
        self.boot()

    # --- time -------------------------------------------------------------------------------

    def step(self, dt: float) -> None:
        while self._timers:
            name = min(self._timers, key=self._timers.__getitem__)
            left = self._timers[name]
            if left > dt:
                break
            dt -= left
            self._timers = {key: rest - left for key, rest in self._timers.items() if key != name}
            self._fire()[name]()
        self._timers = {key: rest - dt for key, rest in self._timers.items()}

    @property
    def at_rest(self) -> bool:
        return not self.happened and not (self.on and self._timers)

    def _fire(self) -> dict[str, Callable[[], None]]:
        return {
            "boot": self._booted,
            "self_test": self._tested,
            "motion": self._move,
            "jam": self._retry,
            "pickup": self._not_taken,
            "close": self._close_door,
        }

    def say(self, word: str, *fields: object) -> None:
        self.happened.append((word, fields))

    def enter(self, state: str) -> None:
        if state != self.state:
            self.state = state
            self.say("STATE", state)

    def rest(self) -> None:
        """Enter the state of a machine in which nothing moves."""
        if self.fault is not None:
            self.enter("FAULT_SERVICE" if self.needs_service else "FAULT_OPERATOR")
        elif self.motion is not None:
            self.enter("PAUSED")
        elif self.door_open:
            self.enter("DOOR_OPEN")
        elif self.pack and self.content == "COUNTED":
            self.enter("DEALING" if self.moved_out else "READY")
        elif self.hopper or self.inside:
            self.enter("LOADING")
        else:
            self.enter("IDLE_EMPTY")

    # --- power --------------------------------------------------------------------------------

    def boot(self) -> None:
        self.state = "BOOTING"
        self.say("BOOT", self.content)
        self._timers = {"boot": self.times.boot}

    def _booted(self) -> None:
        self.enter("SELF_TEST")
        self._timers["self_test"] = self.times.home

    def _tested(self) -> None:
        if self.lid_open:
            self.fail(LID_OPEN, "OPERATOR")
        elif self.content == "UNKNOWN":
            self.fail(CONTENT_UNKNOWN, "OPERATOR")
        self.rest()

    def lose_power(self) -> None:
        """Stop everything where it is; the content is unknown until it is counted."""
        self._gather()
        self.on = False
        self.motion, self.fault, self.happened = None, None, []
        self._timers, self._held = {}, {}
        self.unverify()

    # --- moving -------------------------------------------------------------------------------

    def begin(self, motion: Motion, first_s: float) -> None:
        self.motion = motion
        self._timers.pop("pickup", None)
        self._timers["motion"] = first_s
        self.enter(motion.state)

    def hold(self) -> None:
        names = [name for name in ("motion", "jam") if name in self._timers]
        self._held = {name: self._timers.pop(name) for name in names}

    def go_on(self) -> None:
        assert self.motion is not None
        self._timers |= self._held or {"motion": 0.0}
        self._held = {}
        self.enter("RECOVERING_JAM" if "jam" in self._timers else self.motion.state)

    def stop(self) -> None:
        """End the motion where it is; the cards on their way stay inside."""
        motion = self.motion
        if motion is None:
            return
        self._gather()
        self.hold()
        self._held, self.motion = {}, None
        if motion.word != "HOME":
            self.unverify()
        self.say("DONE", motion.number)

    def _gather(self) -> None:
        """Collect the cards of an abandoned motion; they are somewhere in the machine."""
        if self.motion is not None and self.motion.word in ("START", "EMPTY"):
            on_their_way = [*self.motion.seen, *self.motion.to_move, *self.output]
            self.pack, self.output = [*self.pack, *on_their_way], []

    def _move(self) -> None:
        motion = self.motion
        assert motion is not None
        if self.jammed is not None:
            self._try(self.jammed)
        elif motion.checking or not motion.to_move:
            self._end_of(motion)
        else:
            self._move_one(motion)
            more = self.times.card / 4 if motion.word == "EMPTY" else self.times.card
            self._timers["motion"] = more if motion.to_move else self.times.check

    def _move_one(self, motion: Motion) -> None:
        piece = motion.to_move.pop(0)
        if motion.word == "START":
            self._look_at(piece, motion)
            motion.seen.append(piece)
            self.moved_in += 1
        else:
            self.output.append(piece)
            self.moved_out += 1
            if motion.word == "DEAL":
                self.pack.remove(piece)
        moved = self.moved_in + self.moved_out
        if moved % PROGRESS_EVERY == 0 or not motion.to_move:
            self.say("PROGRESS", *self.counts())

    def _look_at(self, piece: Piece, motion: Motion) -> None:
        if piece.is_cutting_card:
            self.say("CUT_CARD")
        elif not self.reads_faces or motion.mode == "SHUFFLE":
            return
        elif piece.foreign:
            self.say("CARD_FAULT", "WRONG_SET")
        elif piece.unreadable:
            self.say("CARD_FAULT", "UNREADABLE")
        elif sum(seen == piece for seen in motion.seen) >= motion.decks:
            self.say("CARD_FAULT", "DUPLICATE")

    def _end_of(self, motion: Motion) -> None:
        if motion.word == "START" and not motion.checking:
            motion.checking = True
            self.enter(motion.state)
            self._timers["motion"] = self.times.check
            return
        self.motion = None
        if motion.word == "START":
            self._checked(motion)
        elif motion.word in ("OPEN", "EMPTY"):
            self._give_out(motion)
        self.rest()
        if self.state == "READY":
            self.say("READY", self.run, len(self.pack))
        self.say("DONE", motion.number)

    def _checked(self, motion: Motion) -> None:
        reads = self.reads_faces and motion.mode != "SHUFFLE"
        self.aside = [p for p in motion.seen if p.unreadable or p.foreign or p.is_cutting_card]
        self.pack = self._stacked([p for p in motion.seen if p not in self.aside], motion.mode)
        self.report = found(self.run, motion.decks, motion.seen, reads)
        self.say("VERIFIED", self.report)
        if self.tells_order:
            self.say("ORDER", *(piece.code for piece in self.pack))
        self.verified = self.report.verdict == "OK"
        self.content = "COUNTED"
        if self.report.verdict == "WRONG":
            self.fail(WRONG_PACK, "OPERATOR")

    def _stacked(self, cards: list[Piece], mode: str) -> list[Piece]:
        if mode == "VERIFY":
            return cards
        if mode == "SORT":
            suits, ranks = "SHDC", "A23456789TJQK"
            return sorted(cards, key=lambda p: (suits.index(p.code[1]), ranks.index(p.code[0])))
        compartments: list[list[Piece]] = [[] for _ in range(COMPARTMENTS)]
        for piece in cards:
            slot = self.random.choice(compartments)
            slot.insert(self.random.randrange(len(slot) + 1), piece)
        self.random.shuffle(compartments)
        return [piece for slot in compartments for piece in slot]

    def _give_out(self, motion: Motion) -> None:
        if motion.word == "OPEN":
            self.output, self.pack, self.aside = self.inside, [], []
            self.moved_out = len(self.output)
            self.say("PROGRESS", *self.counts())
        self.door_open = True
        self.say("DOOR", "OUTPUT", "OPEN")
        self._timers["pickup"] = self.times.pickup

    # --- trouble ------------------------------------------------------------------------------

    def fail(self, code: int, kind: str) -> None:
        self.fault = (code, kind)
        self.say("FAULT", code, kind)

    def _try(self, jammed: Jammed) -> None:
        """Try to clear the jam; the machine tries a few times before it needs a person."""
        jammed.attempt += 1
        self.enter("RECOVERING_JAM")
        self.say("JAM", jammed.where, jammed.attempt)
        self._timers["jam"] = self.times.retry

    def _retry(self) -> None:
        jammed = self.jammed
        if jammed is None or jammed.attempt >= jammed.clears_after:
            self.unjam()
        elif jammed.attempt < RETRIES:
            self._try(jammed)
        else:
            self.fail(JAM_FAULTS[jammed.where], "OPERATOR")
            self.rest()

    def unjam(self) -> None:
        """Free the card; a machine that was still trying continues by itself."""
        jammed, self.jammed = self.jammed, None
        self._timers.pop("jam", None)
        self._held.pop("jam", None)
        if jammed is not None:
            self.say("JAM_CLEARED", jammed.where)
        if self.motion is not None and self.state == "RECOVERING_JAM":
            self._timers["motion"] = self.times.card
            self.enter(self.motion.state)

    def opened(self, which: str) -> None:
        """Open a part that must stay closed: everything stops, and the verification is void."""
        self.say("DOOR", which, "OPEN")
        self._timers = {}
        self.stop()
        self.unverify()
        self.fail(LID_OPEN, "OPERATOR")
        self.rest()

    def _not_taken(self) -> None:
        self.say("FAULT", NOT_TAKEN, "NOTICE")

    # --- giving out ---------------------------------------------------------------------------

    def taken(self) -> list[Piece]:
        """Take the pack out of the open door."""
        taken, self.output = self.output, []
        self.verified = False
        self.content = "UNKNOWN" if self.inside else "EMPTY"
        self._timers.pop("pickup", None)
        self._timers["close"] = self.times.door
        self.say("TAKEN")
        return taken

    def _close_door(self) -> None:
        self.door_open = False
        self.moved_in = self.moved_out = 0
        self.say("DOOR", "OUTPUT", "CLOSED")
        self.rest()

    # --- to see -------------------------------------------------------------------------------

    @property
    def needs_service(self) -> bool:
        return self.fault is not None and self.fault[1] != "OPERATOR"

    @property
    def inside(self) -> list[Piece]:
        return [*self.pack, *self.aside]

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of cards in, out, and in a whole pack."""
        return self.moved_in, self.moved_out, 52 * self.decks_now

    def status(self) -> tuple[object, ...]:
        """Return state, in, out, total, run, verified, content, fault, motion."""
        held = 0 if self.fault is None else self.fault[0]
        number = 0 if self.motion is None else self.motion.number
        verified = int(self.verified)
        return self.state, *self.counts(), self.run, verified, self.content, held, number

    def unverify(self) -> None:
        """Void a good verification; a bad one stays on record."""
        self.verified = False
        if self.report.verdict == "OK":
            self.report = Found()
        if self.inside:
            self.content = "UNKNOWN"


def texts(pieces: Iterable[Piece]) -> list[str]:
    return [str(piece) for piece in pieces]
