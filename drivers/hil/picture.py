"""The drawn deck as a picture: a field for each card, rank by suit, with its outcome.

Every field has a word as well as a colour, for prints and for people who do not see red.
"""

from collections import Counter
from collections.abc import Iterable
from html import escape
from typing import Final, NamedTuple

from drivers.cards import Card, Rank, Suit
from drivers.hil.deck import SUIT_SIGNS, name, short
from drivers.io.deck_check import CardOutcome, Findings, Met

WIDE, HIGH, LEFT, TOP, KEY_HIGH = 60, 52, 34, 28, 40


class Look(NamedTuple):
    says: str
    fill: str
    line: str
    word: str


LOOKS: Final = {
    CardOutcome.RIGHT: Look("read", "#d9f0df", "#2b7a46", "✓"),
    CardOutcome.MISREAD: Look("misread as", "#f8cfcf", "#a01818", "→"),
    CardOutcome.UNREADABLE: Look("left, not read", "#fde7b8", "#8a5a00", "?"),
    CardOutcome.LOST: Look("lost: never told", "#e3d6f3", "#5a2d91", "lost"),
    CardOutcome.DOUBLED: Look("told twice", "#cfe3f8", "#14508c", "twice"),
    CardOutcome.NOT_REACHED: Look("not drawn", "#ffffff", "#777777", "none"),
}
_RANK_ORDER, _SUIT_ORDER = tuple(Rank), tuple(Suit)
_HURTS: Final = (
    CardOutcome.MISREAD,
    CardOutcome.LOST,
    CardOutcome.DOUBLED,
    CardOutcome.UNREADABLE,
    CardOutcome.NOT_REACHED,
    CardOutcome.RIGHT,
)
"""A card that was drawn several times has the colour of its worst outcome."""


def matrix(findings: Findings, title: str = "The test deck") -> str:
    """Return an SVG for use in a page or alone."""
    fields = _fields(findings)
    wide, high = LEFT + WIDE * len(_RANK_ORDER), TOP + HIGH * len(_SUIT_ORDER)
    text = f"{findings.right} of {findings.drawn} cards were read rightly"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide + 2} {high + KEY_HIGH}" '
        'role="img" font-family="system-ui, sans-serif" text-anchor="middle">',
        f"<title>{escape(title)}: {text}</title>",
        *_heads(),
        *(_field(card, met) for card, met in fields.items()),
        *_key(fields.values(), high),
        "</svg>",
    ]
    return "\n".join(parts)


def _fields(findings: Findings) -> dict[Card, list[Met]]:
    """Return the outcomes of each card. A doubled report is in the field of the reported card."""
    fields: dict[Card, list[Met]] = {card: [] for card in Card}
    for met in findings.met:
        card = met.drawn or met.reported
        if card is not None:
            fields[card].append(met)
    return fields


def _heads() -> Iterable[str]:
    for column, rank in enumerate(_RANK_ORDER):
        text = "10" if rank is Rank.TEN else rank.value
        yield _text(LEFT + WIDE * column + WIDE // 2, TOP - 9, text, 15, "#1b1b1b")
    for row, suit in enumerate(_SUIT_ORDER):
        colour = "#a01818" if suit in (Suit.HEARTS, Suit.DIAMONDS) else "#1b1b1b"
        yield _text(LEFT // 2, TOP + HIGH * row + HIGH // 2 + 8, SUIT_SIGNS[suit], 22, colour)


def _field(card: Card, met: list[Met]) -> str:
    x = LEFT + WIDE * _RANK_ORDER.index(card.rank)
    y = TOP + HIGH * _SUIT_ORDER.index(card.suit)
    if not met:
        return _box(x, y, "#f4f4f4", "#cccccc", f"{name(card)}: not in this deck")
    outcomes = {each.outcome for each in met}
    worst = next(each for each in _HURTS if each in outcomes)
    look = LOOKS[worst]
    tip = f"{name(card)}: " + "; ".join(_became(each) for each in met)
    lines = _lines(met, worst)
    middle = y + HIGH // 2 + 6 - 8 * (len(lines) - 1)
    texts = "".join(
        _text(x + WIDE // 2, middle + 17 * n, line, 16 if n == 0 else 13, look.line)
        for n, line in enumerate(lines)
    )
    return _box(x, y, look.fill, look.line, tip) + texts


def _became(met: Met) -> str:
    text = f" {name(met.reported)}" if met.outcome is CardOutcome.MISREAD and met.reported else ""
    return LOOKS[met.outcome].says + text


def _lines(met: list[Met], worst: CardOutcome) -> list[str]:
    """Return the lines of a field: the worst outcome, and how often the card was right."""
    drawn = [each for each in met if each.drawn]
    right = sum(each.outcome is CardOutcome.RIGHT for each in met)
    if worst is CardOutcome.MISREAD:
        faces = dict.fromkeys(
            short(each.reported) for each in met if each.outcome is worst and each.reported
        )
        lines = [f"→ {next(iter(faces))}" + ("…" if len(faces) > 1 else "")]
    else:
        lines = [LOOKS[worst].word]
    return lines if len(drawn) <= 1 else [*lines, f"{right} of {len(drawn)}"]


def _counted(met: list[Met]) -> list[CardOutcome]:
    """Return one outcome for each drawn card, so that the numbers add up to the deck: a doubled
    report is not counted as a read card."""
    drawn = sorted((each.outcome for each in met if each.drawn), key=_HURTS.index, reverse=True)
    for at in range(min(len(met) - len(drawn), len(drawn))):
        drawn[at] = min(drawn[at], CardOutcome.DOUBLED, key=_HURTS.index)
    return drawn


def _key(fields: Iterable[list[Met]], high: int) -> Iterable[str]:
    """Return the legend: the colours that occur, and how many of the deck's cards have each."""
    fields = list(fields)
    shown = {each.outcome for field in fields for each in field}
    counted = Counter(outcome for field in fields for outcome in _counted(field))
    x = LEFT
    for outcome, look in LOOKS.items():
        count = counted[outcome]
        if outcome is not CardOutcome.RIGHT and not (count or outcome in shown):
            continue
        # A reported card that is not in the deck does not count.
        text = f"{look.says}: {count}" if count or outcome is CardOutcome.RIGHT else look.says
        yield (
            f'<rect x="{x}" y="{high + 14}" width="16" height="16" rx="3" fill="{look.fill}" '
            f'stroke="{look.line}"/>'
        )
        yield _text(x + 22, high + 27, text, 14, "#1b1b1b", "start")
        x += 52 + 8 * len(text)


def _box(x: int, y: int, fill: str, line: str, tip: str) -> str:
    return (
        f'<rect x="{x + 2}" y="{y + 2}" width="{WIDE - 4}" height="{HIGH - 4}" rx="5" '
        f'fill="{fill}" stroke="{line}"><title>{escape(tip)}</title></rect>'
    )


def _text(x: int, y: int, text: str, size: int, colour: str, anchor: str = "middle") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" '
        f'pointer-events="none">{escape(text)}</text>'
    )
