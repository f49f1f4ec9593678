"""Unknown paths: browsers get a page, programs an error."""

from __future__ import annotations

import httpx
import pytest

from pleasance.server.base.translate import server_messages
from pleasance.server.page.responses import POLICY

pytestmark = pytest.mark.usefixtures("built_app")


@pytest.mark.parametrize("path", ["/nonsense", "/you/there", "/t/nowhere12/there"])
def test_an_unknown_path_gets_a_page_with_the_way_back(stranger: httpx.Client, path: str) -> None:
    asking = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": "de"}
    answer = stranger.get(path, headers=asking)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-security-policy"] == POLICY
    assert f"<p>{server_messages('de')('error.no_page')}</p>" in answer.text
    assert '<a class="button main" href="/">' in answer.text


@pytest.mark.parametrize(
    ("path", "accept"),
    [("/nonsense", "*/*"), ("/nonsense", "application/json"), ("/api/nonsense", "text/html")],
)
def test_a_program_gets_a_json_refusal(stranger: httpx.Client, path: str, accept: str) -> None:
    answer = stranger.get(path, headers={"Accept": accept})
    assert answer.status_code == 404
    assert answer.json()["code"] == "no_page"
