"""`postern mcp`: a process that a client starts, and that speaks by lines with a service that runs."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
import pytest

from core.installation import ROOT
from doors.mcp import stdio
from tests.mcp.agent import META, MODERN
from tests.support.live import Live, serving
from tests.support.waits import PATIENCE, eventually

pytestmark = [pytest.mark.servers, pytest.mark.rotating]


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with serving(POSTERN_MCP="1") as running:
        yield running


class Bridge:
    """The process of `postern mcp`, as a client has it."""

    def __init__(self, address: str, token: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "postern", "mcp"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "MCP_URL": address, "MCP_TOKEN": token},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.input, self.output, self.errors = self.process.stdin, self.process.stdout, self.process.stderr
        self._read = b""

    def write(self, line: bytes, end: bytes = b"\n") -> None:
        """Writes a line."""
        self.input.write(line + end)
        self.input.flush()

    def read(self) -> dict[str, Any]:
        """Reads the next message."""
        deadline = time.monotonic() + 4 * PATIENCE  # the process starts from nothing
        while b"\n" not in self._read:
            assert select.select([self.output], [], [], deadline - time.monotonic())[0], "it says nothing"
            more = os.read(self.output.fileno(), 65_536)
            assert more, self.errors.read()
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        message: dict[str, Any] = orjson.loads(line)
        return message

    def ask(self, method: str, *, id: int = 1, **params: Any) -> dict[str, Any]:
        """Sends a request of 2026-07-28, and returns the answer."""
        body = {"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, "_meta": META}}
        self.write(orjson.dumps(body))
        return self.read()

    def end(self) -> tuple[int, bytes]:
        """Ends its standard input. Returns its exit code, and what it has said of errors."""
        self.input.close()
        return self.process.wait(4 * PATIENCE), self.errors.read()


@contextmanager
def bridged(address: str, token: str) -> Iterator[Bridge]:
    bridge = Bridge(address, token)
    try:
        yield bridge
    finally:
        bridge.process.kill()
        bridge.process.wait()
        for stream in (bridge.input, bridge.output, bridge.errors):
            stream.close()


@pytest.fixture(scope="module")
def bridge(live: Live) -> Iterator[Bridge]:
    headers = live.ada.headers
    token = live.client.post("/api-tokens", json={"name": "agent"}, headers=headers).json()["token"]
    with bridged(f"http://127.0.0.1:{live.port}/", token) as made:
        yield made
        assert made.end() == (0, b"")


def test_it_passes_messages(bridge: Bridge, live: Live):
    assert bridge.ask("server/discover")["result"]["supportedVersions"] == [MODERN]
    called = bridge.ask("tools/call", id=7, name="who_am_i", arguments={})
    assert called["id"] == 7
    assert live.ada.email in called["result"]["content"][0]["text"]
    for each in range(20):  # more than it passes at the same time
        body = {"jsonrpc": "2.0", "id": each, "method": "tools/list", "params": {"_meta": META}}
        bridge.write(orjson.dumps(body))
    assert {bridge.read()["id"] for _ in range(20)} == {*range(20)}


def test_names_that_no_header_can_have(bridge: Bridge):
    for name in ("sénd\r\nx: y", "x" * 100_000, " who_am_i"):
        answer = bridge.ask("tools/call", id=8, name=name, arguments={})
        assert (answer["id"], "error" in answer) == (8, True), answer


def test_a_client_with_a_handshake(bridge: Bridge):
    info = {"name": "t", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
    bridge.write(orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}))
    assert bridge.read()["result"]["protocolVersion"] == "2025-06-18"
    bridge.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')  # gets no answer
    bridge.write(b'{"jsonrpc":"2.0","id":2,"method":"ping"}')
    assert bridge.read() == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_lines_that_are_no_messages(bridge: Bridge):
    bridge.write(b"x" * 3_000_000)
    refused = bridge.read()
    assert (refused["id"], refused["error"]["code"]) == (None, -32700)
    bridge.write(b'{"jsonrpc":"2.0","id":5,"method":"ping","params":{"x":"' + b"x" * 900_000 + b'"}}')
    assert bridge.read()["id"] == 5
    for line in (b"{", b"[]", b"\xff", b'"x"', b'{"id":1}'):
        bridge.write(line)
        assert "error" in bridge.read()
    bridge.write(b"")  # an empty line is none
    assert "result" in bridge.ask("tools/list")


def test_the_service_is_killed_and_comes_back(bridge: Bridge, live: Live):
    assert "result" in bridge.ask("tools/list")
    live.process.kill()
    live.process.wait(PATIENCE)
    gone = bridge.ask("tools/list", id=2)
    assert gone["id"] == 2
    assert "does not answer" in gone["error"]["message"]
    bridge.write(b'{"jsonrpc":"2.0","method":"notifications/cancelled"}')  # gets no answer either
    live.process = live._start()
    live.until_up()
    eventually(lambda: "result" in bridge.ask("tools/list", id=3), "it passes messages again", 0.1)


def test_a_wrong_token_is_an_answer_and_the_last_line_needs_no_end(live: Live):
    with bridged(f"http://127.0.0.1:{live.port}", "pst_wrong") as bridge:
        refused = bridge.ask("tools/list")
        assert (refused["id"], refused["error"]["data"]["code"]) == (1, "invalid_token")
        bridge.write(b'{"jsonrpc":"2.0","id":2,"method":"ping"}', b"")
        bridge.input.close()
        assert bridge.read()["id"] == 2
        assert bridge.end() == (0, b"")


@pytest.mark.parametrize(
    ("address", "sentence"), [("http://127.0.0.1:{}/health", "answered 404"), ("none", "does not answer")]
)
def test_what_is_no_answer_of_ours_is_explained(live: Live, address: str, sentence: str):
    with bridged(address.format(live.port), "pst_x") as bridge:
        assert sentence in bridge.ask("tools/list")["error"]["message"]


@pytest.mark.parametrize(("token", "sentence"), [("", "Set MCP_TOKEN"), ("pst_\u00fc", "Copy it again")])
def test_it_does_not_start_without_a_token(monkeypatch: pytest.MonkeyPatch, token: str, sentence: str):
    monkeypatch.setenv("MCP_TOKEN", token)
    assert sentence in str(stdio.main())


def test_a_file_is_no_client(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MCP_TOKEN", "pst_x")
    with (ROOT / "README.md").open("rb") as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert "must be a pipe" in str(stdio.main())
