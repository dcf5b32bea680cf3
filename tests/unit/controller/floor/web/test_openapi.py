"""The floor's OpenAPI document has every request of its pages, and what comes back."""

from typing import Any, cast

import schemathesis

from controller.floor.web.app import openapi
from controller.floor.web.context import FloorContext
from controller.floor.web.endpoints import endpoints

LISTED = endpoints(cast("FloorContext", None))


def document() -> dict[str, Any]:
    return openapi(LISTED)


def test_the_document_is_a_valid_one() -> None:
    schemathesis.openapi.from_dict(document()).validate()


def test_every_request_has_the_shape_of_its_answer() -> None:
    found = document()
    schemas = found["components"]["schemas"]
    for endpoint in LISTED:
        operation = found["paths"][endpoint.path][endpoint.method.lower()]
        shape = operation["responses"]["200"]["content"]["application/json"]["schema"]
        reference = shape.get("items", shape)["$ref"]
        assert reference.rpartition("/")[2] in schemas, endpoint.path
    assert schemas["FloorMessage"]["properties"]["tiles"]["items"]["$ref"].endswith("/MapTile")


def test_a_period_and_a_number_of_rows_are_parameters() -> None:
    paths = document()["paths"]
    assert [each["name"] for each in paths["/api/people"]["get"]["parameters"]] == [
        *("hours", "since", "until")
    ]
    (hours,) = paths["/api/trends"]["get"]["parameters"]
    assert hours["schema"]["maximum"] == 9600
