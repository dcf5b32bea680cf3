"""A face-down card is nowhere in a page: not in what is drawn, kept, heard, titled or disabled."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocket, expect

from support.console.screens import Screen
from support.console.table_in_hand import Console

Serve = Callable[..., Console]
Open = Callable[..., Screen]

SEALED = ("7H", "QS", "4C", "JD")
"""Cards that show nowhere else in the round: each name of them would be a leak."""
OTHERS = ("9D", "9S", "TH", "AC")
"""A natural on both hands: whatever depended on a face would show."""

EVERYTHING = """() => JSON.stringify([
    document.documentElement.outerHTML, document.title, {...localStorage}, {...sessionStorage},
    document.cookie, [...document.querySelectorAll("button")].map(each => each.disabled)])"""
SPOKEN = {
    "7H": ("Seven of hearts",),
    "QS": ("Queen of spades",),
    "4C": ("Four of clubs",),
    "JD": ("Jack of diamonds",),
}


def face_down(table: Console, method: str, cards: tuple[str, ...]) -> None:
    desk = table.desk
    desk.open_shoe(method, **({"drawer": "seat 1"} if method == "C" else {}))
    desk.act("open_betting")
    desk.act("place", player="seat 1", wager="banker", amount=100000, position=1)
    desk.act("place", player="seat 2", wager="player", amount=100000, position=2)
    desk.act("close_betting")
    desk.draw(*cards)


PAGES = [("dana", "/dealer"), ("max", "/pit"), (None, "/display"), (None, "/overlay")]


def listening(screen: Screen) -> list[str]:
    heard: list[str] = []

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    screen.page.on("websocket", opened)
    return heard


@pytest.mark.parametrize("method", ["A", "C"])
def test_no_page_knows_a_face_before_it_is_turned(serve: Serve, at: Open, method: str) -> None:
    table = serve(hlga=True)
    face_down(table, method, SEALED)
    for who, path in PAGES:
        screen = at(table)
        heard = listening(screen)
        screen.go(path) if who is None else screen.sign_in(who, path)
        screen.up_to_date(table.desk.seq)
        expect(screen.find(".card.back")).to_have_count(4)
        told = screen.page.evaluate(EVERYTHING) + "".join(heard)
        for code in SEALED:
            assert f'"{code}"' not in told
            assert not any(name in told for name in SPOKEN[code])
        assert heard


def test_pages_look_the_same_whatever_is_sealed(serve: Serve, at: Open) -> None:
    seen: list[list[str]] = []
    table = serve(hlga=True)
    desk = table.desk
    screens = [at(table, who, path) for who, path in PAGES]
    for cards in (SEALED, OTHERS):
        face_down(table, "A", cards) if not seen else again(table, cards)
        for screen in screens:
            screen.up_to_date(desk.seq)
        seen.append([masked(screen.page.evaluate(EVERYTHING)) for screen in screens])
        desk.act("expose", hand="player")
        desk.act("expose", hand="banker")
    assert seen[0] == seen[1]


def again(table: Console, cards: tuple[str, ...]) -> None:
    """The same wagers in the next round, whose numbers are masked."""
    desk = table.desk
    if desk.view["state"] != "outcome":
        desk.draw("2D")
        desk.act("expose", hand="player")
    if desk.view["state"] != "outcome":
        desk.draw("2C")
        desk.act("expose", hand="banker")
    desk.act("report", what="uncovered")
    desk.act("decide", text="again", outcome="void")
    desk.act("approve", who="max", role="pit_manager")
    desk.load_shoe()
    desk.act("open_betting")
    desk.act("place", player="seat 1", wager="banker", amount=100000, position=1)
    desk.act("place", player="seat 2", wager="player", amount=100000, position=2)
    desk.act("close_betting")
    desk.draw(*cards)


def masked(text: str) -> str:
    """Without what counts rounds, shoes, steps and seconds."""
    told = re.sub(r" class=\\\"\\\"", "", text)  # a class that came and went
    return re.sub(r"data-seq=\\\"\d+|(Round|Shoe) \d+|\d+ · blue", "#", told)
