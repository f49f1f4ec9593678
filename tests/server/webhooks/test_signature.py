"""The webhook signature, as the Standard Webhooks specification describes it."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path
from time import time
from typing import Any

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from pleasance.server.webhooks.payloads import make_secret, sign

BODY = '{"content": "Du bist dran bei Sanssouci — los!"}'.encode()
PAGE = Path(__file__).parents[3] / "docs" / "guide" / "notifications.md"


def test_the_example_of_the_specification_is_signed_as_it_says() -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    headers = sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", b'{"test": 2432232314}', 1614265330.9)
    assert headers == {
        "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "Webhook-Timestamp": "1614265330",
        "Webhook-Signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_a_receiver_with_a_library_accepts_only_what_we_signed() -> None:
    secret = make_secret()
    headers = sign(secret, "p6d2h7x4m3qa", BODY, time())
    receiver = Webhook(secret)
    assert receiver.verify(BODY, headers)["content"].endswith("los!")
    others = (
        (Webhook(make_secret()), BODY, headers),
        (receiver, BODY + b" ", headers),
        (receiver, BODY, {**headers, "Webhook-Id": "another"}),
        (receiver, BODY, sign(secret, "p6d2h7x4m3qa", BODY, time() - 600)),
    )
    for verifier, body, sent in others:
        with pytest.raises(WebhookVerificationError):
            verifier.verify(body, sent)


def test_the_function_of_the_page_accepts_only_what_we_signed() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    is_genuine, secret, now = names["is_genuine"], make_secret(), time()
    headers = sign(secret, "p6d2h7x4m3qa", BODY, now)
    assert is_genuine(headers, BODY, secret) is True
    assert is_genuine(headers, BODY + b" ", secret) is False
    assert is_genuine(headers, BODY, make_secret()) is False
    assert is_genuine(sign(secret, "p6d2h7x4m3qa", BODY, now - 600), BODY, secret) is False


def test_each_secret_is_new_and_as_long_as_the_specification_asks() -> None:
    one, other = make_secret(), make_secret()
    assert one != other
    assert one.startswith("whsec_")
    assert len(b64decode(one.removeprefix("whsec_"), validate=True)) == 32
