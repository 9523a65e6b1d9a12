"""The door in this process, at a free port, and a user with a verified domain and a token."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from postern.app import Application
from runtime.services import Services
from tests.conftest import MakeSettings
from tests.submissions.door import DOMAIN, Client, listening
from tests.support.people import Person
from tests.support.ports import free_port
from tests.support.tls import self_signed


@pytest.fixture
def settings(make_settings: MakeSettings, tmp_path: Path, request: pytest.FixtureRequest) -> Any:
    changes: dict[str, Any] = {}
    for marker in request.node.iter_markers("settings"):
        changes |= marker.kwargs
    defaults = {
        "smtp_listen": [f"127.0.0.1:{free_port()}", f"smtps://127.0.0.1:{free_port()}"],
        "smtp_certificate": self_signed(tmp_path),
    }
    return make_settings(**{**defaults, **changes})


@pytest.fixture
async def door(app: Application, services: Services) -> AsyncIterator[None]:
    async with listening(services):
        yield


@pytest.fixture
async def token(ada: Person, services: Services) -> str:
    """A token of Ada's that may only send, beside a verified domain of hers."""
    await services.db.fetch(
        "INSERT INTO domains (id, owner_id, name, token, status, verified_at)"
        " VALUES (gen_random_uuid(), $1, $2, 't', 'verified', now()) RETURNING id",
        ada.id,
        DOMAIN,
    )
    answer = await ada.rest("POST", "/api-tokens", json={"name": "shop", "scopes": ["messages:send"]})
    return str(answer.json()["token"])


@pytest.fixture
def shop(door: None, services: Services, token: str) -> Callable[..., Client]:
    del door
    return lambda **options: Client(services.settings, token, **options)
