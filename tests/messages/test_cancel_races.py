"""Cancels against hand-overs: of each pair exactly one wins, the provider has the others, and the money is exact.

`CANCEL_RACES=100000` runs as many races as the figure in docs/messages.md.
"""

import asyncio
import os
import random
from collections.abc import AsyncIterator
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from core.settings import Settings
from engine.direct import canceling
from tests.channels.http_stub import HttpStub, Reply, Seen
from tests.support.examples import examples
from tests.support.gateway import gateway

__all__ = ["gateway"]

RACES = int(os.environ.get("CANCEL_RACES", "0")) or examples(500)
ROUND = 500
CANCELERS = 6


class Provider:
    """A server that accepts each message, and remembers our ids of them."""

    def __init__(self) -> None:
        self.stub = HttpStub(self.answer)
        self.taken: list[str] = []

    def answer(self, seen: Seen) -> Reply:
        self.taken.append(seen.json["id"])
        return Reply.of(202, {"id": f"p-{len(self.taken)}"})


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    made = Provider()
    async with made.stub:
        yield made


@pytest.fixture
def settings(make_settings: Any, provider: Provider) -> Settings:
    made: Settings = make_settings(channel_sms=f"post://me:pw@127.0.0.1:{provider.stub.port}/a?scheme=http")
    return made


async def test_one_of_the_two_wins(gateway: Any, people: Any, drain: Any, provider: Provider) -> None:
    payer = await people.make("payer@example.com", credit=str(RACES // 100 + 10))
    db, seed = gateway.services.db, random.randrange(2**32)
    chance = random.Random(seed)
    won = canceled = 0
    for _ in range(0, RACES, ROUND):
        provider.taken.clear()
        ids = await gateway.queue(payer, ROUND)
        todo = ids[:]
        chance.shuffle(todo)
        answers: dict[UUID, bool] = {}

        async def cancel(todo: list[UUID] = todo, answers: dict[UUID, bool] = answers) -> None:
            while todo:
                id = todo.pop()
                await asyncio.sleep(chance.random() * 0.02)
                work = partial(canceling.cancel, account_id=payer.account_id, ids=[id])
                answers[id] = bool(await canceling.until_unlocked(db, work))

        await asyncio.gather(drain("sms"), *(cancel() for _ in range(CANCELERS)))
        await drain("sms")
        rows = await db.fetch("SELECT id, state FROM messages WHERE id = ANY($1)", ids)
        taken = provider.taken[:]
        assert len(set(taken)) == len(taken), seed
        for row in rows:
            expected = ("canceled", False) if answers[row["id"]] else ("sent", True)
            assert (row["state"], str(row["id"]) in taken) == expected, (seed, row)
        won += len(taken)
        canceled += len(ids) - len(taken)
    assert won and canceled, (won, canceled)
    await gateway.books()
    print(f"{won} handed over, {canceled} canceled")
