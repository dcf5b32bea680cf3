"""What a driver and its emulator are tested with, ours and a maker's own: `pip install sabot[hil]`.

    cuts      a stream cut in two at every place, and every frame with one bit flipped
    lives     a driver's life in memory: noise, silence, a pulled cable, its emulated device
    fuzz      random lives of a driver, with what its device reports whole and damaged
    vectors   bytes and what they must come out as, in the `vectors.json` beside the driver
    suite     the contract as tests: `from drivers.testing.suite.test_contract import *`
    plugin    its fixtures: `from drivers.testing.plugin import *` in a conftest.py
    bench     a real unit, a rig file and a report: what `sabot hil` runs

A driver and an emulator meet here and nowhere else; nothing that runs at a table imports it.
"""
