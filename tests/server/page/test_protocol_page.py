"""The page about the live protocol says what the program does."""

import json
import re
from typing import Any, get_args

import msgspec
import pytest

from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.base import requests
from pleasance.server.base.messages import Message
from pleasance.server.base.requests import Request
from pleasance.server.base.translate import server_messages
from protocol_page import PAGE, write_page
from support.transcript import make_transcript

TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^ *```json\n(.*?)^ *```$", TEXT, re.MULTILINE | re.DOTALL)


def test_the_page_is_what_the_code_says() -> None:
    """If it fails: run `python tests/protocol_page.py`."""
    assert write_page(TEXT) == TEXT
    assert not re.search(r"-->\n<!-- end", TEXT), "every part is there"


def test_the_conversation_shows_every_turn_of_a_request() -> None:
    said = list(make_transcript())
    kinds = [message.get("kind") for _, message in said]
    assert {"watch", "do", "snapshot", "update", "accepted", "refused"} <= set(kinds)
    answers = [message for way, message in said if way == "<" and message.get("key") == "a4"]
    assert len(answers) == 2
    assert answers[0] == answers[1], "a repeated key is answered the same"
    lost = next(n for n, (way, _) in enumerate(said) if not way)
    last = next(message for _, message in said[lost:] if message.get("kind") == "snapshot")
    before = max(message["seq"] for way, message in said[:lost] if way == "<")
    assert [line["seq"] for line in last["entries"]] == list(range(before + 1, last["seq"] + 1))


def test_the_conversation_hides_what_the_other_player_holds() -> None:
    for _, message in make_transcript():
        for line in message.get("entries", ()):
            is_own = line.get("seat") in {None, 0}
            if line["kind"] == "draw":
                assert is_own == (line["token"] != "+?")
        for view in message.get("views", ()):
            assert view["seat"] == 0


@pytest.mark.parametrize("block", BLOCKS)
def test_json_of_the_page_can_be_read(block: str) -> None:
    read: Any = json.loads(block)
    if "kind" in read:
        msgspec.json.decode(block, type=Message)


def test_every_kind_of_message_is_on_the_page() -> None:
    for union in (Request, Message, requests.Command):
        for kind in get_args(union):
            assert f"| `{kind.__struct_config__.tag}` |" in TEXT


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_words_for_every_refusal_of_the_page(language: str) -> None:
    _, _, rest = TEXT.partition("## Refusals")
    table, _, _ = rest.partition("##")
    codes = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert len(codes) > 5
    assert all(f"error.{code}" in server_messages(language) for code in codes)
