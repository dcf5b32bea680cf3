"""Rounds for tests, by name: cards in drawn order, Player first."""

PLAYER_NINE = "9H KC KD 7S"
BANKER_NINE = "KH 9C 7D KS"
TIE_ON_NINE = "9H 9C KD KS"
PLAYER_FOURS = "4H KC 4D 7S"
BANKER_FOURS = "KH 4C 7D 4S"
