"""PostgreSQL stops, hangs and comes back: a clean 503 in bounded time, and no restart of ours."""

import asyncio
import os
import signal
import time

import asyncpg
import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from db.migrate import upgrade
from postern.embedded import EmbeddedPostgres
from tests.auth.doors import BOTH, forget
from tests.support.people import PASSWORD
from tests.support.waits import PATIENCE, freeze

pytestmark = pytest.mark.rotating

SMS = {"to": "+14155550100", "channel": "sms", "body": "x"}


@pytest.fixture
def postgres(tmp_path):
    with EmbeddedPostgres(tmp_path / "own", options={"fsync": "off"}) as server:
        yield server


@pytest.fixture
async def database(postgres):
    engine = create_async_engine(postgres.url.replace("postgresql://", "postgresql+asyncpg://"))
    await upgrade(engine)
    await engine.dispose()
    return postgres.url


@pytest.fixture
def settings(make_settings, tmp_path):
    (tmp_path / "database.toml").write_text("[database]\nconnect_timeout = 0.5\npool_timeout = 1.0\n")
    return make_settings()


async def _all_unavailable(auth, ada, services):
    """Every kind of operation, reads and writes, cached callers and strangers."""
    await forget(services)
    secret = services.settings.db_string.get_secret_value()
    for path, body in (("/auth/login", {"email": ada.email, "password": PASSWORD}),
                       ("/auth/register", {"email": "new@example.com", "password": PASSWORD}),
                       ("/auth/refresh", {"refreshToken": "x" * 43}), ("/messages", SMS), ("/auth/logout", None),
                       ("/accounts", {"name": "x"})):  # fmt: skip
        begun = time.monotonic()
        answer = await ada.rest("POST", path, json=body)
        assert time.monotonic() - begun < 2.9, (
            path
        )  # the settings say 0.5 and 1 s; unheeded they would be 3 and 5
        shown = answer.json()
        assert (answer.status_code, shown["statusCode"], shown["error"]) == (503, 503, "Service Unavailable")
        assert shown["code"] == "database_unavailable", path
        assert shown["path"] == path
        assert set(shown) == {"statusCode", "message", "error", "timestamp", "path", "code"}
        assert secret not in answer.text
        assert "postgres" not in answer.text.lower()
    for operation in ("me", "logout"):
        for door in BOTH:
            assert (await auth.call(door, operation, token=ada.token)).code == "database_unavailable"
    body = await ada.graphql("{ me { email } accounts { nodes { uuid } } timezones }")
    assert {error["extensions"]["code"] for error in body["errors"]} == {"database_unavailable"}
    assert len(body["data"]["timezones"]) > 100  # what needs no database goes on


async def _well(postgres):
    """Waits until the server is back; its first connection may take longer than the settings allow."""
    connection = await asyncpg.connect(postgres.url, timeout=PATIENCE)
    await connection.close()


@pytest.mark.alone
async def test_stopped_and_started_again(auth, ada, services, postgres):
    access, refresh = await auth.tokens(ada.email)
    await asyncio.gather(
        *(ada.rest("POST", "/messages", json=SMS) for _ in range(5))
    )  # pools with connections
    await asyncio.gather(*(auth.me(ada.token) for _ in range(5)))
    postgres.stop()
    postgres.start()
    await _well(postgres)
    await asyncio.sleep(0.1)  # the loop learns that its connections are closed
    # Not one request fails that comes after it: dead connections are replaced, not found out about.
    assert [(await ada.rest("POST", "/accounts", json={"name": "x"})).status_code for _ in range(3)] == [
        201
    ] * 3
    assert await auth.me(ada.token) is None

    postgres.stop()
    await _all_unavailable(auth, ada, services)
    assert (await auth.client.get("/health")).status_code == 200
    ready = await auth.client.get("/health/v2")
    assert (ready.status_code, list(ready.json()["error"])) == (503, ["database"])

    postgres.start()
    await _well(postgres)
    answers = await asyncio.gather(
        *(ada.rest("POST", "/messages", json=SMS) for _ in range(5)),
        *(ada.rest("GET", "/auth/me") for _ in range(5)),
    )
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [202] * 5
    assert (await auth.refresh(refresh)).code is None
    assert await auth.me(access) is None
    assert (await auth.client.get("/health/v2")).json()["status"] in ("ok", "degraded")

    # A crash (as by an immediate shutdown) breaks the connections in the middle of their lives.
    postgres.kill()
    await _all_unavailable(auth, ada, services)
    postgres.start()
    await _well(postgres)
    assert (await ada.rest("POST", "/messages", json=SMS)).status_code == 202

    # A postmaster that hangs takes connections and never answers on them.
    await services.db.close()  # it opens again when it is asked
    freeze(postgres.pid)
    try:
        await _all_unavailable(auth, ada, services)
    finally:
        os.kill(postgres.pid, signal.SIGCONT)
    await _well(postgres)
    assert (await ada.rest("POST", "/messages", json=SMS)).status_code == 202
    assert (await ada.rest("GET", f"/accounts/{ada.account_id}/balance")).json()["balance"] == 99.88
