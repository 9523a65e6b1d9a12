"""A Telegram server on loopback, and accounts of ours at it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from telethon.crypto import rsa

from messengers.telegram.addresses import Dc
from messengers.telegram.connection import TelegramConnection
from messengers.telegram.driver import Telegram as Driver
from shapes.messenger_accounts import AccountState
from tests.telegram.server import Person, Telegram, running
from tests.telegram.server.logins import API_HASH
from tests.telegram.sinks import Live, account


@pytest.fixture
async def telegram() -> AsyncIterator[Telegram]:
    async with running(2, 4) as server:
        rsa.add_key(server.pem, old=False)
        yield server


@pytest.fixture
def driver(telegram: Telegram) -> Driver:
    made = Driver(1, API_HASH, Dc.parse(telegram.dc()))
    made.pauses = (0.02, 0.1)
    return made


@pytest.fixture
def ada(telegram: Telegram) -> Person:
    """Joins the person whose account is ours."""
    return telegram.world.join("14155550100", "Ada", last_name="Lovelace", username="ada")


@pytest.fixture
def bob(telegram: Telegram) -> Person:
    """Joins a person whose account is not ours."""
    return telegram.world.join("14155550101", "Bob", username="bobby")


MakeLive = Callable[..., Live]


@pytest.fixture
async def live(driver: Driver) -> AsyncIterator[MakeLive]:
    made: list[Live] = []

    def make(phone: str | None = "14155550100", **more: Any) -> Live:
        made.append(Live(driver, account(phone, **more)))
        return made[-1]

    yield make
    for each in made:
        await each.close()


Enter = Callable[..., Awaitable[tuple[Live, TelegramConnection]]]


@pytest.fixture
def enter(live: MakeLive, ada: Person) -> Enter:
    """An account that is working, logged in by code."""

    async def work(person: Person = ada, **more: Any) -> tuple[Live, TelegramConnection]:
        own = live(person.phone, **more)
        connection = await own.start()
        await own.sink.reach(AccountState.waitCode)
        await connection.code("12345")
        await own.sink.reach(AccountState.working)
        return own, connection

    return work
