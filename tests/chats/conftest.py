"""An account of ada's, and what its live connection tells, written down as its holder would."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from engine.messengers import call_client, event_writer
from engine.webhooks.outbox import OutboxEvent
from messengers.port import Event, Message, Progress, Reaction
from runtime.services import Services
from shapes.chats import ChatMessageStatus
from tests.support.people import Person

T0 = datetime(2026, 11, 1, 12, tzinfo=UTC)
ANNA = "+14155550101"

Tell = Callable[..., Awaitable[list[Any]]]


async def make_account(
    services: Services, owner: Person, login: str = "14155550100", state: str = "working"
) -> UUID:
    """A row, without a live connection; one that works is held by nobody in this world."""
    id = uuid7()
    await services.db.fetch(
        "INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver, wanted, state, connected_phone)"
        " VALUES ($1, $2, 'telegram', $3, $3, 'sandbox', false, $4, '+14155550100')",
        id,
        owner.id,
        login,
        state,
    )
    if state == "working":
        await hold(services, id)
    return id


async def hold(services: Services, account: UUID) -> None:
    await services.db.fetch(
        "INSERT INTO messenger_holds (account_id, holder, fence, expires_at)"
        " VALUES ($1, $2, 1, now() + interval '1 hour')",
        account,
        uuid7(),
    )


@pytest.fixture
async def account(services: Services, ada: Person, monkeypatch: pytest.MonkeyPatch) -> UUID:
    """Returns an account that works and that no worker has; calls give up soon instead of waiting for a worker."""
    monkeypatch.setattr(call_client, "_UNHEARD_SECONDS", 0.1)
    return await make_account(services, ada)


@pytest.fixture
def outbox(monkeypatch: pytest.MonkeyPatch) -> list[OutboxEvent]:
    """Collects the events that are put in the outbox, in their order."""
    put_events: list[OutboxEvent] = []

    async def put(db: Any, account_id: UUID, events: list[OutboxEvent]) -> None:
        put_events.extend(events)

    monkeypatch.setattr("engine.webhooks.outbox.put", put)
    return put_events


@pytest.fixture
def apply(services: Services, account: UUID, outbox: list[OutboxEvent]) -> Tell:
    """Written down in one transaction; what is announced after it."""

    async def apply(*events: Event, account: UUID = account) -> list[Any]:
        async with services.db.reading() as db, db.transaction():
            return await event_writer.record(services, db, account, events)

    return apply


def came(id: str, text: str = "hi", *, at: float = 0, thread: str = "t1", **more: Any) -> Message:
    more = {"sender": ANNA, "name": "Anna", **more}
    return Message(id, thread, False, T0 + timedelta(seconds=at), text=text, **more)


def went(id: str, text: str = "hello", *, at: float = 0, thread: str = "t1", **more: Any) -> Message:
    more = {"recipient": ANNA, **more}
    return Message(id, thread, True, T0 + timedelta(seconds=at), text=text, **more)


def step(id: str, status: str, *, thread: str = "t1", **more: Any) -> Progress:
    return Progress(thread, id, ChatMessageStatus(status), **more)


def smile(id: str, emoji: str | None, *, at: float = 0, sender: str = ANNA, thread: str = "t1") -> Reaction:
    return Reaction(thread, id, sender, emoji, T0 + timedelta(seconds=at))


def kinds(outbox: list[OutboxEvent]) -> list[tuple[str, ...]]:
    """Type, text or what stands in content."""
    return [
        (event.type, event.body["text"] or (event.body["content"][0]["type"] if event.type == "message_status"
         else event.body["content"][0]["src"] if event.body["content"] else ""))
        for event in outbox
    ]  # fmt: skip
