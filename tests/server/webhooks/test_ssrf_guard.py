"""SSRF guard: webhooks call only public addresses, whatever the URL looks like."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pleasance.core.errors import PleasanceError
from pleasance.server.webhooks.pinned_client import post
from pleasance.server.webhooks.ssrf_guard import is_public, parse_target, resolve_checked
from server.webhooks.receiver import Receiver


@pytest.mark.parametrize(
    "address",
    ["9.9.9.9", "1.1.1.1", "162.159.128.233", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e"],
)
def test_a_public_address_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1"),
        *("172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255"),
        *("192.0.0.1", "192.0.0.9", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1"),
        *("192.88.99.1", "224.0.0.1", "239.255.255.250", "233.252.0.1", "240.0.0.1"),
        *("255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:9.9.9.9"),
        *("64:ff9b::7f00:1", "64:ff9b::909:909", "64:ff9b:1::7f00:1", "2002:7f00:1::1"),
        *("2002:909:909::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:db8::1"),
        *("2001:10::1", "2001:20::1", "3fff::1", "fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1"),
        *("fd12:3456::1", "ff02::1", "ff0e::1", "100::1", "5f00::1", "4000::1"),
    ],
)
def test_an_address_that_leads_elsewhere_is_not(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://example.com/", "file:///etc/passwd", "gopher://example.com/", "//example.com/"),
        *("example.com/hook", "https:///hook", "https://", "http://:80/", "https:example.com"),
        *("https://user@example.com/", "https://user:word@example.com/", "https://example.com/#x"),
        *("https://example.com/a b", "https://example.com/\n", "https://example.com\\@10.0.0.1/"),
        *("http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://017700000001/"),
        *(
            "http://0177.0.0.1/",
            "http://127.1/",
            "http://127.0.1/",
            "http://0/",
            "http://1.2.3.4.5/",
        ),
        *("http://127.0.0.0x1/", "http://[::1/", "http://[127.0.0.1]/", "http://[::1%25lo]x/"),
        *("http://[fe80::1%eth0]/", "https://example.com:port/", "https://example.com:99999/"),
        *("http://ex%61mple.com/", "https://exämple.com/", "https://" + "a" * 500 + ".com/"),
    ],
)
def test_what_is_no_plain_link_is_refused(url: str) -> None:
    with pytest.raises(PleasanceError, match="webhook_url"):
        parse_target(url, allows_private=True)


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("https://h.example./in?a=b./", "https://h.example/in?a=b./"),
        ("http://H.Example.:8443", "http://h.example:8443"),
        ("https://h.example./%2F;a=1?b=%20", "https://h.example/%2F;a=1?b=%20"),
        ("http://9.9.9.9./in", "http://9.9.9.9/in"),
    ],
)
def test_a_name_is_the_same_with_a_dot_at_its_end(url: str, plain: str) -> None:
    target = parse_target(url, allows_private=False)
    assert target == parse_target(plain, allows_private=False)
    assert target.url == plain


@pytest.mark.parametrize("url", ["http://./", "http://../", "https://h.example../"])
def test_a_name_ends_with_one_dot_at_most(url: str) -> None:
    with pytest.raises(PleasanceError, match="webhook_url"):
        parse_target(url, allows_private=True)


@given(st.text(max_size=40) | st.text(alphabet="ht:p/s.[]@%0x1a-_\\#?", max_size=20))
@example("https://xn--.com/")
@example("https://[")
@example("https://a..b/")
@example("https://\ud800/")
def test_any_text_is_read_or_refused(text: str) -> None:
    for start in ("", "http://", "https://"):
        with suppress(PleasanceError):
            target = parse_target(start + text, allows_private=True)
            assert target.host
            assert target.path.startswith("/")


@pytest.mark.parametrize("port", [22, 25, 81, 8080, 5432, 6379, 65535])
def test_other_ports_than_those_of_web_servers_are_refused(port: int) -> None:
    with pytest.raises(PleasanceError, match="webhook_port"):
        parse_target(f"https://example.com:{port}/", allows_private=False)


@pytest.mark.parametrize(
    ("url", "port"),
    [
        ("http://example.com/", 80),
        ("https://example.com/", 443),
        ("https://example.com:8443", 8443),
    ],
)
def test_the_ports_of_web_servers_are_taken(url: str, port: int) -> None:
    assert parse_target(url, allows_private=False).port == port


PRIVATE = ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "[::ffff:127.0.0.1]"]
PRIVATE += ["[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[::]", "0.0.0.0"]
PRIVATE += ["169.254.169.254", "10.1.2.3", "100.64.0.1", "[fe80::1]", "[fd00::1]", "[ff02::1]"]


@pytest.mark.anyio
@pytest.mark.parametrize("host", PRIVATE)
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_link_to_a_private_address_is_refused(host: str, scheme: str) -> None:
    with pytest.raises(PleasanceError, match="webhook_private"):
        await post(f"{scheme}://{host}/hook", b"", {}, allows_private=False)


NUMBERS = [
    "localhost.",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "017700000001",
    "0177.0.0.1",
    "127.1",
    "0",
]


@pytest.mark.anyio
@pytest.mark.parametrize("host", NUMBERS)
async def test_an_address_in_disguise_is_refused_where_it_is_called_too(host: str) -> None:
    """The system takes these for 127.0.0.1; the check must not hang on the form of the link."""
    with pytest.raises(PleasanceError, match=r"webhook_private|webhook_unresolved"):
        await resolve_checked(host, 80, allows_private=False)


@pytest.mark.anyio
async def test_the_system_really_takes_such_numbers_for_this_computer() -> None:
    assert await resolve_checked("2130706433", 80, allows_private=True) == ("127.0.0.1",)


@pytest.mark.anyio
async def test_a_private_server_is_reached_only_with_the_setting(receiver: Receiver) -> None:
    answer = await post(receiver.url(), b"{}", {}, allows_private=True)
    assert (answer.status, receiver.calls) == (204, 1)
    with pytest.raises(PleasanceError, match="webhook_port"):
        await post(receiver.url(), b"{}", {}, allows_private=False)
    assert receiver.calls == 1


@pytest.mark.anyio
async def test_a_name_is_refused_if_one_of_its_addresses_is_private() -> None:
    async def resolve(host: str, port: int) -> tuple[str, ...]:
        assert (host, port) == ("mixed.example", 443)
        return "9.9.9.9", "127.0.0.1"

    with pytest.raises(PleasanceError, match="webhook_private"):
        await post("https://mixed.example/", b"", {}, allows_private=False, resolve=resolve)


@pytest.mark.anyio
async def test_an_unknown_host_name_is_refused() -> None:
    with pytest.raises(PleasanceError, match="webhook_unresolved"):
        await post("https://no..name/", b"", {}, allows_private=False)
