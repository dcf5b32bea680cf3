"""`sabot table --help-words`: every word and every report with the fields it has."""

from rich.table import Table

from controller.table.commands.registry import REGISTRY
from controller.table.commands.reports import FORMS
from controller.terminal.rule_pages import report_list, word_list


def rows(table: Table) -> dict[str, tuple[str, ...]]:
    cells = [list(column.cells) for column in table.columns]
    return {str(name): tuple(map(str, more)) for name, *more in zip(*cells, strict=True)}


def test_words_are_listed_with_the_fields_of_their_structs() -> None:
    found = rows(word_list())
    assert list(found) == list(REGISTRY)
    for name, (speakers, says, fields) in found.items():
        spec = REGISTRY[name]
        assert (tuple(speakers.split()), says) == (spec.speakers, spec.description)
        shown = tuple(each.rstrip("?") for each in fields.split(", ") if each)
        assert shown == spec.struct.__struct_fields__
    assert found["place"][-1] == "player?, position, wager, amount, id?, seated?"


def test_reports_are_listed_with_their_own_fields_and_facts() -> None:
    found = rows(report_list())
    assert list(found) == list(FORMS)
    assert found["simultaneous"] == ("round?, cards?, order?, facts?", "order_known")
    assert found["wrong_order"] == ("round?, cards?, lies?, facts?", "reconstructable")
    assert found["late_wager"] == ("round?, wagers?", "")
