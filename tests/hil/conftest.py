"""Which drivers and units the contract is held against: all that are registered, on emulators."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers import registry
from hil.units import Place, Unit, emulated_unit, places


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "driver_name" in metafunc.fixturenames:
        metafunc.parametrize("driver_name", registry.names())
    if "unit" in metafunc.fixturenames:
        kind = "shoe" if "shoe" in metafunc.fixturenames else None
        kind = "shuffler" if "shuffler" in metafunc.fixturenames else kind
        fitting = [p for p in places() if kind in (None, registry.find(p.driver).sheet.kind)]
        metafunc.parametrize("unit", fitting, indirect=True, ids=str)


@pytest.fixture
def unit(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Unit]:
    place: Place = request.param
    with emulated_unit(place, tmp_path) as found:
        yield found


@pytest.fixture
def telling(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Facts for the report."""

    def tell(**facts: object) -> None:
        for name, fact in facts.items():
            record_property(name, fact)

    return tell
