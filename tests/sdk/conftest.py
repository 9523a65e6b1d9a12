"""A running service, the built SDKs, and a way to run the recipes of both."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from core.installation import ROOT
from tests.clients import installed
from tests.sdk.programs import compiled
from tests.support.live import Live, serving
from tests.support.waits import PATIENCE
from tools.sdk.built import built

LANGUAGES = ("python", "typescript")


@pytest.fixture(scope="package")
def live() -> Iterator[Live]:
    """One service with a worker for all recipes of this test process; webhooks may go to this machine."""
    with serving(workers=1, POSTERN_OUTBOUND_ALLOW="127.0.0.0/8") as running:
        yield running


@dataclass(frozen=True)
class Sdk:
    """A built SDK, which runs programs against a service as its users would."""

    language: str
    folder: Path  # what is built
    recipes: Path  # programs that can be started, by their names without an ending

    def environment(self, port: int, token: str, **more: str) -> dict[str, str]:
        passed = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LANG") if name in os.environ}
        ours = {"POSTERN_URL": f"http://127.0.0.1:{port}", "POSTERN_TOKEN": token}
        return {**passed, **ours, "PYTHONPATH": str(self.folder / "src"), **more}

    def command(self, recipe: str, *words: str) -> list[str]:
        if self.language == "python":
            return [sys.executable, str(self.recipes / f"{recipe}.py"), *words]
        return ["node", str(self.recipes / f"{recipe.replace('_', '-')}.js"), *words]

    def run(
        self, live: Live, recipe: str, *words: str, port: int = 0, fails: bool = False, **more: str
    ) -> list[str]:
        """Returns the lines that a recipe prints. It must succeed, unless it `fails`."""
        done = subprocess.run(
            self.command(recipe, *words),
            env=self.environment(port or live.port, live.ada.token, **more),
            capture_output=True, text=True, timeout=4 * PATIENCE, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert (done.returncode != 0) == fails, f"{done.stdout}\n{done.stderr}"
        return (done.stdout + done.stderr * fails).splitlines()


@pytest.fixture(scope="session")
def python_sdk() -> Sdk:
    folder = installed.made(lambda: built("python"))
    return Sdk("python", folder, ROOT / "sdk" / "python" / "recipes")


@pytest.fixture(scope="session")
def typescript_sdk() -> Sdk:
    packages = installed.node()
    folder = installed.made(lambda: built("typescript"))
    return Sdk("typescript", folder, compiled(folder, packages) / "recipes")


@pytest.fixture(params=LANGUAGES)
def sdk(request: pytest.FixtureRequest) -> Sdk:
    """Each test with it is one of both languages."""
    made: Sdk = request.getfixturevalue(f"{request.param}_sdk")
    return made


def ask(live: Live, method: str, path: str, **options: Any) -> Any:
    answer = live.client.request(method, path, headers=live.ada.headers, **options)
    assert answer.is_success, answer.text
    return answer.json()


def fresh_phone() -> str:
    return f"+1415555{uuid4().int % 10_000:04}"
