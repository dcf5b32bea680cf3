"""Where cards lie and the order they came in (MBS 5.2, 5.7, 5.8; RWS 5.5.3, 5.7-5.10)."""

from judge.decided import established
from judge.play import BANKER, PLAYER, Layout
from judge.situation import Does, Offer, Report, Ruling, Situation, When
from judge.words import goes_on, options, per_book, referred, refused, void

RECONSTRUCTS = "reconstructs"


def misplaced(shown: Layout, lies: Layout | None) -> tuple[int, ...]:
    """The cards that lie on another hand than the table showed."""
    if lies is None:
        return ()
    lying = {card.n: side for side in (PLAYER, BANKER) for card in shown.hand(side)}
    found = [(card.n, side) for side in (PLAYER, BANKER) for card in lies.hand(side)]
    return tuple(sorted(n for n, side in found if lying.get(n) != side))


def _counts_right(at: Situation, lies: Layout | None) -> bool:
    if lies is None:
        return True
    return all(len(lies.hand(side)) == len(at.layout.hand(side)) for side in (PLAYER, BANKER))


def order_altered(at: Situation, report: Report) -> tuple[Ruling, ...]:
    """In the device. RWS: a dealing error (reading 8)."""
    if at.rws:
        if at.when is When.BETTING:
            return (referred(at, "no dealing error before the call"),)
        doubt = () if report.reconstructable else (report.cards or at.numbers)
        return (options(at, ("5.12",), in_doubt=doubt),)
    clause = "5.2" if at.mbs else "5.4"
    return (goes_on(clause),) if report.reconstructable else (void(clause),)


def order_altered_moving(at: Situation, report: Report) -> tuple[Ruling, ...]:
    if not at.mbs:
        found: tuple[Ruling, ...] = (referred(at, "a blank cell"),)
        if not at.rws:  # 5.4 covers any altered order; the cell is blank all the same
            found += (goes_on("5.4") if report.reconstructable else void("5.4"),)
        return found
    if at.method != "C":
        return (goes_on("5.2"),) if report.reconstructable else (void("5.2"),)
    if report.reconstructable:
        return (goes_on("5.12", "5.12.2"),)
    return (void("5.12.2", must_replace=True),)


def wrong_order(at: Situation, report: Report) -> tuple[Ruling, ...]:
    moved = misplaced(at.layout, report.lies)
    if not moved:
        return (refused("reading 18: every card lies where it belongs"),)
    put_right = goes_on("5.7", why=RECONSTRUCTS)
    return (per_book(at, put_right, _misdealt(at, report, "5.8.1", moved)),)


def _misdealt(at: Situation, report: Report, clause: str, moved: tuple[int, ...]) -> Ruling:
    """RWS 5.8: options, unless an outcome is established and the cards can be reconstructed."""
    clauses = (clause, "5.8", "5.12")
    if not report.reconstructable:
        return options(at, clauses, in_doubt=moved)
    if established(at.book, at.layout):
        return goes_on(*clauses, why=RECONSTRUCTS)
    return options(at, clauses)


def wrong_player(at: Situation, report: Report) -> tuple[Ruling, ...]:
    """Taken back and passed to the right one; one that whose it is has taken was passed right."""
    if at.mbs and report.hand in at.handlers:
        return (refused("reading 18: the player whose it is has the hand"),)
    return (per_book(at, goes_on("5.7"), _misdealt(at, report, "5.8.2", at.numbers)),)


def wrong_number(at: Situation, report: Report) -> tuple[Ruling, ...]:
    if _counts_right(at, report.lies):
        return (refused("reading 18: both hands have the right number of cards"),)
    if report.reconstructable:
        mbs = goes_on("5.7", why=RECONSTRUCTS)
        short = goes_on("5.2", why=RECONSTRUCTS)
        return (per_book(at, mbs, options(at, ("5.12", "5.5.3"), why=RECONSTRUCTS), short),)
    return (per_book(at, referred(at, "5.7 needs reconstruction"), void("5.5.3"), void("5.2")),)


def exposed_in_error(at: Situation, report: Report) -> tuple[Ruling, ...]:
    """The cards it names are exposed from now on (readings 20, 23): `at` shows them so."""
    if at.rws:
        face_up = report.dealt_face_up and at.face_down
        clauses = ("5.9",) if face_up else ("5.7", "5.7.1")
        if established(at.book, at.layout):
            return (goes_on(*clauses),)
        return (options(at, (*clauses, "5.12")),)
    return (per_book(at, goes_on("5.7.1")),)


def excess_card(at: Situation, report: Report) -> tuple[Ruling, ...]:
    """`at` has the card aside. Hands that are complete by exposed cards go on without a question
    (reading 24); drawn in order, it can be put in its place."""
    clause = "5.7" if at.mbs or at.rws else "5.2"
    if at.when is When.BETTING and at.rws:  # whoever wants may withdraw anyway: both will do
        return (goes_on(clause), options(at, ("5.7", "5.7.1", "5.12")))
    if at.when is not When.IN_PLAY or at.layout.complete or not at.rws:
        return (goes_on(clause),)
    if established(at.book, at.layout):
        return (goes_on("5.7"),)
    doubt = () if report.reconstructable else tuple(card.n for card in at.layout.aside)
    return (options(at, ("5.7", "5.7.1", "5.12"), in_doubt=doubt),)


def simultaneous(at: Situation, report: Report) -> tuple[Ruling, ...]:
    together = report.cards or at.numbers[-2:]
    where = [at.numbers.index(n) for n in together if n in at.numbers]
    consecutive = [where[0] + step for step in range(len(together))] if where else []
    if len(together) < 2 or where != consecutive or len(where) != len(together):
        return (refused("reading 16: two or more consecutive cards"),)
    if len({card.out_since for card in at.cards if card.n in together}) > 1:
        return (refused("what lay there before did not come out with what was drawn since"),)
    initial = where[0] < 4
    if report.order_known:
        mbs = Ruling(Does.OPTIONS, ("5.8", "5.8.1"), Offer(each=True, in_doubt=together))
        rws = options(at, ("5.10.1", "5.12"), in_doubt=together)
        return (per_book(at, mbs, rws),)
    rws = Ruling(
        Does.OPTIONS,
        ("5.10", "5.10.1", "5.12"),
        Offer(each=True, in_doubt=together),
        role="pit_supervisor",
    )
    if initial:
        return (per_book(at, void("5.8.2.1"), rws, void("5.3")),)
    mbs = Ruling(
        Does.OPTIONS, ("5.8.2.2",), Offer(each=False, in_doubt=together), role="pit_manager"
    )
    return (per_book(at, mbs, rws),)
