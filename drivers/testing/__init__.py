"""Tests for a driver and its emulator, ours and those of makers: `pip install sabot[hil]`.

    cuts      a stream cut in two at every place, and every frame with one bit flipped
    lives     a driver's life in memory: noise, silence, a pulled cable, its emulated device
    fuzz      random lives of a driver, with its device's reports whole and damaged
    vectors   bytes and the events they must produce, in the driver's `vectors.json`
    suite     the contract as tests: `from drivers.testing.suite.test_contract import *`
    plugin    its fixtures: `from drivers.testing.plugin import *` in a conftest.py
    bench     a real unit, a rig file and a report: what `sabot hil` runs

Only this package uses both a driver and an emulator; no program at a table imports it.
"""
