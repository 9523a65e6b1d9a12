"""A first `postern serve` at a terminal: it has no user, and its link makes the administrator."""

import os
import pty
import re
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.process.serve import POSTERN, environment
from tests.support.ports import free_port
from tests.support.waits import PATIENCE, eventually

pytestmark = pytest.mark.rotating

DEMO = ({"email": f"{name}@postern.test", "password": "postern-demo"} for name in ("admin", "demo"))


def _read(master: int, shown: list[str]) -> str:
    """Adds what the terminal shows by now, and returns all of it."""
    while True:
        try:
            part = os.read(master, 65536)
        except (BlockingIOError, OSError):
            return "".join(shown)
        shown.append(part.decode(errors="replace"))


def test_a_plain_start_has_no_user_but_a_link_at_its_terminal(folder: Path):
    port, shown = free_port(), list[str]()
    master, terminal = pty.openpty()
    os.set_blocking(master, False)
    with (folder / "log").open("wb") as log:
        started = subprocess.Popen(
            [*POSTERN, "serve", "--no-worker", "--port", str(port)],
            cwd=folder, env=environment(folder, POSTERN_LOG_LEVEL="debug"), stdin=subprocess.DEVNULL,
            stdout=terminal, stderr=log, process_group=0,
        )  # fmt: skip
    try:
        output = eventually(
            lambda: "Ctrl-C" in _read(master, shown) and _read(master, shown),
            "it is up",
            patience=2 * PATIENCE,
        )
        (secret,) = re.findall(rf"first use http://127\.0\.0\.1:{port}/console/first-user#(\S+)", output)
        assert "demo@" not in output
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
            for login in DEMO:
                answer = client.post("/auth/login", json=login)
                assert (answer.status_code, answer.json()["code"]) == (401, "bad_credentials")
            body = {"token": secret, "email": "me@example.com", "password": "correct horse battery"}
            answer = client.post("/auth/first-user", json=body)
            assert answer.status_code == 200, answer.text
            bearer = {"Authorization": f"Bearer {answer.json()['accessToken']}"}
            users = client.get("/users", headers=bearer).json()
            assert "me@example.com" in str(users)
            assert "@postern.test" not in str(users)
            assert client.post("/auth/first-user", json=body).status_code == 410
        started.terminate()
        assert started.wait(PATIENCE) == 0
        logged = (folder / "log").read_text()
        assert "/auth/first-user" in logged
        assert secret not in logged + "".join(path.read_text() for path in (folder / "data").glob("*.log"))
    finally:
        if started.poll() is None:
            started.kill()
            started.wait(PATIENCE)
        os.close(master)
        os.close(terminal)
