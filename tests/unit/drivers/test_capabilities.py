"""What a data sheet says that a device can do, and what its settings take away from it."""

from drivers.commands import Lock, NewShoe
from drivers.contract import JSON_LINES, Capability, DataSheet, Setting
from drivers.registry import OURS, find
from support.rows import each_row

NUMBERS, READS, COMMANDS, ROUNDS, POSITIONS = (
    Capability.NUMBERS_EVENTS,
    Capability.READS_CARDS,
    Capability.TAKES_COMMANDS,
    Capability.PLAYS_ROUNDS,
    Capability.REPORTS_POSITIONS,
)
SHEETS = {
    "shoe_angel_eye": {NUMBERS, READS, COMMANDS, ROUNDS, POSITIONS},
    "shoe_bee_tek": {READS},
    "shoe_barcode_usb": {READS},
    "shoe_line_reader": {READS},
    "shoe_feed": {NUMBERS, READS},
    "shoe_by_hand": set(),
    "shuffler_reshuffled": {COMMANDS},
    "shuffler_batch": {NUMBERS, READS, COMMANDS},
}


def sheet(kind: str = "shoe", *, numbered: bool = False, **more: object) -> DataSheet:
    """As it was written before there were capabilities."""
    return DataSheet(
        "acme",
        kind,  # type: ignore[arg-type]
        "Acme",
        "One",
        "serial",
        numbered=numbered,
        checked="",
        serial_number=False,
        **more,  # type: ignore[arg-type]
    )


def test_every_sheet_of_ours_says_what_its_device_can_do() -> None:
    assert {name: set(find(name).sheet.capabilities) for name in OURS} == SHEETS


def test_a_sheet_written_before_there_were_capabilities_can_do_what_it_said() -> None:
    assert sheet().capabilities == {READS}
    assert sheet("shuffler").capabilities == set()
    assert sheet(numbered=True, plays_rounds=True).capabilities == {NUMBERS, READS, ROUNDS}
    assert sheet(commands=(Lock,)).capabilities == {READS, COMMANDS}
    assert sheet(commands=(NewShoe,)).capabilities == {READS}, "nothing is sent for a new shoe"


def test_a_shoe_that_only_counts_says_so() -> None:
    assert sheet(reads_cards=False).capabilities == set()


@each_row(
    "settings, lost",
    [
        ({}, {COMMANDS}),
        ({"read_only": False}, set()),
        ({"read_only": False, "sequence": "any"}, {NUMBERS}),
        ({"sequence": "any"}, {NUMBERS, COMMANDS}),
    ],
)
def test_a_setting_may_take_away_what_a_device_can_do(
    settings: dict[str, object], lost: set[Capability]
) -> None:
    found = find("shoe_angel_eye").sheet
    assert found.capabilities - found.capabilities_with(settings) == lost


def test_a_setting_of_that_name_counts_in_a_makers_sheet_and_a_name_it_lacks_does_not() -> None:
    own = sheet(numbered=True, settings={"sequence": Setting("1-9", ("1-9", "any"), "the turn")})
    assert own.capabilities_with({"sequence": "any"}) == {READS}
    assert sheet(numbered=True).capabilities_with({"sequence": "any"}) == {NUMBERS, READS}


def test_cards_from_json_lines_count_as_read() -> None:
    assert READS in JSON_LINES
    assert not JSON_LINES & {NUMBERS, COMMANDS, ROUNDS}
