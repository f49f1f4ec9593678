"""Whatever is sent to the HTTP API: no mishap, and only answers that its description promises."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from itertools import count, cycle
from typing import Any, NamedTuple, TypeAlias

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from server.house import House
from server.patience import PATIENCE
from server.talks import Visitor

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
Operation: TypeAlias = APIOperation[Any, Any, Any, Any]
AnyCase: TypeAlias = Case[Any]
_names = (f"Ada {n}" for n in count())


class Caller(NamedTuple):
    """Somebody who asks, and what there is to ask for."""

    link: str
    headers: dict[str, str]
    there: dict[str, str]
    """Names that lead somewhere: a table with a game that has begun, and a player."""

    session: requests.Session
    """Keeps a connection, and the cookies of nobody else."""


def make_caller(house: House, who: str, session: requests.Session) -> Caller:
    """Let somebody come who shows nothing, the cookie of a guest, or a token."""
    with Visitor(house.link) as visitor:
        visitor.come_in(next(_names))
        there = {"table": visitor.open_table(), "player": visitor.id}
        if who == "nobody":
            return Caller(house.link, {"Origin": house.link}, there, session)
        if who == "guest":
            cookie = visitor.http.cookies["pleasance"]
            headers = {"Origin": house.link, "Cookie": f"pleasance={cookie}"}
            return Caller(house.link, headers, there, session)
        wish = {"name": next(_names), "password": "violet anchor seventeen"}
        visitor.ask("POST", "/api/account", wish, 201)
        every = {"label": "all", "scopes": ["read", "play", "chat", "account"]}
        secret = visitor.ask("POST", "/api/tokens", every, 201)["secret"]
        return Caller(house.link, {"Authorization": f"Bearer {secret}"}, there, session)


def list_operations(house: House) -> list[Operation]:
    """List everything that can be asked for."""
    schema = schemathesis.openapi.from_url(f"{house.link}/schema/openapi.json")
    found = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    assert len(found) > 40
    return found


def try_all(house: House, everybody: Sequence[str], examples: int, *, under: str = "/") -> None:
    """Send whatever comes to mind to every address, and look at the answers."""
    wrong = []
    wanted = [each for each in list_operations(house) if each.path.startswith(under)]
    with ExitStack() as stack:
        sessions = [stack.enter_context(requests.Session()) for _ in everybody]
        for operation in wanted:
            # New ones each time: the last may have deleted themselves.
            callers = [make_caller(house, *one) for one in zip(everybody, sessions, strict=True)]
            lost = [caller._replace(there={}) for caller in callers]
            for mode, asking in (("positive", callers), ("negative", lost)):
                cases = operation.as_strategy(generation_mode=GenerationMode(mode))
                try:
                    try_one(cases, asking, examples)
                except (FailureGroup, AssertionError) as failure:
                    found = getattr(failure, "exceptions", [failure])
                    wrong += [f"{operation.label}: {error}" for error in found]
    assert not wrong, "\n\n".join(wrong)


def try_one(cases: SearchStrategy[AnyCase], callers: Sequence[Caller], examples: int) -> None:
    """Let everybody send the same; every other request names something that is there.

    To think of a request takes much longer than to send it.
    """
    turn = cycle((True, False))

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def try_case(case: AnyCase) -> None:
        named = dict(case.path_parameters)
        is_there = next(turn)
        for caller in callers:
            if is_there:
                known = {name: caller.there.get(name, text) for name, text in named.items()}
                case.path_parameters.update(known)
            link, session, headers = caller.link, caller.session, caller.headers
            answer = case.call(base_url=link, session=session, headers=headers, timeout=PATIENCE)
            case.validate_response(answer, checks=CHECKS)

    with suppress(Unsatisfiable):  # nothing can be wrong where nothing is asked for
        try_case()


def test_no_request_is_too_odd(house: House) -> None:
    try_all(house, ["guest"], 5, under="/api/tables")


@pytest.mark.slow
def test_many_odd_requests_are_not_too_odd_whoever_asks(house: House) -> None:
    try_all(house, ["nobody", "guest", "token"], 4)
