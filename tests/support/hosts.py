"""Hosts of messenger accounts in tests, and rows of accounts without a door."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from engine.messengers import call_client
from engine.messengers.host import Host, hosting
from runtime.services import Services
from tests.support.waits import until

_MADE = """
INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver, wanted, phone)
VALUES ($1, $2, $3, $4, $4, $5, $6, $7)
"""


async def account(
    services: Services,
    owner_id: UUID,
    login: str = "ada",
    *,
    source: str = "telegram",
    driver: str = "sandbox",
    wanted: bool = True,
    phone: str | None = None,
    wakes: bool = True,
) -> UUID:
    """A row as addAccount leaves it, and setState if `wanted`. No host is told of it without `wakes`."""
    id = uuid7()
    await services.db.fetch(_MADE, id, owner_id, source, login, driver, wanted, phone)
    if wakes:
        await call_client.wake(services, id)
    return id


async def row(services: Services, id: UUID) -> Any:
    return await services.db.fetchrow("SELECT * FROM messenger_accounts WHERE id = $1", id)


async def becomes(services: Services, id: UUID, *states: str) -> Any:
    """The row, when its state is one of these."""

    async def look() -> Any:
        account = await row(services, id)
        return account if account["state"] in states else None

    return await until(look)


async def want(services: Services, id: UUID, wanted: bool) -> None:
    """Sets whether an account shall run, as setState and forceStop do."""
    await services.db.fetch("UPDATE messenger_accounts SET wanted = $2 WHERE id = $1", id, wanted)
    await call_client.wake(services, id)


async def clear(services: Services, id: UUID) -> None:
    """Stops an account and clears its session, as clearSession does."""
    await services.db.fetch("UPDATE messenger_accounts SET wanted = false, clearing = true WHERE id = $1", id)
    await call_client.wake(services, id)


@asynccontextmanager
async def working(services: Services, owner_id: UUID, login: str = "ada", **more: Any) -> AsyncIterator[UUID]:
    """An account that works, in a host of its own in this process."""
    async with hosting(services):
        id = await account(services, owner_id, login, **more)
        await becomes(services, id, "working")
        yield id


@pytest.fixture
async def host(services: Services) -> AsyncIterator[Host]:
    """Accounts that are wanted are connected in this process."""
    async with hosting(services) as made:
        yield made
