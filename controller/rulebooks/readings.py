"""The readings we chose where a document is unclear, contradicts itself or is silent.

A document always wins over a reading; a reading only decides what the document leaves open. Each
says which clauses it touches, what we do and why.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

MBS = "mbs-baccarat-8"
RWS = "rws-commission-baccarat-4"
DRAGON_TIGER = "mbs-dragon-tiger-baccarat"
SANDS_SUPER = "mbs-sands-super-baccarat"
TOURNAMENT = "mbs-baccarat-tournament-5"


@dataclass(frozen=True, slots=True)
class Reading:
    number: int
    name: str
    clauses: Mapping[str, tuple[str, ...]]
    """The clauses it touches, by book; an empty tuple where the book has no clause for it."""
    says: str
    why: str


READINGS: Final = (
    Reading(
        1,
        "a pair",
        {MBS: ("1.1.6",), RWS: ("1.13",), SANDS_SUPER: ("1.1.6.4",), TOURNAMENT: ("1.1.4",)},
        "A pair is two cards of the same rank.",
        "Taken word for word MBS 1.1.6 pairs a ten with a king (both are worth nothing) and the"
        " wager would favour the bettor by about 32 per cent; the examples in the other documents"
        " are all of one rank.",
    ),
    Reading(
        2,
        "Appendix K",
        {DRAGON_TIGER: ("4.3",)},
        "Small Tiger pays 22 to 1 and the small wagers are won with two cards.",
        "Appendix K prints 25 to 1 and three cards; a picture of a layout does not overrule 4.3.",
    ),
    Reading(
        3,
        "the value of a ten",
        {RWS: ("3.2.2", "3.12")},
        "A ten counts ten and the last digit is kept, for a total and for a third card alike.",
        "It gives the same totals as counting it zero, and 3.12 has no row for a third card of 10.",
    ),
    Reading(
        4,
        "the ladder of roles",
        {
            MBS: ("6.2",),
            DRAGON_TIGER: ("6.2",),
            RWS: ("1.11", "5.17"),
            SANDS_SUPER: (),
            TOURNAMENT: (),
        },
        "Dealer, pit supervisor, pit manager, assistant casino manager, gaming shift manager (RWS:"
        " table game shift manager), lowest first; a higher one may always act. The ladder is"
        " configuration.",
        "The documents do not rank the last two against each other.",
    ),
    Reading(
        5,
        "an outcome established",
        {
            MBS: ("5.17.1", "5.17.2"),
            DRAGON_TIGER: ("5.17.1", "5.17.2"),
            RWS: ("5.4", "5.7.1", "5.8", "5.9"),
        },
        "Every wager the game offers counts, placed or not. A wager is decided when every way the"
        " round can still go wins it, or every way loses it; a push decides nothing. Every card of"
        " a deck stays possible, and only exposed cards count.",
        "The clauses speak of the available wagers. A face-down card has established nothing for"
        " anybody, and a prompt that knew better would give it away.",
    ),
    Reading(
        6,
        "silence",
        {SANDS_SUPER: (), TOURNAMENT: (), RWS: (), MBS: (), DRAGON_TIGER: ()},
        "Sands Super and Tournament are dealt as Method B and finish the round on a cutting card;"
        " whatever a book is silent about goes to the top of the ladder of roles.",
        "Somebody must be able to decide, and the dealer keeping device and cards is the plainest"
        " way to deal.",
    ),
    Reading(
        7,
        "pro rata",
        {RWS: ("5.1.1", "5.1.2")},
        "In a box whose Banker and Player totals differ by more than the limit every bet on the"
        " heavier side counts for the same fraction, the one that brings the difference down to the"
        " limit; a bet that would fall under the minimum counts at the minimum and the others are"
        " not scaled again; a box in which somebody bet under the minimum is not scaled at all."
        " Worked out exactly, rounded once by the table's rule.",
        "It is the only apportionment that treats equal money equally and needs no second pass.",
    ),
    Reading(
        8,
        "the special before the general",
        {RWS: ("5.7.1", "5.8", "5.9", "5.12", "5.17")},
        "5.7.1, 5.8 and 5.9 come before 5.12. An altered order in the device is a dealing error"
        " (5.12); a player who walks off with cards is 5.17.",
        "The first three name their cases; for the other two the document has no clause.",
    ),
    Reading(
        9,
        "during the initial deal",
        {
            MBS: ("5.8.2.1",),
            DRAGON_TIGER: ("5.8.2.1",),
            SANDS_SUPER: ("5.3",),
            TOURNAMENT: ("5.3",),
        },
        "Two cards drawn at once are of the initial deal when any of them is among the first four.",
        "From that card on nobody can say which hand was dealt what.",
    ),
    Reading(
        10,
        "resetting the device",
        {MBS: ("5.9", "6.1"), DRAGON_TIGER: ("5.9", "6.1")},
        "5.9 applies while no card of the round is exposed; later it is 6.1.",
        "New wagers on cards that have been seen would be wagers on a known result.",
    ),
    Reading(
        11,
        "one time only",
        {MBS: ("3.5.1", "5.14"), DRAGON_TIGER: ("3.5.1", "5.14")},
        "Once for each player and gaming day; all of the player's wagers under the minimum in that"
        " round are settled. A wager outside the limits can be recorded, with a warning.",
        "The clause sets the time it is found against all future wagers, and could never arise if"
        " such a wager were impossible.",
    ),
    Reading(
        12,
        "a restart is not a power failure",
        {MBS: ("5.17",), DRAGON_TIGER: ("5.17",), RWS: ("5.4",)},
        "After a restart in mid-round the table stands suspended and asks a pit supervisor whether"
        " play was interrupted (then the clause applies) or not (the same round goes on).",
        "Software that restarts unseen has interrupted nothing.",
    ),
    Reading(
        13,
        "squeezing under Method B",
        {MBS: ("3.10.2", "3.16"), DRAGON_TIGER: ("3.11.2", "3.16")},
        "Nobody but the dealer handles cards under Method B; to squeeze, change the method first.",
        "The rule of the method is the stricter one and names its method.",
    ),
    Reading(
        14,
        "the highest wager",
        {MBS: ("3.9.2", "3.11.8.2"), DRAGON_TIGER: ("3.10.2", "3.12.8.2")},
        "The main wager on that hand counts; with nobody on a hand the dealer keeps it. Control of"
        " the device ends on a lost main wager; a tie or a void keeps it.",
        "Side wagers are on no hand, and a push loses nothing.",
    ),
    Reading(
        15,
        "dealing straight from a shuffler",
        {RWS: ("1.6",)},
        "Not offered.",
        "The ledger of the shoe's cards needs a shoe.",
    ),
    Reading(
        16,
        "a natural against a Banker of 0 to 5",
        {RWS: ("3.11", "3.12")},
        "A natural on either side ends the draw, also where the Player took no third card.",
        "Read alone, 3.11 would let the Banker draw against a Player's natural; the table in 3.12"
        " forbids it in so many words.",
    ),
)


def readings_of(book_id: str) -> tuple[Reading, ...]:
    return tuple(reading for reading in READINGS if book_id in reading.clauses)
