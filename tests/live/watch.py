"""Watches a subscription over a WebSocket."""

from itertools import pairwise


def bearer(person):
    return f"Bearer {person.token}"


class Watch:
    """Follows one subscription on a socket."""

    def __init__(self, socket, name):
        self.socket, self.name = socket, name

    async def next(self):
        payload = await self.socket.next()
        assert "errors" not in payload, payload
        return payload["data"][self.name]

    async def until(self, good):
        """Returns the messages up to and with the first that is `good`."""
        seen = []
        while not seen or not good(seen[-1]):
            seen.append(await self.next())
        return seen

    async def silent(self):
        """Checks that nothing was reported up to now."""
        await self.socket.send(type="ping")
        assert await self.socket.receive() == {"type": "pong"}


async def watch(socket, query, **variables):
    await socket.subscribe(query, variables)
    return Watch(socket, query.partition("{")[2].split("(")[0].split("{")[0].strip())


def all_apart(moments, seconds):
    return all(b - a > seconds * 0.9 for a, b in pairwise(moments))


async def cut_off(services):
    """Cuts off the listeners of this test: the server has those of all processes of a test run."""
    redis = services.store.client
    own = str(redis.connection_pool.connection_kwargs["db"])
    ids = [client["id"] for client in await redis.client_list(_type="pubsub") if client["db"] == own]
    assert ids
    for id in ids:
        await redis.client_kill_filter(_id=id)
