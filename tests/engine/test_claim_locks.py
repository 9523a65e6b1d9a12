"""A worker that releases its claim, and the round that recovers it, lock claim and messages in one order."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from core.ids import uuid7
from engine.direct import claims
from tests.support.gateway import Gateway
from tests.support.waits import PATIENCE, WAITING, until

pytestmark = pytest.mark.settings(channel_sms="sandbox://?timeout=0.05&deliver=0")


async def test_a_release_and_a_recovery_never_wait_for_each_other(gateway: Gateway, ada: Any) -> None:
    ids, claim = sorted(await gateway.queue(ada, 3)), uuid7()
    async with gateway.db.reading() as db:
        assert len(await claims.claim_due(db, claim, "w", "sms", limit=9, lease=timedelta(seconds=30))) == 3
    await gateway.db.fetch("UPDATE claims SET expires_at = now() - interval '1 second'")

    async def release() -> None:
        async with gateway.db.reading() as db:
            await claims.release(db, claim)

    async def recover() -> list[Any]:
        async with gateway.db.reading() as db:
            return await claims.recover(db, [])

    async with gateway.db.reading() as db, db.transaction():
        # An owner cancels the last of them, so that the release has locked all that comes before, and waits.
        await db.fetch("SELECT FROM messages WHERE id = $1 FOR UPDATE", ids[-1])
        releasing = asyncio.create_task(release())
        await until(lambda: gateway.db.fetchval(WAITING), 0.005)
        recovering = asyncio.create_task(recover())
        await until(lambda: _waits_or_is_done(gateway, recovering), 0.005)
    await asyncio.wait_for(asyncio.gather(releasing, recovering), PATIENCE)
    assert recovering.result() == []
    assert await gateway.states() == {"queued": 3}
    assert await gateway.count("claims") == 0


async def _waits_or_is_done(gateway: Gateway, task: asyncio.Task[Any]) -> bool:
    return task.done() or await gateway.db.fetchval(WAITING) == 2
