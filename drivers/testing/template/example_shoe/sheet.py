"""The data sheet: the device's properties, capabilities and settings."""

from typing import Final

from drivers.contract import DataSheet, Setting

SHEET: Final = DataSheet(
    name="example_shoe",
    kind="shoe",
    maker="Example",
    model="One",
    link="serial",
    numbered=False,
    checked="Every line has the exclusive or of its bytes: no single flipped bit slips through.",
    serial_number=False,
    baud=9600,
    settings={
        "silence_s": Setting(
            0.5,
            None,
            "after so long without a byte a line that has begun is given up",
            unit="s",
            between=(0.05, 10.0),
        ),
    },
    unknown=("What the errors mean beyond their numbers.",),
    contract=1,
)
