"""Addresses where nothing is: people are led back, programs are refused."""

from __future__ import annotations

import httpx
import pytest

from pleasance.server.base.translate import server_words
from pleasance.server.page.responses import POLICY

pytestmark = pytest.mark.usefixtures("built_app")


@pytest.mark.parametrize("path", ["/nonsense", "/you/there", "/t/nowhere12/there"])
def test_a_person_who_is_lost_gets_a_page_with_the_way_back(
    stranger: httpx.Client, path: str
) -> None:
    asking = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": "de"}
    answer = stranger.get(path, headers=asking)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-security-policy"] == POLICY
    assert f"<p>{server_words('de')('error.no_page')}</p>" in answer.text
    assert '<a class="button main" href="/">' in answer.text


@pytest.mark.parametrize(
    ("path", "accept"),
    [("/nonsense", "*/*"), ("/nonsense", "application/json"), ("/api/nonsense", "text/html")],
)
def test_a_program_that_is_lost_gets_a_refusal_it_can_read(
    stranger: httpx.Client, path: str, accept: str
) -> None:
    answer = stranger.get(path, headers={"Accept": accept})
    assert answer.status_code == 404
    assert answer.json()["code"] == "no_page"
