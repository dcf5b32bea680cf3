"""The errors of the API, as problem+json (RFC 9457)."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import asdict
from starlette.responses import Response

from controller.messages.catalogue import english
from controller.messages.sentence import Sentence
from controller.views.sentence_views import Gaps
from controller.views.structs.audience_views import StaffPageView
from controller.views.structs.encoding import encode


class _Kind(NamedTuple):
    status: int
    title: str


KINDS: Final[Mapping[str, _Kind]] = {
    "bad_request": _Kind(400, "This request cannot be read"),
    "not_signed_in": _Kind(401, "Sign in first"),
    "not_allowed": _Kind(403, "This is not for you"),
    "not_found": _Kind(404, "There is nothing here"),
    "method_not_allowed": _Kind(405, "Not like this"),
    "moved_on": _Kind(409, "The table has moved on"),
    "key_used": _Kind(409, "This key was used for something else"),
    "too_large": _Kind(413, "This request is too large"),
    "wrong_host": _Kind(421, "This console is not called that"),
    "refused": _Kind(422, "The rules do not allow this now"),
    "locked": _Kind(423, "Locked"),
    "error": _Kind(500, "The console made a mistake"),
    "busy": _Kind(503, "The table cannot take this now"),
    "stopped": _Kind(503, "The table has stopped"),
    "no_answer": _Kind(504, "The table has not answered yet"),
}


class ProblemBody(msgspec.Struct, frozen=True):
    """The body of every error; `code` and `gaps` are the translatable form of the English
    `detail`."""

    type: str
    title: str
    status: int
    detail: str
    code: str | None
    gaps: Gaps | None
    clause: str | None
    next: list[str]
    seq: int | msgspec.UnsetType = msgspec.UNSET
    """With `refused` and `moved_on`: the step, or where the table stands."""
    view: StaffPageView | msgspec.UnsetType = msgspec.UNSET
    """With `moved_on`: the table as it is now."""


class StepNumber(msgspec.Struct, frozen=True):
    """With a problem: the step's record, or where the table stands."""

    seq: int


class Problem(Exception):
    """An error that becomes the answer to a request. Messages for people at the table are sentences
    with a code; messages for technicians are plain text. `text` is the sentence in the table's own
    currency, where it is available. `more` is sent unchanged: never put a card there."""

    def __init__(
        self,
        kind: str,
        detail: str | Sentence,
        *,
        text: str | None = None,
        clause: str | None = None,
        then: Sequence[str] = (),
        more: msgspec.Struct | None = None,
    ) -> None:
        sentence_ = detail if isinstance(detail, Sentence) else None
        self.kind = kind
        self.detail = text or (english(sentence_) if sentence_ else str(detail))
        super().__init__(self.detail)
        self.code = sentence_.code if sentence_ else None
        self.params = sentence_.params if sentence_ else None
        self.clause = clause
        self.then = tuple(then)
        self.more = more

    def response(self) -> Response:
        status, title = KINDS[self.kind]
        body = {
            "type": f"/problems/{self.kind}",
            "title": title,
            "status": status,
            "detail": self.detail,
            "code": self.code,
            "gaps": self.params,
            "clause": self.clause,
            "next": list(self.then),
            **({} if self.more is None else asdict(self.more)),
        }
        headers = {"Retry-After": "1"} if status in (429, 503) else None
        return Response(encode(body), status, headers, media_type="application/problem+json")
