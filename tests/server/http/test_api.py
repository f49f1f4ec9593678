"""The HTTP API answers any input as its schema says, never with a server error."""

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
from schemathesis.specs.openapi import checks

from support import TIMEOUT_S
from support.http_client import HttpClient
from support.live_server import LiveServer

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]
Operation: TypeAlias = APIOperation[Any, Any, Any, Any]
AnyCase: TypeAlias = Case[Any]
_names = (f"Ada {n}" for n in count())


class Caller(NamedTuple):
    """A caller of the API, and existing resources."""

    link: str
    headers: dict[str, str]
    there: dict[str, str]
    """Ids of existing resources: a running table and a player."""

    session: requests.Session
    """Keeps a connection and its own cookies."""


def open_caller(server: LiveServer, who: str, session: requests.Session) -> Caller:
    """Provide callers without credentials, with a guest's cookie, and with an access token."""
    with HttpClient(server.link) as client:
        client.join(next(_names))
        there = {"table": client.start_solo_game(), "player": client.id}
        if who == "nobody":
            return Caller(server.link, {"Origin": server.link}, there, session)
        if who == "guest":
            cookie = client.http.cookies["pleasance"]
            headers = {"Origin": server.link, "Cookie": f"pleasance={cookie}"}
            return Caller(server.link, headers, there, session)
        client.create_account(next(_names))
        secret = client.create_token("read", "play", "chat", "account")["secret"]
        return Caller(server.link, {"Authorization": f"Bearer {secret}"}, there, session)


def list_operations(server: LiveServer) -> list[Operation]:
    """List everything that can be asked for."""
    schema = schemathesis.openapi.from_url(f"{server.link}/schema/openapi.json")
    schema.config.checks.negative_data_rejection.expected_statuses.append("413")
    found = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    assert len(found) > 40
    return found


def try_all(server: LiveServer, senders: Sequence[str], examples: int, *, under: str = "/") -> None:
    """Send whatever comes to mind to every address, and look at the answers."""
    wrong = []
    wanted = [each for each in list_operations(server) if each.path.startswith(under)]
    with ExitStack() as stack:
        sessions = [stack.enter_context(requests.Session()) for _ in senders]
        for operation in wanted:
            # New ones each time: the last may have deleted themselves.
            callers = [open_caller(server, *one) for one in zip(senders, sessions, strict=True)]
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
    """Send the same case as each caller; every other request names an existing resource.

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
            answer = case.call(base_url=link, session=session, headers=headers, timeout=TIMEOUT_S)
            case.validate_response(answer, checks=CHECKS)

    with suppress(Unsatisfiable):  # nothing can be wrong where nothing is asked for
        try_case()


@pytest.mark.slow
def test_no_request_is_too_odd(server: LiveServer) -> None:
    try_all(server, ["guest"], 5, under="/api/tables")


@pytest.mark.slow
def test_many_odd_requests_are_answered_for_every_caller(server: LiveServer) -> None:
    try_all(server, ["nobody", "guest", "token"], 4)
