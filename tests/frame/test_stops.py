"""The service as a process of its own: it says that it stops before it stops, and no provider holds it up."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from core.installation import ROOT
from tests.support import prefork, servers
from tests.support.live import KEYS, Live, serving
from tests.support.ports import free_port
from tests.support.waits import PATIENCE, eventually

pytestmark = pytest.mark.rotating


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with serving() as made:
        yield made


def test_a_length_of_thousands_of_digits_is_no_failure(live: Live) -> None:
    """Python refuses to read such a number, with a ValueError."""
    since = live.mark()
    for digits in (b"9" * 5001, b"0" * 5000 + b"2", b"1" + b"0" * 18):
        for path in (b"/graphql", b"/auth/login"):
            sent = live.send(
                b"POST " + path + b" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                + digits + b"\r\nConnection: close\r\n\r\n{}",
                until=1.0,
                half_close=True,
            )  # fmt: skip
            assert not sent or sent.startswith(b"HTTP/1.1 4"), sent
    live.sound(since)


@pytest.mark.alone
def test_requests_are_answered_while_it_drains() -> None:
    """With `Connection: close`, on old connections and new ones: a balancer that has not noticed yet loses nothing."""
    with serving(POSTERN_DRAIN_SECONDS="3") as live, httpx.Client(timeout=PATIENCE) as kept:
        url = f"http://127.0.0.1:{live.port}"
        assert "connection" not in kept.get(f"{url}/common/currencies").headers
        begun = time.monotonic()
        os.kill(live.process.pid, signal.SIGTERM)
        eventually(lambda: httpx.get(f"{url}/health", timeout=PATIENCE).status_code == 503, "it drains")
        for get in (kept.get, httpx.get):
            answer = get(f"{url}/common/currencies", timeout=PATIENCE)
            assert (answer.status_code, answer.headers["connection"]) == (200, "close")
        assert live.process.wait(PATIENCE) == 0
        assert time.monotonic() - begun > 3


@pytest.mark.alone
def test_health_says_so_for_a_while_before_the_port_closes() -> None:
    """A load balancer that asks on a connection of its own must hear it in time."""
    with serving(POSTERN_DRAIN_SECONDS="3") as live:
        address = ("127.0.0.1", live.port)
        begun = time.monotonic()
        os.kill(live.process.pid, signal.SIGTERM)
        heard: list[tuple[float, int]] = []
        while time.monotonic() - begun < PATIENCE:
            try:
                status = httpx.get(f"http://127.0.0.1:{live.port}/health", timeout=PATIENCE).status_code
            except httpx.TransportError:
                break
            heard.append((time.monotonic() - begun, status))
            time.sleep(0.02)
        else:
            raise AssertionError("the port has not closed")
        statuses = [status for _, status in heard]
        first = statuses.index(503)
        assert set(statuses[first:]) == {503}
        assert heard[-1][0] - heard[first][0] > 1.8  # of 3 s; the port would close at once without it
        assert live.process.wait(PATIENCE) == 0
        with pytest.raises(ConnectionRefusedError), socket.create_connection(address, 1):
            pass


_BEGUN = (
    b"",
    b"GET /health HTTP/1.1\r\nHost: x\r\n",
    b"POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
    b"POST /auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    (
        b"GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ),
)


@pytest.mark.alone
def test_requests_that_were_only_begun_do_not_hold_up_the_stop() -> None:
    """They would hold it up for the 28 s that requests have."""
    with serving(POSTERN_SHUTDOWN_SECONDS="30") as live:
        clients = [socket.create_connection(("127.0.0.1", live.port)) for _ in range(4 * len(_BEGUN))]
        try:
            for client, octets in zip(clients, 4 * _BEGUN, strict=True):
                client.sendall(octets)
            httpx.get(f"http://127.0.0.1:{live.port}/", timeout=PATIENCE)  # so that the others were read
            begun = time.monotonic()
            os.kill(live.process.pid, signal.SIGTERM)
            assert live.process.wait(2 * PATIENCE) == 0
            assert time.monotonic() - begun < 14
        finally:
            for client in clients:
                client.close()


def test_a_process_that_hangs_while_it_stops_is_ended() -> None:
    """asyncio waits for a thread that never ends."""
    program = (
        "import asyncio, threading\n"
        "from postern import process\n"
        "async def main():\n"
        "    asyncio.get_running_loop().run_in_executor(None, threading.Event().wait)\n"
        "    process.exit_after(0.5)\n"
        "asyncio.run(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert "did not stop in time" in done.stdout + done.stderr


def _environment(database: str, folder: Path, **more: str) -> dict[str, str]:
    """The environment of a process of its own, with the servers of the tests."""
    clean = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("POSTERN_", "IP_ALLOW", "DB_STRING"))
    }
    servers_of_tests = {"DB_STRING": database, "REDIS_URL": servers.redis_url()} if database else {}
    return {
        **clean,
        **KEYS,
        **servers_of_tests,
        "POSTERN_DATA_DIR": str(folder),
        "PYTHONPATH": str(ROOT),
        **more,
    }


_WORKER = """
import asyncio, threading
from engine.worker import Worker
from postern.cli import app
async def run(worker):
    hanging = asyncio.get_running_loop().run_in_executor(None, threading.Event().wait)
    print("it runs", flush=True)
    await {}
Worker.run = run
app(["worker"])
"""


@pytest.mark.parametrize("waits_for", ["hanging", "worker.services.stopping.wait()"])
def test_a_worker_of_its_own_that_hangs_while_it_stops_is_ended(
    live: Live, tmp_path: Path, waits_for: str
) -> None:
    """While it stops, or afterwards: asyncio waits for the threads of its executor."""
    worker = subprocess.Popen(
        [sys.executable, "-c", _WORKER.format(waits_for)],
        cwd=tmp_path, env=_environment(live.database, tmp_path, POSTERN_SHUTDOWN_SECONDS="0.5"),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        assert worker.stdout is not None
        assert any("it runs" in line for line in worker.stdout)
        worker.terminate()
        said, _ = worker.communicate(timeout=2 * PATIENCE)
    finally:
        worker.kill()
        worker.communicate()
    assert worker.returncode == 1
    assert "did not stop in time" in said


_SERVE = """
import sys, time
from postern.cli import app
from postern.embedded import EmbeddedPostgres
stop = EmbeddedPostgres.stop
def slowly(server):
    time.sleep(5)
    stop(server)
    print("PostgreSQL has stopped", flush=True)
EmbeddedPostgres.stop = slowly
app(["serve", "--port", sys.argv[1], "--no-worker"])
"""


def test_the_embedded_servers_stop_in_order_though_that_takes_longer_than_the_api_may(tmp_path: Path) -> None:
    environment = _environment("", tmp_path, POSTERN_SHUTDOWN_SECONDS="1", POSTERN_DRAIN_SECONDS="0")
    environment.pop("REDIS_URL", None)
    port = free_port()
    with (tmp_path / "log").open("wb") as log:
        service = subprocess.Popen(
            [sys.executable, "-c", _SERVE, str(port)],
            cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        eventually(lambda: _answers(port), "it serves", patience=4 * PATIENCE)
        service.terminate()
        assert service.wait(2 * PATIENCE) == 0
    finally:
        service.kill()
        service.wait()
    said = (tmp_path / "log").read_text()
    assert "PostgreSQL has stopped" in said
    assert "did not stop in time" not in said


def _answers(port: int) -> bool:
    with suppress(httpx.TransportError):
        return httpx.get(f"http://127.0.0.1:{port}/health", timeout=PATIENCE).status_code == 200
    return False


@pytest.mark.alone
def test_a_worker_process_stops_in_time_though_a_provider_hangs(tmp_path: Path) -> None:
    """The worker stops by itself: nobody is there to kill it."""
    with serving() as live:
        environment = _environment(
            live.database,
            tmp_path,
            POSTERN_CHANNEL_EMAIL="sandbox://?timeout=600",
            POSTERN_SHUTDOWN_SECONDS="2",
        )
        with (tmp_path / "log").open("wb") as log:
            worker = prefork.start(["postern", "worker"], cwd=tmp_path, env=environment, output=log)
        try:
            body = {"to": "silent@sandbox.postern.test", "channel": "email", "body": "x"}
            sent = live.client.post("/messages", json=body, headers=live.ada.headers).json()
            request = {"query": f'{{ message(id: "{sent["id"]}") {{ deliveryState }} }}'}

            def sending() -> bool:
                answer = live.client.post("/graphql", json=request, headers=live.ada.headers).json()
                return bool(answer["data"]["message"]["deliveryState"] == "sending")

            eventually(sending, "the worker has it")
            begun = time.monotonic()
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(PATIENCE) == 0
            # It may take 2 s, then cut off what still runs; the default of 10 s would cut it off after 8 s.
            assert time.monotonic() - begun < 7
            assert "Traceback" not in (tmp_path / "log").read_text()
        finally:
            if worker.poll() is None:
                worker.kill()
                worker.wait()
