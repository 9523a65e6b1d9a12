"""A running service, a caller with something to see, and places where clients of others run."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.clients import installed
from tests.support.live import Live, serving

HERE = Path(__file__).parent
MESSAGES = 7  # of each caller: three pages of three
LIMIT = 300.0  # seconds for a client, on a machine that has other things to do


@pytest.fixture(scope="session")
def node() -> Path:
    return installed.node()


@pytest.fixture(scope="session")
def python() -> Path:
    return installed.python()


@pytest.fixture(scope="package")
def live() -> Iterator[Live]:
    """One service for all clients of this test process. GraphiQL is on, so that they may introspect."""
    with serving(POSTERN_GRAPHIQL="true", POSTERN_LIMIT_REGISTER="1000/60") as running:
        yield running


@dataclass
class Caller:
    """A user of the running service whom no other test changes."""

    live: Live
    token: str
    account: str  # its id

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.live.port}"

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def data(self, query: str, variables: Any = None) -> Any:
        answer = self.live.client.post(
            "/graphql", json={"query": query, "variables": variables}, headers=self.headers
        ).json()
        assert "errors" not in answer, answer
        return answer["data"]

    def send(self, to: str, body: str = "hello") -> str:
        """Queues a message; its id."""
        wanted = {"accountId": self.account, "channel": "email", "to": to, "body": body}
        answer = self.live.client.post("/messages", json=wanted, headers=self.headers)
        assert answer.status_code == 202, answer.text
        return str(answer.json()["id"])


@pytest.fixture
def caller(live: Live) -> Iterator[Caller]:
    """A fresh user with 100 USD and MESSAGES messages. Whatever a test does to the service leaves it sound."""
    mark = live.mark()
    email = f"{uuid4()}@example.com"
    wanted = {"email": email, "password": "correct horse battery", "displayName": "Client"}
    answer = live.client.post("/auth/register", json=wanted)
    assert answer.status_code == 201, answer.text
    login = {"email": email, "password": wanted["password"]}
    made = Caller(live, live.client.post("/auth/login", json=login).json()["accessToken"], "")
    made.account = live.client.get("/accounts", headers=made.headers).json()["items"][0]["id"]
    credit = "mutation($id: UUID!) { creditAccount(input: {accountId: $id, amount: 100}) { uuid } }"
    request = {"query": credit, "variables": {"id": made.account}}
    credited = live.client.post("/graphql", json=request, headers=live.admin.headers).json()
    assert "errors" not in credited, credited
    for number in range(MESSAGES):
        made.send(f"{number}@example.com")
    yield made
    live.sound(mark)


class Workshop:
    """A folder of a test's own, with copies of the files it names and the installed packages."""

    def __init__(self, folder: Path, packages: Path) -> None:
        self.folder = folder
        (folder / "node_modules").symlink_to(packages / "node_modules")
        (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")

    def bring(self, *names: str) -> None:
        for name in names:
            source = HERE / name
            if source.is_dir():
                shutil.copytree(source, self.folder, dirs_exist_ok=True)
            else:
                shutil.copy(source, self.folder)

    def tool(self, name: str, *words: str) -> str:
        """A command of one of the packages; what it prints."""
        return run([str(self.folder / "node_modules" / ".bin" / name), *words], self.folder)

    def node(self, script: str, caller: Caller, *words: str) -> str:
        return run(["node", script, caller.url, *words], self.folder, TOKEN=caller.token)


@pytest.fixture
def workshop(tmp_path: Path, node: Path) -> Workshop:
    return Workshop(tmp_path, node)


def run(command: list[str], folder: Path, **environment: str) -> str:
    """Runs a command, which must succeed, and returns its output. No proxy or credential of ours is in its
    environment.
    """
    passed = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LANG") if name in os.environ}
    done = subprocess.run(
        command, cwd=folder, env={**passed, **environment}, check=False, capture_output=True, text=True,
        timeout=LIMIT, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-8000:]}\n{done.stderr[-8000:]}"
    return done.stdout
