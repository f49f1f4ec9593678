"""The page about the API: complete, and nothing on it comes from elsewhere."""

from __future__ import annotations

import re

from support.http_client import HttpClient


def test_every_address_of_the_api_is_on_its_page(ada: HttpClient) -> None:
    page = ada.http.get("/api/docs").text
    for path, item in ada.http.get("/schema/openapi.json").json()["paths"].items():
        for method in set(item) & {"get", "post", "put", "patch", "delete"}:
            assert f"<code>{method.upper()} {path}</code>" in page


def test_the_page_needs_nothing_from_elsewhere(ada: HttpClient) -> None:
    answer = ada.http.get("/api/docs")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "<script" not in answer.text
    for address in re.findall(r'(?:href|src)="([^"]+)"', answer.text):
        assert ada.http.get(address).status_code == 200


def test_answers_of_the_api_are_taken_for_what_they_are(ada: HttpClient) -> None:
    assert ada.http.get("/api/games").headers["x-content-type-options"] == "nosniff"
