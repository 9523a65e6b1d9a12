import os

import pytest
import redis.asyncio as redis

from postern.doctor import server_settings
from tests.doctor.looking import KEYS
from tests.support import servers as support


@pytest.fixture(autouse=True)
def _quiet(monkeypatch, tmp_path):
    """The machine's own environment and `.env` stay out."""
    for name in list(os.environ):
        if name.startswith("POSTERN_") and not name.startswith("POSTERN_TEST_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _unsafe_server(request, monkeypatch):
    """The shared server has fsync off, to be fast. That it is named is tested in test_server_settings.py."""
    if request.path.stem != "test_server_settings":
        monkeypatch.setattr(server_settings, "SERVER_RULES", ())


@pytest.fixture
async def own(make_settings):
    """Settings with servers and keys of their own, on which all is well. No worker of another test lives in Redis."""
    async with redis.Redis.from_url(support.redis_url()) as client:
        await client.flushdb()
    return lambda **changes: make_settings(**{**KEYS, "port": 0, **changes})
