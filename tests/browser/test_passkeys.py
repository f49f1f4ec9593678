"""Passkeys in a real browser, with an authenticator that Chromium plays itself."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, CDPSession, expect

from browser.player import TIMEOUT_MS, BrowserPlayer
from support.live_server import LiveServer

pytestmark = pytest.mark.slow
expect.set_options(timeout=TIMEOUT_MS)

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Keyholder(BrowserPlayer):
    """A player whose browser can make passkeys: it must call the server by a host name."""

    def __init__(self, browser: Browser, server: LiveServer) -> None:
        super().__init__(browser, f"http://localhost:{urlsplit(server.link).port}", "Ada")
        self.tools: CDPSession = self.context.new_cdp_session(self.page)
        self.tools.send("WebAuthn.enable")
        self.key = self.plug_in()

    def plug_in(self) -> str:
        """Let the browser have another authenticator; give its name."""
        made = self.tools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        return str(made["authenticatorId"])

    def pull_out(self) -> None:
        """Take the authenticator away, as if it were lost."""
        self.tools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": self.key})

    def press(self, name: str) -> None:
        """Press a button of the page about oneself."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def claim(self, name: str) -> None:
        """Claim an account with a passkey and put the recovery codes away."""
        self.visit("/you")
        self.page.get_by_label("Name of the account").fill(name)
        self.press("With a passkey instead")
        self.press("I have them")
        expect(self.page.get_by_role("button", name="Sign out", exact=True)).to_be_visible()

    def be_sure(self, *, is_it: bool) -> None:
        """Let the authenticator find that it is its owner who asks, or not."""
        wanted = {"authenticatorId": self.key, "isUserVerified": is_it}
        self.tools.send("WebAuthn.setUserVerified", wanted)

    def count_keys(self) -> int:
        """Count the passkeys that the authenticator keeps."""
        found = self.tools.send("WebAuthn.getCredentials", {"authenticatorId": self.key})
        return len(found["credentials"])


@pytest.fixture
def keyholder(browser: Browser, server: LiveServer) -> Iterator[Keyholder]:
    person = Keyholder(browser, server)
    yield person
    person.context.close()


def test_an_account_is_claimed_with_a_passkey_left_and_opened_again(keyholder: Keyholder) -> None:
    keyholder.claim("Violet")
    assert keyholder.count_keys() == 1
    owner = keyholder.ask("GET", "/api/me")
    assert (owner["kind"], owner["account"]["passkeys"]) == ("account", 1)
    keyholder.press("Sign out")
    keyholder.press("Sign in")
    assert keyholder.ask("GET", "/api/me")["code"] == "sign_in"
    keyholder.press("Sign in with a passkey")
    expect(keyholder.page.get_by_role("button", name="Sign out", exact=True)).to_be_visible()
    assert keyholder.ask("GET", "/api/me")["id"] == owner["id"]
    keyholder.console_errors = [
        c for c in keyholder.console_errors if "401" not in c
    ]  # asked for above
    assert keyholder.console_errors == []


def test_who_gives_up_is_told_so_and_can_try_again(keyholder: Keyholder) -> None:
    keyholder.claim("Iris")
    keyholder.press("Sign out")
    keyholder.press("Sign in")
    keyholder.be_sure(is_it=False)
    keyholder.press("Sign in with a passkey")
    told = keyholder.page.get_by_text("No passkey came of it; you can try again.")
    expect(told.first).to_be_visible()
    keyholder.be_sure(is_it=True)
    keyholder.press("Sign in with a passkey")
    expect(keyholder.page.get_by_role("button", name="Sign out", exact=True)).to_be_visible()
    assert keyholder.console_errors == []


def test_a_second_passkey_opens_the_account_when_the_first_is_lost(keyholder: Keyholder) -> None:
    keyholder.claim("Rose")
    owner = keyholder.ask("GET", "/api/me")["id"]
    keyholder.pull_out()
    keyholder.key = keyholder.plug_in()
    keyholder.press("Add a passkey")
    expect(keyholder.page.get_by_text("2 passkeys")).to_be_visible()
    assert keyholder.count_keys() == 1, "the other one is on the lost authenticator"
    keyholder.press("Sign out")
    keyholder.press("Sign in")
    keyholder.press("Sign in with a passkey")
    expect(keyholder.page.get_by_role("button", name="Sign out", exact=True)).to_be_visible()
    found = keyholder.ask("GET", "/api/me")
    assert (found["id"], found["account"]["passkeys"]) == (owner, 2)
    assert keyholder.console_errors == []
