"""The options of a bench run, for `pytest -p drivers.testing.options`; `sabot hil` passes them."""

import pytest

for _name in ("bench", "cuts", "fuzz", "lives", "suite"):
    pytest.register_assert_rewrite(f"drivers.testing.{_name}")


def pytest_addoption(parser: pytest.Parser) -> None:
    bench = parser.getgroup("bench", "a real unit; `sabot hil` is the friendly way in")
    bench.addoption("--rig", metavar="FILE", help="run on the unit that this file names")
    bench.addoption("--driver", metavar="NAME", help="hold this driver alone to the contract")
    bench.addoption("--rig-out", metavar="DIR", help="where report, JUnit and capture go")
    bench.addoption(
        "--rig-story", metavar="NAME", action="append", default=[], help="play this story too"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--rig"):
        from drivers.testing.bench import rigged  # noqa: PLC0415  nothing else needs the product

        rigged.configure(config)
