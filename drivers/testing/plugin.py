"""Fixtures of the contract suite: every registered driver on its emulator, or a rig's unit.

For a conftest.py next to tests that import the suite (`from drivers.testing.plugin import *`). A
test module with `DRIVERS`, a tuple of names, tests only those.
"""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import pytest

from drivers import registry
from drivers.testing.bench.rigged import MUTE, RUN, RigRun
from drivers.testing.bench.units import Place, Unit, emulated_unit, places
from drivers.testing.vectors import tells_nothing

__all__ = [
    "_named_in_junit",
    "pulled",
    "pytest_generate_tests",
    "rig_run",
    "telling",
    "unit",
]


class _Registered(NamedTuple):
    """All names, those that can be used, and where each can be emulated."""

    names: list[str]
    usable: dict[str, registry.RegisteredDriver]
    places: list[Place]


_REGISTERED = pytest.StashKey[_Registered]()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize the tests. A package that cannot be imported fails the one test that needs it, by
    its name, and does not stop the collection of the others."""
    run = metafunc.config.stash.get(RUN, None)
    only = metafunc.config.getoption("--driver", None)
    every, usable, emulated = _registered(metafunc.config)
    named = [only] if only else getattr(metafunc.module, "DRIVERS", None) or every
    asked = [run.rig.driver] if run is not None else list(named)
    wanted = [name for name in asked if name in usable]
    if "registered_name" in metafunc.fixturenames:
        metafunc.parametrize("registered_name", asked)
    if "driver_name" in metafunc.fixturenames:
        metafunc.parametrize("driver_name", wanted)
    if "shoe_driver" in metafunc.fixturenames:
        shoes = [name for name in wanted if usable[name].sheet.kind == "shoe"]
        there = {place.driver for place in emulated}
        metafunc.parametrize("shoe_driver", [name for name in shoes if name in there])
    if "unit" in metafunc.fixturenames:
        here = emulated if run is None else [Place(run.rig.driver, "rig")]
        fitting = [
            place
            for place in here
            if place.driver in wanted and _fits(place, metafunc.fixturenames)
        ]
        metafunc.parametrize("unit", fitting, indirect=True, ids=str)


def _registered(config: pytest.Config) -> _Registered:
    """Return the registered drivers, looked up once a run: that queries every installed package."""
    if _REGISTERED not in config.stash:
        usable = registry.usable()
        config.stash[_REGISTERED] = _Registered(registry.names(), usable, places(usable))
    return config.stash[_REGISTERED]


def _fits(place: Place, names: list[str]) -> bool:
    kind = registry.find(place.driver).sheet.kind
    return all(wanted not in names or kind == wanted for wanted in ("shoe", "shuffler"))


def _scope(fixture_name: str, config: pytest.Config) -> Literal["session", "function"]:
    """Return the scope: on a bench there is one unit for the whole run."""
    assert fixture_name == "unit"
    return "session" if config.stash.get(RUN, None) is not None else "function"


@pytest.fixture
def rig_run(request: pytest.FixtureRequest) -> RigRun | None:
    return request.config.stash.get(RUN, None)


@pytest.fixture(scope=_scope)
def unit(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Unit]:
    place: Place = request.param
    run = request.config.stash.get(RUN, None)
    if run is not None:
        yield run.unit()
        return
    with emulated_unit(place, tmp_path_factory.mktemp("unit")) as found:
        yield found


def speaking(unit: Unit) -> Unit:
    """Skip a unit whose driver's vectors produce no events: the wait for them would take
    minutes."""
    if tells_nothing(unit.sheet.name):
        pytest.skip(MUTE)
    return unit


@pytest.fixture
def pulled(unit: Unit) -> Unit:
    """Return a unit whose cable the test will pull."""
    return speaking(unit)


@pytest.fixture
def telling(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Return a function that adds facts to the report."""

    def tell(**facts: object) -> None:
        request.node.user_properties.extend(facts.items())

    return tell


@pytest.fixture(scope="session", autouse=True)
def _named_in_junit(
    request: pytest.FixtureRequest, record_testsuite_property: Callable[[str, object], None]
) -> None:
    run = request.config.stash.get(RUN, None)
    for name, fact in run.facts.items() if run is not None else ():
        record_testsuite_property(name, fact)
