from collections.abc import Awaitable, Callable, Iterator
from uuid import UUID

import pytest

from core.ids import uuid7
from engine.messengers import call_client
from runtime.services import Services
from tests.support.people import Person

_ADD = "INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver) VALUES ($1, $2, $3, $4, $4, $5)"
Account = Callable[..., Awaitable[UUID]]


@pytest.fixture
def account(services: Services) -> Account:
    """Makes a messenger account of somebody."""

    async def make(
        owner: Person, login: str = "14155550100", source: str = "telegram", driver: str = "sandbox"
    ) -> UUID:
        id = uuid7()
        await services.db.fetchval(_ADD, id, owner.id, source, login, driver)
        return id

    return make


class Host:
    """A process's host of live accounts that has none; it hears who is woken."""

    def __init__(self) -> None:
        self.heard: list[UUID] = []

    def runner_of(self, account_id: UUID) -> None:
        return None

    def woken(self, account_id: UUID) -> None:
        self.heard.append(account_id)


@pytest.fixture
def woken(services: Services) -> Iterator[list[UUID]]:
    """The accounts whose holders were told to look, in order."""
    host = Host()
    call_client.register_host(services, host)
    yield host.heard
    call_client.unregister_host(services, host)
