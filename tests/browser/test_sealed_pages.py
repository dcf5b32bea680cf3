"""A face-down card is nowhere in a page: not in what is drawn, kept, heard, titled or disabled."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocket, expect

from support.console.screens import Screen
from support.console.table_in_hand import Console
from support.console.tiers import split_tiers

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
    dealt(table, cards)


def dealt(table: Console, cards: tuple[str, ...]) -> None:
    desk = table.desk
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


@pytest.mark.parametrize("method", split_tiers("AC", first=("A",)))
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


CHINESE = {"7H": "红心7", "QS": "黑桃Q", "4C": "梅花4", "JD": "方块J"}
OVERLAYS = (
    "", "?show=cards", "?show=result", "?show=roads,limits", "?show=cards,result,roads,clock",
    "?position=top", "?theme=light", "?lang=zh", "?lang=both", "?lang=zh,en&suits=4&marks=dot",
    "?roads=paper",
)  # fmt: skip


def finds_no_face(screen: Screen, heard: list[str], path: str) -> None:
    told = screen.page.evaluate(EVERYTHING) + "".join(heard)
    for code in SEALED:
        assert f'"{code}"' not in told, path
        assert not any(name in told for name in (*SPOKEN[code], CHINESE[code])), path


@pytest.mark.second_tier
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_no_setting_of_the_publics_pages_knows_a_face(serve: Serve, at: Open, locale: str) -> None:
    table = serve(hlga=True)
    face_down(table, "A", SEALED)
    screen = at(table, locale=locale)
    heard = listening(screen)
    for path in (*(f"/overlay{each}" for each in OVERLAYS), "/display", "/display?lang=zh&suits=4"):
        screen.go(path).up_to_date(table.desk.seq)
        finds_no_face(screen, heard, path)
    table.desk.act("expose", hand="player")
    screen.up_to_date(table.desk.seq)
    assert '"7H"' in "".join(heard), "turned, it is found: the search can find it"


@pytest.mark.second_tier
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
@pytest.mark.parametrize("who", ["dana", "max", "eve"])
def test_no_page_of_the_staff_knows_a_face_in_any_language(
    serve: Serve, at: Open, who: str, locale: str
) -> None:
    table = serve(hlga=True)
    face_down(table, "A", SEALED)
    screen = at(table, locale=locale)
    heard = listening(screen)
    first = "/dealer" if who == "dana" else "/pit"
    screen.sign_in(who, first).up_to_date(table.desk.seq)
    finds_no_face(screen, heard, first)
    for path in ("/rounds", "/report", "/errors"):
        screen.go(path).find("main").first.wait_for()
        finds_no_face(screen, heard, path)


@pytest.mark.second_tier
def test_pages_look_the_same_whatever_is_sealed(serve: Serve, at: Open) -> None:
    seen: list[list[str]] = []
    table = serve(hlga=True)
    desk = table.desk
    screens = [at(table, who, path) for who, path in PAGES]
    for cards in (SEALED, OTHERS):
        if seen:
            cleared(table)
        else:
            desk.open_shoe("A")
        for screen in screens:  # which side a button lies on goes by what the page has seen
            screen.page.reload()
            screen.up_to_date(desk.seq)  # what comes now is seen coming
        dealt(table, cards)
        for screen in screens:
            screen.up_to_date(desk.seq)
            expect(screen.find("#work .resting")).to_have_count(0)
        seen.append([masked(screen.page.evaluate(EVERYTHING)) for screen in screens])
        desk.act("expose", hand="player")
        desk.act("expose", hand="banker")
    assert seen[0] == seen[1]


def cleared(table: Console) -> None:
    """Ready for the next round, whose numbers are masked."""
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


def masked(text: str) -> str:
    """Without what counts rounds, shoes, steps and seconds."""
    told = re.sub(r" class=\\\"\\\"", "", text)  # a class that came and went
    counts = r"data-seq=\\\"\d+|(Round|Shoe) (<b>)?\d+|\d+ · blue|TABLE7-\d+-\d+"
    counts += r"|data-strip=\\\"\d+|(Rounds|Voids · Corrections)</dt><dd>[\d·, ]+"
    counts += r"|shoes: \d+"
    return re.sub(counts + r"|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "#", told)
