"""`postern serve` from its start to its end, however that comes."""

import json
import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from postern.embedded.processes import alive
from tests.process.serve import POSTERN, environment, family, run, serving, using
from tests.support.waits import PATIENCE, eventually

pytestmark = pytest.mark.rotating


@pytest.mark.alone
def test_ctrl_c_ends_all_of_it(home: Path):
    """The start before is a second one: it takes under 5 s where nothing else runs; this machine may be busy."""
    with serving(home) as serve:
        print(f"\nsecond start: {serve.seconds:.1f} s, load {os.getloadavg()[0]:.1f}")
        assert serve.seconds < 15
        assert "migrating" not in serve.said()
        serve.worker()
        begun = time.monotonic()
        assert serve.stop(signal.SIGINT, group=True) == 0
        assert (
            time.monotonic() - begun < 10
        )  # POSTERN_SHUTDOWN_SECONDS, after which the worker would be killed
        assert "Traceback" not in serve.said()
        assert serve.said().count("embedded_stopped") == 2


def test_a_kill_leaves_nothing_and_the_next_start_copes(home: Path):
    with serving(home, "--demo") as serve:
        headers = serve.login()
        to = f"{time.monotonic_ns()}@example.com"
        serve.send(headers, to)
        serve.worker()
        assert serve.stop(signal.SIGKILL) == -signal.SIGKILL
    with serving(home, "--demo") as serve:
        headers = serve.login()
        eventually(lambda: serve.has_sent(headers, to), "what was queued before is sent", patience=60)
        assert serve.stop() == 0


def test_a_plain_start_suspends_the_users_of_the_demo(home: Path):
    """Everybody knows their password. `--demo`, which `make run` uses, lets them in again."""
    with serving(home, "--no-worker") as serve:
        output = eventually(lambda: "Ctrl-C" in serve.said() and serve.said(), "it says so")
        assert "suspended demo@postern.test and admin@postern.test" in output
        assert "postern user password EMAIL" in output
        assert "first use there is no administrator; make one: postern user create EMAIL --admin" in output
        assert serve.log_in().json()["code"] == "user_suspended"
        assert serve.stop() == 0
    with serving(home, "--no-worker", "--demo") as serve:
        output = eventually(lambda: "Ctrl-C" in serve.said() and serve.said(), "it says so")
        assert "demo@postern.test and admin@postern.test: suspended before, active again" in output
        serve.login()
        assert serve.stop() == 0


def test_ctrl_c_while_it_starts(home: Path):
    """Nothing is left, and no traceback is shown."""
    with (home / "starting").open("wb") as log:
        starting = subprocess.Popen(
            [*POSTERN, "serve", "--port", "0"],
            cwd=home, env=environment(home), stdout=log, stderr=log, process_group=0,
        )  # fmt: skip
    try:
        # More than itself, and not just another list: while it is being executed it has told of no folder yet.
        eventually(lambda: len(using(home / "data")) > 1, "its servers are being started")
        os.killpg(starting.pid, signal.SIGINT)
        code = starting.wait(PATIENCE)
    finally:
        if starting.poll() is None:  # it must not stand in the way of the tests after this one
            starting.terminate()
            starting.wait(PATIENCE)
    output = (home / "starting").read_text()
    assert "Traceback" not in output
    assert code == 130 or "Ctrl-C" in output
    eventually(lambda: using(home / "data") == [], "nothing is left")


def test_only_the_api_on_any_free_port(home: Path):
    with subprocess.Popen(
        [*POSTERN, "serve", "--no-worker", "--port", "0", "--host", "localhost"],
        cwd=home, env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as started:  # fmt: skip
        try:
            assert started.stdout is not None
            base = next(line for line in started.stdout if "Postern is up at" in line).split()[-1]
            assert base.startswith("http://localhost:")
            assert not base.endswith(":0")
            eventually(
                lambda: httpx.get(f"{base}/health/v2", timeout=PATIENCE).status_code == 200, "all is well"
            )
            members = family(started.pid)
            lines = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in members]
            assert not any(b"worker\0--child" in line for line in lines)
            assert len(members) > 5, "the servers are there"
        finally:
            started.terminate()
            started.stdout.close()
            assert started.wait(PATIENCE) == 0
        eventually(lambda: not [pid for pid in members if alive(pid)], "all of it has ended")


def test_commands_alone(home: Path):
    """They start the servers for themselves, and stop them. `migrate` and `token` do as `user` does."""
    email = f"{time.monotonic_ns()}@example.com"
    for words, expected in (
        (("user", "create", email, "--admin"), "password"),
        (("doctor",), "PostgreSQL"),
    ):
        done = run(home, *words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        assert expected in done.stdout
        assert using(home / "data") == []


def test_commands_that_need_no_server(folder: Path):
    with ThreadPoolExecutor(2) as pool:
        sdl, document = pool.map(lambda word: run(folder, word), ("schema", "openapi"))
    assert "type Mutation" in sdl.stdout
    assert json.loads(document.stdout)["paths"]
    assert not (folder / "data").exists()
