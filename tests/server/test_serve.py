"""The server process: its address, its shutdown, its output."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from subprocess import Popen

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from pleasance.core.errors import BadSetupError
from pleasance.server.base.settings import ServerSettings
from pleasance.server.serve import find_link, listen
from support import TIMEOUT_S
from support.server_process import finish, read_until, run_process

pytestmark = pytest.mark.slow

SMALL = (sys.executable, str(Path(__file__).with_name("small_app.py")))


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Popen[str]]:
    """Start the small app on any free port."""
    with run_process(SMALL, tmp_path, PLEASANCE_PORT="0") as process:
        yield process


def in_background(work: object) -> tuple[threading.Thread, list[object]]:
    """Run work in a thread; append its result to the list."""
    found: list[object] = []
    assert callable(work)
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    return thread, found


def is_done(link: str) -> bool:
    try:
        return httpx.get(link, timeout=TIMEOUT_S).is_success
    except httpx.HTTPError:
        return False


def test_by_default_it_listens_on_this_computer_only() -> None:
    settings = ServerSettings()
    with closing(listen(settings.host, 0, may_move=False)) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
        running = find_link(settings, listener)
        assert running.link == f"http://127.0.0.1:{listener.getsockname()[1]}"
        assert not running.is_open


def test_the_usual_port_makes_way_for_another_program() -> None:
    with closing(listen("127.0.0.1", 0, may_move=False)) as first:
        port = first.getsockname()[1]
        with closing(listen("127.0.0.1", port, may_move=True)) as second:
            assert second.getsockname()[1] not in {0, port}


def test_a_named_port_that_is_taken_is_refused() -> None:
    with closing(listen("127.0.0.1", 0, may_move=False)) as first:
        port = first.getsockname()[1]
        with pytest.raises(BadSetupError) as caught:
            listen("127.0.0.1", port, may_move=False)
        assert (caught.value.code, caught.value.params) == ("port_taken", {"port": str(port)})


@pytest.mark.parametrize("host", ["192.0.2.77", "no.such.host.invalid"])
def test_an_address_of_another_computer_is_refused(host: str) -> None:
    with pytest.raises(BadSetupError, match="host_unknown"):
        listen(host, 0, may_move=True)


def test_a_public_address_is_the_link() -> None:
    settings = ServerSettings(public_url="https://games.example")
    with closing(listen("127.0.0.1", 0, may_move=False)) as listener:
        assert find_link(settings, listener).link == "https://games.example"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_in_good_order(small: Popen[str], number: int) -> None:
    link = read_until(small, "http://")
    answer = httpx.get(f"{link}/health/live", timeout=TIMEOUT_S)
    assert answer.json() == {"status": "live", "checks": {}}
    status, out, err = finish(small, number)
    assert (status, out) == (0, "stopping\nstore closed\n")
    assert "Traceback" not in err


def test_what_was_taken_is_finished_before_it_stops(small: Popen[str]) -> None:
    link = read_until(small, "http://")
    thread, found = in_background(lambda: httpx.get(f"{link}/taken", timeout=TIMEOUT_S).text)
    read_until(small, "taken")
    status, out, _ = finish(small, signal.SIGTERM)
    thread.join()
    assert (status, out, found) == (0, "stopping\nstore closed\n", ["done"])


def test_sockets_get_a_closing_message_first(small: Popen[str]) -> None:
    link = read_until(small, "http://").replace("http:", "ws:")
    with connect(f"{link}/socket", open_timeout=TIMEOUT_S) as client:
        assert client.recv() == "hello"
        small.send_signal(signal.SIGTERM)
        assert client.recv() == "closing"
        with pytest.raises(ConnectionClosed) as caught:
            client.recv()
        assert caught.value.rcvd
        assert caught.value.rcvd.code == 1012  # the service restarts
    assert finish(small)[0] == 0


def test_a_stopping_server_takes_no_connections(small: Popen[str]) -> None:
    link = read_until(small, "http://")
    thread, found = in_background(lambda: is_done(f"{link}/stuck"))
    read_until(small, "taken")
    small.send_signal(signal.SIGTERM)
    read_until(small, "stopping")
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{link}/health/live", timeout=TIMEOUT_S)
    # What never ends would be waited for; who asks a second time will not have it.
    assert finish(small, signal.SIGTERM)[0] == 1
    thread.join()
    assert found == [False]


def test_no_message_is_compressed_and_a_long_one_is_refused(small: Popen[str]) -> None:
    link = read_until(small, "http://").replace("http:", "ws:")
    with connect(f"{link}/socket", open_timeout=TIMEOUT_S) as client:
        assert client.response
        assert "Sec-WebSocket-Extensions" not in client.response.headers
        client.send("x" * 20_000)
        assert client.recv() == "hello"
        with pytest.raises(ConnectionClosed) as caught:
            client.recv()
        assert caught.value.rcvd
        assert caught.value.rcvd.code == 1009  # too big


def test_an_answer_does_not_tell_which_program_gave_it(small: Popen[str]) -> None:
    link = read_until(small, "http://")
    headers = httpx.get(f"{link}/health/live", timeout=TIMEOUT_S).headers
    assert "server" not in headers
    assert headers["x-request-id"]
