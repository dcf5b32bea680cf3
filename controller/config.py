"""One TOML file for a table, typed. An unknown key, or a table that cannot pay, stops the start."""

from pathlib import Path

import msgspec

from controller.game.money import Rounding, check_chip_unit
from controller.round.errors import Refused
from controller.round.rules import House, Rules
from controller.rulebooks import rulebook


class ConfigError(Exception):
    """The file, and what is wrong with it; raised only while starting."""


class Money(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    chip_unit: int
    """The smallest chip of the table, in minor units: every wager is a multiple of it."""
    rounding: Rounding = Rounding.EXACT


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: House
    money: Money

    def rules(self) -> Rules:
        return Rules(rulebook(self.table.rulebook), self.table, self.money.rounding)


DEMO = Config(House("mbs-baccarat-8", burn="none"), Money(chip_unit=100))
"""A table for trying things out, where no file is given."""


def load(path: Path) -> Config:
    """Read and check; raises `ConfigError` with a sentence an installer can act on."""
    try:
        config = msgspec.toml.decode(path.read_bytes(), type=Config)
        book = rulebook(config.table.rulebook)
        book.decks.check(config.table.decks)
        check_chip_unit(book, config.money.chip_unit, config.money.rounding)
        rules = config.rules()
        rules.method(rules.default_method())
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError, Refused) as error:  # DecodeError and GameError are these
        raise ConfigError(f"{path}: {error}") from error
    return config
