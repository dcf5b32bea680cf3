"""One TOML file for a table, typed. An unknown key, or a table that cannot pay, stops the start."""

from pathlib import Path

import msgspec

from controller.game.errors import GameError
from controller.game.money import Rounding, check_chip_unit
from controller.rulebooks import rulebook


class ConfigError(Exception):
    """The file, and what is wrong with it; raised only while starting."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rulebook: str
    decks: int = 8


class Money(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    chip_unit: int
    """The smallest chip of the table, in minor units: every wager is a multiple of it."""
    rounding: Rounding = Rounding.EXACT


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: Table
    money: Money


def load(path: Path) -> Config:
    """Read and check; raises `ConfigError` with a sentence an installer can act on."""
    try:
        config = msgspec.toml.decode(path.read_bytes(), type=Config)
        book = rulebook(config.table.rulebook)
        book.decks.check(config.table.decks)
        check_chip_unit(book, config.money.chip_unit, config.money.rounding)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, GameError) as error:
        raise ConfigError(f"{path}: {error}") from error
    return config
