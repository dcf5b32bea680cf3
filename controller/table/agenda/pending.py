"""The requests that wait for a second person, in the order in which they are answered."""

from msgspec.structs import replace

from controller.messages.codes import Code
from controller.table.refused import Refused
from controller.table.requests import ApprovalRequest, turn_of
from controller.table.state import Table, notify


def ask(table: Table, request: ApprovalRequest) -> Table:
    """Add a request for a second person, in front of those that are answered later. It is refused
    while one that is answered sooner, or in the same turn, waits."""
    sooner = [each for each in table.requests if turn_of(each) <= turn_of(request)]
    if sooner:
        raise Refused(Code.SECOND_PERSON_FIRST, request=sooner[-1].kind)
    return replace(table, requests=(request, *table.requests))


def nothing_is_asked_for(table: Table) -> None:
    """Refuse while one person's request waits for another."""
    if table.requests:
        raise Refused(Code.SECOND_PERSON_FIRST, request=table.requests[0].kind)


def without_request(table: Table, request: ApprovalRequest) -> Table:
    """The table without the request that was answered."""
    return replace(table, requests=tuple(each for each in table.requests if each is not request))


def end_request(table: Table, request: ApprovalRequest) -> Table:
    """End the request without an answer, because its subject is gone. A notice records that."""
    table = without_request(table, request)
    return notify(table, Code.REQUEST_ENDED, request=request.kind, by=request.by)
