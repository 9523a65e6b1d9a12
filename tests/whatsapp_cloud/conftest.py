from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from uuid import UUID

import httpx
import orjson
import pytest

from core.ids import uuid7
from messengers.whatsapp_cloud import CloudConnection, CloudDriver
from runtime.services import Services
from tests.support.people import Person
from tests.whatsapp_cloud import meta as server
from tests.whatsapp_cloud.hook import Hook
from tests.whatsapp_cloud.lives import Told, working
from tests.whatsapp_cloud.meta import Meta, Number

_ADD = """
INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver, connected_phone, credentials_encrypted)
VALUES ($1, $2, 'whatsapp', $3, $3, $4, $5, $6)
"""
MakeAccount = Callable[..., Awaitable[UUID]]


@pytest.fixture
async def meta() -> AsyncIterator[Meta]:
    async with server.meta() as made:
        yield made


@pytest.fixture
def account(services: Services) -> MakeAccount:
    """Makes somebody's account of a number at Meta."""

    async def make(owner: Person, number: Number, driver: str = "whatsapp-cloud", **changes: Any) -> UUID:
        id = uuid7()
        secret = orjson.dumps({**number.credentials, **changes}).decode()
        sealed = services.vault.seal(secret, f"messenger_accounts.credentials:{id}")
        await services.db.fetchval(_ADD, id, owner.id, f"{id}", driver, number.phone, sealed)
        return id

    return make


@pytest.fixture
async def driver(meta: Meta) -> AsyncIterator[CloudDriver]:
    made = CloudDriver(meta.url, pauses=(0.02, 0.05))
    yield made
    await made.close()


@pytest.fixture
def recorder() -> Told:
    return Told()


@pytest.fixture
async def live(driver: CloudDriver, number: Number, recorder: Told) -> AsyncIterator[CloudConnection]:
    made = await working(driver, number, recorder)
    yield made
    await made.close()


@pytest.fixture
def number(meta: Meta) -> Number:
    return meta.number(name="Lucky Shrub")


@pytest.fixture
async def hook(
    client: httpx.AsyncClient, services: Services, ada: Person, account: MakeAccount, number: Number
) -> Hook:
    id = await account(ada, number)
    await services.db.fetchval(
        "INSERT INTO webhooks (id, account_id, url, secret_encrypted, owner_id)"
        " VALUES ($1, $2, 'https://e.example', '', $3)",
        uuid7(), id, ada.id,
    )  # fmt: skip
    return Hook(client, services, id, number)
