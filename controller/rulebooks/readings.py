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
        " table game shift manager), lowest first; a higher one may always act. Which of the last"
        " two stands above the other is configuration.",
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
        "the device's order is the drawn order",
        {
            MBS: ("5.7", "5.8", "5.8.2.2"),
            DRAGON_TIGER: ("5.7", "5.8", "5.8.2.2"),
            RWS: ("1.15", "5.7", "5.8", "5.10"),
            SANDS_SUPER: ("5.3",),
            TOURNAMENT: ("5.3",),
        },
        "Cards that a reading device told of one after the other were drawn in that order. An order"
        " is stated only for cards that came out together: the device says so, or a report names"
        " them, all of them and no others; every card is then laid anew by drawn order. Anything"
        " else that moves or changes a card is a correction by two people. If an exposed card, or"
        " one of a hand that a player has taken, would come to lie on another hand, somebody other"
        " than the reporter, a pit supervisor or above, approves first; an order said by the role"
        " that the clause names is that approval. The device's own result is compared again"
        " afterwards.",
        "A witness that saw each card leave is better than a memory of it, and whoever could say"
        " the order alone could say who wins.",
    ),
    Reading(
        17,
        "which round a report is about",
        {
            MBS: ("1.1.7", "3.1", "5.1.2", "5.16", "6.1"),
            DRAGON_TIGER: ("1.1.8", "3.1", "5.1.2", "5.16", "6.1"),
            RWS: ("1.16", "5.5.3", "5.11"),
            SANDS_SUPER: ("5.2",),
            TOURNAMENT: ("5.2",),
        },
        "The round in play, or the last one until the next call for bets; an earlier one that was"
        " played may be named, and none that was not. An error of an earlier round never touches"
        " the running one: it has no effect (RWS), is too late (Sands Super, Tournament), or is"
        " recorded with a decision that moves neither cards nor money (MBS, Dragon Tiger). Between"
        " a settlement and the next call a wrong number of cards that cannot be put right still"
        " voids where the book says so; wrong cards leave what is settled; the rest goes to the"
        " role for what nothing covers. Another shoe makes the last round no earlier one, but its"
        " cards are gone and nobody moves them.",
        "The call for bets commences the next round, and settlements of earlier ones stand.",
    ),
    Reading(
        18,
        "what can be known is worked out",
        {
            MBS: ("5.2", "5.9", "5.11", "5.18", "6.1"),
            DRAGON_TIGER: ("5.2", "5.9", "5.11", "5.18", "6.1"),
            RWS: ("5.1", "5.5.3", "5.9", "5.17"),
            SANDS_SUPER: ("5.2",),
            TOURNAMENT: ("5.2",),
        },
        "Whether the differential is exceeded, bets are closed, the device read the cards that were"
        " taken, cards are dealt face down here, or a hand has the wrong number is computed and"
        " asked only where the table cannot know. What is reported and did not happen is refused"
        " and recorded; what happened but lies outside the clause goes to the role for what is not"
        " covered; an order altered while the device moves is an altered order where no player"
        " draws.",
        "A ruling is only as good as what it rests on.",
    ),
    Reading(
        19,
        "the differential is closed over by nobody alone",
        {
            MBS: ("5.18.1", "5.18.2", "5.18.3"),
            DRAGON_TIGER: ("5.18.1", "5.18.2", "5.18.3"),
            RWS: ("5.1", "5.1.1"),
        },
        "With it exceeded bets are not closed until it is put right: by the players, else by what"
        " the pit manager takes off. RWS: the House rejects the excess, by amount, standing"
        " players' bets before seated ones'; bets are closed all the same only with a pit"
        " supervisor's approval, and then count as not rejected and are settled pro rata.",
        "The clauses say who puts it right and none says that the dealer may let it be.",
    ),
    Reading(
        20,
        "while options are open",
        {
            MBS: ("5.8.1", "5.17.1", "5.17.2"),
            DRAGON_TIGER: ("5.8.1", "5.17.1", "5.17.2"),
            RWS: ("5.4", "5.12"),
        },
        "Nothing is drawn or exposed. Cards shown all the same are exposed from then on: wagers"
        " they decide stay, all others may still be withdrawn, and once an outcome is established"
        " an offer that rests on there being none ends. A card that slips out lies aside, sealed,"
        " and is the next in drawn order when the offer ends. A pit supervisor may close it.",
        "An option taken after a look at the cards is a wager on a known result.",
    ),
    Reading(
        21,
        "cards in doubt decide nothing",
        {MBS: ("5.8.1", "5.8.2.2"), DRAGON_TIGER: ("5.8.1", "5.8.2.2"), RWS: ("5.8", "5.12.1")},
        "Cards that cannot be reconstructed, or whose order is unknown, establish no outcome and"
        " decide no wager, and those that came out together none until they are reconstructed. In"
        " doubt are the cards that a report names or says to lie elsewhere; a report that names"
        " none doubts all. Other cards still decide.",
        "Nobody can say which hand such a card belongs to, so nobody has won or lost by it.",
    ),
    Reading(
        22,
        "going on with a hand",
        {RWS: ("5.12.1", "5.12.2")},
        "Under 5.12.1 as the cards lie, under 5.12.2 as they were reconstructed.",
        "5.12.1 is for cards that cannot be reconstructed: there is no other way they could lie.",
    ),
    Reading(
        23,
        "dealt face up on a face-down table",
        {RWS: ("5.9",)},
        "The cards that the report names are exposed and count.",
        "Whether an outcome is established turns on what everybody has seen.",
    ),
    Reading(
        24,
        "a card too many",
        {
            MBS: ("5.7", "6.1"),
            DRAGON_TIGER: ("5.7", "6.1"),
            RWS: ("5.7",),
            SANDS_SUPER: ("5.2",),
            TOURNAMENT: ("5.2",),
        },
        "A round whose hands are complete by exposed cards goes on without a question, and one that"
        " can be put right is never void for the card. The house may use it in the next round, deal"
        " a hand without wagers for it or burn it; RWS: use it in the next round. A table that was"
        " configured otherwise goes on as if it were to be used in the next round.",
        "No clause takes a complete hand away for a card that no hand needs; RWS names the next"
        " round and no other use.",
    ),
    Reading(
        25,
        "the amount wagered on a hand",
        {MBS: ("3.9.2", "3.9.4"), DRAGON_TIGER: ("3.10.2", "3.10.4")},
        "A player's whole amount on that main wager, in one stake or several; among equals the one"
        " whose amount stood there first. A hand is passed after bets are closed, by the wagers as"
        " they then stand; a reset of the device or a refusal, also one after accepting, asks"
        " anew.",
        "Two stakes of 600 are more than one of 1,000.",
    ),
    Reading(
        26,
        "asking to squeeze",
        {RWS: ("3.9",)},
        "The seated player with the highest bet on the table, the larger of a player's amounts on"
        " the two main wagers, may ask before the card is dealt to squeeze either hand; a pit"
        " employee permits or declines, and the prompt names who squeezes.",
        "The clause speaks of the table and of permission, and not of a hand or of a right.",
    ),
    Reading(
        27,
        "every accepted wager can be settled",
        {
            MBS: ("4.1",),
            DRAGON_TIGER: ("4.1",),
            RWS: ("4.1.1", "5.1.1"),
            SANDS_SUPER: ("4.1",),
            TOURNAMENT: ("4.1",),
        },
        "A wager that the table's chip unit and rounding cannot pay at each of its odds is refused"
        " when it is placed; a book that may settle pro rata is not played with exact rounding. A"
        " wager that was withdrawn is placed anew and never raised.",
        "One stake that cannot be paid would keep the whole round from being settled.",
    ),
    Reading(
        28,
        "layouts and limits on display",
        {
            MBS: ("2.2", "3.5.1"),
            DRAGON_TIGER: ("2.2", "3.5.1"),
            RWS: ("2.1.1", "3.4"),
            SANDS_SUPER: ("2.2",),
            TOURNAMENT: ("2.2",),
        },
        "A table has one of its document's layouts with its number of positions, the largest unless"
        " configured; a wager elsewhere is refused. Where a document gives no number, the house"
        " may. Limits that a document wants displayed are configured where wagers are taken, for a"
        " kind of wager by itself where the house has such, and shown. A journal already running"
        " opens with a notice.",
        "A limit that nobody has set cannot be displayed, nor broken.",
    ),
    Reading(
        29,
        "announcements",
        {
            MBS: ("3.14", "3.17"),
            DRAGON_TIGER: ("3.14", "3.17"),
            RWS: ("3.11", "3.12"),
            SANDS_SUPER: ("3.9",),
            TOURNAMENT: ("3.9", "3.9.3"),
        },
        "Both totals are announced before any third card, the Banker's alone included. A cutting"
        " card is removed on a prompt, with its clause where the book has one.",
        "The Banker's card is as much a third card as the Player's; where a book is silent about"
        " either, what the others say harms nobody.",
    ),
    Reading(
        30,
        "the second person",
        {
            MBS: ("5.8.2.2", "5.18.3", "6.1"),
            DRAGON_TIGER: ("5.8.2.2", "5.18.3", "6.1"),
            RWS: ("5.10", "5.17"),
            SANDS_SUPER: (),
            TOURNAMENT: (),
        },
        "Voids, corrections, cards entered by hand, swaps, decisions of an uncovered case that move"
        " cards or money, and the word that cards were shuffled take two people, and the second"
        " says so themselves: whoever is named as vouching for a shoe approves it, a pit supervisor"
        " or above and not the loader, unless a shuffler verified it. The reporter is the first;"
        " another who approves or decides is the second, and whoever decides their own report needs"
        " somebody else's approval; answering a question is no approval. What a rule gives to one"
        " named role stays that role's, and the reporter is somebody else.",
        "A name that somebody else typed is nobody's word.",
    ),
    Reading(
        31,
        "a natural against a Banker of 0 to 5",
        {RWS: ("3.11", "3.12")},
        "A natural on either side ends the draw, also where the Player took no third card.",
        "Read alone, 3.11 would let the Banker draw against a Player's natural; the table in 3.12"
        " forbids it in so many words.",
    ),
)


def readings_of(book_id: str) -> tuple[Reading, ...]:
    return tuple(reading for reading in READINGS if book_id in reading.clauses)
