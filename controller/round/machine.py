"""The one state machine, as data.

Two rules. Everything that says which step may follow which is in this file. And this file knows
nothing of cards, wagers or books: a step's consequences are worked out elsewhere, before anything
is on disk, as the table it would lead to; the rows here say which moves are legal, and `leads_here`
takes the row that fits.

A trigger that has no row in a state is refused there. A row's last alternative is always the
unguarded `leave_as_is`: whatever the rules refuse becomes a recorded step that changes nothing.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Any, Final

from transitions import Machine


class State(Enum):
    # Members are looked up at every step; an enum hashes its name anew each time.
    __hash__ = object.__hash__

    CLOSED = "closed"
    CHANGING_SHOE = "changing_shoe"
    READY = "ready"
    BETTING = "betting"
    DEALING = "dealing"
    REVEALING = "revealing"
    PLAYERS_THIRD = "players_third"
    BANKERS_THIRD = "bankers_third"
    OUTCOME = "outcome"
    SETTLING = "settling"
    HALTED = "halted"
    SUSPENDED = "suspended"


_S = State
_IN_PLAY = (_S.OUTCOME, _S.PLAYERS_THIRD, _S.BANKERS_THIRD, _S.REVEALING, _S.DEALING)
_OPEN = tuple(state for state in _S if state is not _S.CLOSED)
_ANYWHERE = tuple(_S)

# For each state, each trigger that may be fired in it and the states it may lead to, in the order
# of play. A trigger that leads back to the same state is a step within it.

# What devices say at any time: it may hold the table and never moves it on.
_HELD: dict[str, tuple[State, ...]] = {
    **dict.fromkeys(("lid_open", "lid_closed", "link_lost", "link_up"), (_S.HALTED,)),
    **dict.fromkeys(("error", "error_cleared"), (_S.HALTED,)),
    **dict.fromkeys(("events_lost", "started", "gave_up", "self_test"), (_S.HALTED,)),
    **dict.fromkeys(("fault", "verified", "not_verified", "taken", "notice"), ()),
    **dict.fromkeys(("locked", "unlocked", "noted", "clock_stepped"), ()),
    "excess_named": (_S.HALTED,),
}
_CARDS = ("card", "read_failed", "excess")
_WORDS: dict[str, tuple[State, ...]] = {  # what people may say while the table is open
    "report": (_S.HALTED, _S.READY, _S.CHANGING_SHOE),
    "correct": (_S.HALTED,),
    "count": (_S.HALTED,),
    "approve": (_S.CHANGING_SHOE, _S.READY, _S.SETTLING, *_IN_PLAY, _S.HALTED),
    "refuse": (),
    "close_table": (_S.CLOSED,),
    "suspend": (_S.HALTED,),
    "swap_device": (),
}
# While hands are dealt a card or a ruling may complete them; what lay aside then finds its place.
_PLAY: dict[str, tuple[State, ...]] = {
    "card": (*_IN_PLAY, _S.HALTED),
    "read_failed": (*_IN_PLAY, _S.HALTED),
    "excess": (*_IN_PLAY, _S.HALTED),
    "expose": (*_IN_PLAY, _S.HALTED),
    "report": (_S.BETTING, *_IN_PLAY, _S.HALTED),  # a reset device reopens betting
    "error": (*_IN_PLAY, _S.HALTED),
    "cut_card": (_S.HALTED,),
    "result": (_S.HALTED,),
    "accept_cards": (),
    "refuse_cards": (),
    "announce": (),
    "place": (),
    "raise": (),
    "withdraw": (),
}
_SETTLE = (_S.READY, _S.CHANGING_SHOE, _S.CLOSED, _S.HALTED)

MOVES: Final[dict[State, dict[str, tuple[State, ...]]]] = {
    _S.CLOSED: {
        "open_table": (_S.CHANGING_SHOE, _S.READY, _S.HALTED),
        "limits": (),
        # What devices say is kept for when it opens; a card spoils the shoe it came from.
        **dict.fromkeys((*_HELD, *_CARDS), ()),
    },
    _S.CHANGING_SHOE: {
        **_HELD,
        **_WORDS,
        "load_shoe": (_S.READY, _S.HALTED),
        "card": (_S.READY, _S.HALTED),
        "read_failed": (_S.READY, _S.HALTED),
        "cut_card": (_S.HALTED,),
        "excess": (_S.HALTED,),
        "method": (),
        "limits": (),
        "enter_card": (),  # the first card, which says how many are burned
    },
    _S.READY: {
        **_HELD,
        **_WORDS,
        "load_shoe": (_S.CHANGING_SHOE, _S.HALTED),
        "method": (),
        "limits": (),
        "open_betting": (_S.BETTING, _S.HALTED),
        "card": (_S.HALTED,),
        "read_failed": (_S.HALTED,),
        "excess": (_S.HALTED,),
        "cut_card": (_S.CHANGING_SHOE,),
    },
    _S.BETTING: {
        **_HELD,
        **_WORDS,
        "place": (),
        "raise": (),
        "withdraw": (),
        "close_betting": (
            _S.DEALING,
            *_IN_PLAY[:-1],
            _S.HALTED,
        ),  # past dealing when cards were out before
        "card": (_S.HALTED,),
        "read_failed": (_S.HALTED,),
        "excess": (_S.HALTED,),
        "cut_card": (),
        "accept_cards": (),
        "refuse_cards": (),
        "method": (),  # Method C: the device is handed on
    },
    _S.DEALING: {**_HELD, **_WORDS, **_PLAY},
    _S.REVEALING: {**_HELD, **_WORDS, **_PLAY, "reveal_first": ()},
    _S.PLAYERS_THIRD: {**_HELD, **_WORDS, **_PLAY},
    _S.BANKERS_THIRD: {**_HELD, **_WORDS, **_PLAY},
    _S.OUTCOME: {**_HELD, **_WORDS, **_PLAY, "announce": (_S.SETTLING, _S.HALTED)},
    _S.SETTLING: {**_HELD, **_WORDS, **_PLAY, "settle": _SETTLE},
    _S.HALTED: {
        # Time may have run out for an offer, so whatever comes next may find the table going on.
        **dict.fromkeys((*_HELD, "report", "answer", "option", "close_offer"), _OPEN),
        **dict.fromkeys(("count", "time_is_up", "suspend", "swap_device"), _OPEN),
        **dict.fromkeys(("approve", "refuse", "decide", "enter_card", "resume"), _ANYWHERE),
        **dict.fromkeys(("card", "read_failed", "excess", "cut_card", "result"), _OPEN),
        **dict.fromkeys(("correct", "withdraw", "place", "raise", "expose"), _OPEN),
    },
    _S.SUSPENDED: {
        "answer": _OPEN,
        **dict.fromkeys((*_HELD, *_CARDS, "cut_card"), ()),
        **dict.fromkeys(("count", "approve", "refuse", "enter_card"), ()),  # before the answer
    },
}
for _state in _OPEN:  # the process came back: in mid-round the table asks what that meant
    MOVES[_state]["restarted"] = (_S.SUSPENDED,)
for _row_of in MOVES.values():
    _row_of["journal_loss"] = (_S.HALTED,)

_MOVING: Final = {"open_table", "load_shoe", "open_betting", "close_betting", "announce", "settle"}
TRIGGERS: Final = tuple(sorted({trigger for row in MOVES.values() for trigger in row}))


def transitions() -> Iterator[dict[str, Any]]:
    """The rows `transitions` is built from: staying, the moves in order, then the refusal.

    Rows are tried one after the other, so the likely one comes first: staying, except for triggers
    that are there to move the table on.
    """
    for source, row in MOVES.items():
        for trigger, leads_to in row.items():
            stay = _row(trigger, source, None, conditions="leads_here", after="take")
            if trigger not in _MOVING:
                yield stay
            for dest in leads_to:
                if dest is not source:
                    yield _row(trigger, source, dest, conditions="leads_here", after="take")
            if trigger in _MOVING:
                yield stay
            yield _row(trigger, source, None, after="leave_as_is")


def _row(trigger: str, source: State, dest: State | None, **more: str) -> dict[str, Any]:
    return {"trigger": trigger, "source": source, "dest": dest, **more}


def build(model: object, initial: State) -> Machine:
    """Settings as they must be where money is at stake: see the tests beside this file."""
    return Machine(
        model,
        states=State,
        transitions=list(transitions()),
        initial=initial,
        auto_transitions=False,
        send_event=True,
        queued=False,
        before_state_change="journal",
        model_attribute="state",
    )


def diagram() -> str:
    """The moves as a Mermaid diagram: the ordinary way of a round, drawn from the rows above.

    What holds the table (`halted`, `suspended`) can come from anywhere and lead back to anywhere,
    so those two are left out of the drawing.
    """
    aside = (State.HALTED, State.SUSPENDED)
    edges: dict[tuple[State, State], list[str]] = {}
    for source, row in MOVES.items():
        for trigger, leads_to in row.items():
            for dest in leads_to:
                if dest is not source and source not in aside and dest not in aside:
                    edges.setdefault((source, dest), []).append(trigger)
    lines = ["stateDiagram-v2", f"    [*] --> {State.CLOSED.value}"]
    lines += [
        f"    {source.value} --> {dest.value}: {', '.join(triggers)}"
        for (source, dest), triggers in edges.items()
    ]
    return "\n".join(lines)
