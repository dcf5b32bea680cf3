"""What the contract is held against: every registered driver on its emulator, or a rig's unit."""

from collections.abc import Callable, Iterator
from typing import Literal

import pytest

from drivers import registry
from hil.rigged import RUN, RigRun, says
from hil.units import Place, Unit, emulated_unit, places
from simulators import registry as emulators


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    run = metafunc.config.stash.get(RUN, None)
    if "driver_name" in metafunc.fixturenames:
        names = registry.names() if run is None else [run.rig.driver]
        metafunc.parametrize("driver_name", names)
    if "shoe_driver" in metafunc.fixturenames:
        shoes = [name for name in registry.names() if registry.find(name).sheet.kind == "shoe"]
        metafunc.parametrize("shoe_driver", [name for name in shoes if name in emulators.DEVICES])
    if "unit" in metafunc.fixturenames:
        here = places() if run is None else [Place(run.rig.driver, "rig")]
        fitting = [place for place in here if _fits(place, metafunc.fixturenames)]
        metafunc.parametrize("unit", fitting, indirect=True, ids=str)


def _fits(place: Place, names: list[str]) -> bool:
    kind = registry.find(place.driver).sheet.kind
    return all(wanted not in names or kind == wanted for wanted in ("shoe", "shuffler"))


def _scope(fixture_name: str, config: pytest.Config) -> Literal["session", "function"]:
    """On a bench there is one unit for the whole run."""
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


@pytest.fixture
def pulled(unit: Unit) -> Unit:
    """A unit whose cable is going to be pulled."""
    return unit


@pytest.fixture
def telling(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Facts for the report."""

    def tell(**facts: object) -> None:
        request.node.user_properties.extend(facts.items())

    return tell


@pytest.fixture(autouse=True)
def _said_of_itself(request: pytest.FixtureRequest, telling: Callable[..., None]) -> None:
    telling(says=says(request.node))


@pytest.fixture(scope="session", autouse=True)
def _named_in_junit(
    request: pytest.FixtureRequest, record_testsuite_property: Callable[[str, object], None]
) -> None:
    run = request.config.stash.get(RUN, None)
    for name, fact in run.facts.items() if run is not None else ():
        record_testsuite_property(name, fact)
