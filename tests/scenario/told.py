"""A table at which something has happened, for tests that look at more than a story can say."""

from scenario.memory_link import open_in_memory
from scenario.story import Story

SHOE = "The shoe is ready."
TWO_BETS = """
    Bets are open.
    Ann bets 2000 on banker at 1.
    Bob bets 1000 on player at 2.
    Bets are closed.
"""
ROUND = "Cards: 2S KD 7D 7S\nDealer announces.\nDealer settles."


def told(book_id: str, *parts: str, **house: object) -> Story:
    story = Story(open_in_memory, book_id)
    story.house.update(house)
    for part in parts:
        story.tell(part)
    return story
