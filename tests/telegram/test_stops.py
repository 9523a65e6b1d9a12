"""A stop in the middle of a burst of texts: the position is stored with the texts, so none is lost or stored twice."""

import asyncio

import pytest

from engine.messengers import call_client
from shapes.messenger_accounts import MessengerDriver
from tests.support import hosts
from tests.support.waits import until

LOGIN = "14155550100"
COUNT = 800
TEXTS = [f"text {number}" for number in range(COUNT)]
_STORED = "SELECT text FROM messenger_messages WHERE account_id = $1 ORDER BY seq"


@pytest.mark.parametrize("how", ["stopped", "worker stopped", "lease lost"])
async def test_a_stop_in_a_burst_loses_no_text(services, telegram, driver, ada, bob, people, how):
    """A worker whose lease is lost stores nothing more, as one that is killed: what it had not stored comes again."""
    user = await people.make()

    async def texts():
        return [row["text"] for row in await services.db.fetch(_STORED, id)]

    async def others():
        for text in TEXTS[COUNT // 2 :]:
            telegram.world.write(bob, telegram.world.by_phone(LOGIN), text)
            await asyncio.sleep(0.001)

    async def everything():
        return len(await texts()) >= COUNT

    async def in_host(host):
        host.drivers._drivers[MessengerDriver.telegram] = driver
        host.drivers.close = nothing
        return host

    async def nothing():
        """The driver is the test's."""

    async with hosts.hosting(services) as host:
        await in_host(host)
        id = await hosts.account(services, user.id, LOGIN, driver="telegram", phone=LOGIN)
        await hosts.becomes(services, id, "waitCode")
        await call_client.ask(services, id, "code", {"code": "12345"})
        await hosts.becomes(services, id, "working")
        for text in TEXTS[: COUNT // 2]:
            telegram.world.write(bob, telegram.world.by_phone(LOGIN), text)
        await until(texts)
        writing = asyncio.create_task(others())
        if how == "stopped":
            await hosts.want(services, id, False)
            await hosts.becomes(services, id, "stopped")
        elif how == "lease lost":
            host.runners[id].abandon()
        if how != "worker stopped":
            stored = len(await texts())
            await writing
            await hosts.want(services, id, True)
            await until(everything)
    if how == "worker stopped":
        stored = len(await texts())
        await writing
        async with hosts.hosting(services) as host:
            await in_host(host)
            await until(everything)
    assert stored < COUNT
    assert await texts() == TEXTS
