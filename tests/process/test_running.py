"""`postern serve` while it runs: what it prints, sends and survives, and the commands beside it."""

import json
import os
import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.installation import ROOT
from tests.process.serve import Serve, family, run, using
from tests.support.waits import eventually

pytestmark = pytest.mark.rotating

SETTLED = {
    "delivered@sandbox.postern.test": "delivered",
    "failed@sandbox.postern.test": "failed",
    "bounced@sandbox.postern.test": "failed",
    "flaky@sandbox.postern.test": "delivered",
    "timeout@sandbox.postern.test": "sent",
}


def test_it_prints_where_it_is_and_how_to_log_in(running: Serve):
    output = eventually(lambda: "Ctrl-C" in running.said() and running.said(), "it says so")
    base = f"http://127.0.0.1:{running.port}"
    for line in (
        f"Postern is up at {base}",
        f"{base}/docs",
        f"{base}/graphql",
        f"{base}/health/v2",
        f"{base}/console",
    ):
        assert line in output
    (shown,) = re.findall(
        r"```text\n(  Postern is up.*?)```", (ROOT / "docs/first-steps.md").read_text(), re.DOTALL
    )
    assert shown.replace(":3000", f":{running.port}") in output, "the page shows what is printed"
    email, password = re.findall(r"demo +(\S+) and .* password (\S+)", output)[0]
    login = running.client.post("/auth/login", json={"email": email, "password": password})
    assert login.status_code == 200
    for path in ("/docs", "/graphql", "/health/v2", "/openapi.json", "/console"):
        # Not at once: a database that takes over a second is none to /health/v2.
        eventually(
            lambda path=path: (
                running.client.get(path, headers={"accept": "text/html, */*"}).status_code == 200
            ),
            f"{path} answers",
        )
    assert "Traceback" not in output
    for secret in json.loads((running.folder / "data/secrets.json").read_text()).values():
        assert secret not in output


def test_the_demo_s_users_log_in_from_this_machine_alone(running: Serve):
    for headers in ({"host": "evil.test"}, {"x-forwarded-for": "127.0.0.1"}):
        answer = running.log_in(**headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "bad_credentials")
    for host in ("localhost", f"127.0.0.1:{running.port}"):
        assert running.log_in(host=host).status_code == 200


def test_the_demo_s_messages_reach_their_states(running: Serve):
    headers = running.login()

    def settled() -> bool:
        states = running.states(headers)
        return all(states[to] == state for to, state in SETTLED.items())

    eventually(settled, f"{SETTLED}, but: {running.states(headers)}")
    assert "starts anew" not in running.said() or "had died" in running.said()


def test_what_the_worker_counts_is_on_the_page(running: Serve):
    headers = running.login()
    running.send(headers, "delivered@sandbox.postern.test")

    def shown() -> bool:
        page = running.client.get("/metrics").text
        hand_overs = re.findall(r"^postern_handovers_total\{.*\} (\S+)$", page, re.MULTILINE)
        return sum(map(float, hand_overs)) >= 1 and "postern_workers 1.0" in page

    eventually(shown, "the hand-overs of the worker and the worker itself")


def test_commands_beside_it(running: Serve):
    # `doctor` tells of it, and this may be the first test of a process.
    eventually(lambda: "postern_workers 1.0" in running.client.get("/metrics").text, "its worker has told")
    email = f"{time.monotonic_ns()}@example.com"
    commands = (
        ("user", "create", email),
        ("token", "create", "demo@postern.test"),
        ("migrate",),
        ("demo",),
        ("doctor",),
    )
    with ThreadPoolExecutor(2) as pool:
        done = dict(zip(commands, pool.map(lambda words: run(running.folder, *words), commands), strict=True))
    for words, result in done.items():
        assert result.returncode == 0, f"{words}: {result.stdout}{result.stderr}"
    made, token, migrated, filled, looked = (result.stdout for result in done.values())
    password = re.findall(r"password +(\S+)", made)[0]
    assert running.client.post("/auth/login", json={"email": email, "password": password}).status_code == 200
    me = running.client.get("/auth/me", headers={"Authorization": f"Bearer {token.strip().splitlines()[-1]}"})
    assert me.json()["email"] == "demo@postern.test"
    assert "up to date" in migrated
    assert "demo@postern.test and admin@postern.test (administrator), password postern-demo" in filled
    assert "from this machine alone" in filled
    assert "✗" not in looked
    assert re.search(r"workers +\S+:\d+ is alive, since", looked)
    assert "schema" in looked
    eventually(lambda: running.status("/health/v2") == 200, "it is as well as before")


def test_a_second_one_of_the_same_folder_is_refused(running: Serve):
    refused = run(running.folder, "serve", "--port", "0")
    assert refused.returncode == 1
    (line,) = refused.stderr.strip().splitlines()[-1:]
    assert line.startswith("postern: ")
    assert "already run by process" in line
    assert "POSTERN_DATA_DIR" in line
    assert "Traceback" not in refused.stderr
    eventually(lambda: running.status("/health/v2") == 200, "it is as well as before")


def test_a_worker_that_dies_is_started_again_and_sends(running: Serve):
    first = running.worker()
    assert {running.process.pid, first} <= set(using(running.folder / "data")), "else leftovers are not found"
    os.kill(first, signal.SIGKILL)
    second = eventually(
        lambda: (pid := running.child("postern worker")) not in (None, first) and pid, "another worker"
    )
    headers = running.login()
    to = f"{time.monotonic_ns()}@example.com"
    running.send(headers, to)
    eventually(lambda: running.has_sent(headers, to), "it sends")
    assert second == running.worker()
    assert "a worker died and is started again" in running.said()


@pytest.mark.parametrize("server", ["postgres", "redis-server"])
def test_an_embedded_server_that_dies_is_started_again(running: Serve, server: str):
    eventually(lambda: running.status("/health/v2") == 200, "all is well")
    first = next(pid for pid in sorted(family(running.process.pid)) if name(pid) == server)
    os.kill(first, signal.SIGKILL)
    eventually(
        lambda: any(name(pid) == server and pid != first for pid in family(running.process.pid)),
        "another server",
    )
    eventually(lambda: running.status("/health/v2") == 200, "it is healthy again")
    headers = running.login()
    to = f"{time.monotonic_ns()}@example.com"
    running.send(headers, to)
    eventually(lambda: running.has_sent(headers, to), "the worker is back too")


def name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def test_a_worker_makes_links_to_the_address_that_is_served(running: Serve):
    """The port is an option of `serve`, and no variable of the terminal: a worker has to be told of it."""
    variables = []
    for pid in family(running.process.pid):
        process = Path(f"/proc/{pid}")
        if b"worker" in (process / "cmdline").read_bytes().split(b"\0"):
            variables += (process / "environ").read_bytes().split(b"\0")
    assert f"POSTERN_PORT={running.port}".encode() in variables
    assert b"POSTERN_HOST=127.0.0.1" in variables
