from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from postern.embedded import EmbeddedRedis
from tests.auth.doors import Auth


@pytest.fixture
def auth(client: httpx.AsyncClient) -> Auth:
    return Auth(client)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[EmbeddedRedis]:
    """A Redis of the test's own, for tests that stop, freeze or fill it."""
    with EmbeddedRedis(tmp_path / "own") as server:
        yield server
