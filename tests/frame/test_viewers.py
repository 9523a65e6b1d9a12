"""The cache of who is who: a fact that was revoked stays revoked, however the requests interleave."""

import asyncio

import pytest

from core.errors import Unauthenticated
from core.store import Store
from postern.app import make_app
from tests.auth.doors import forget
from tests.support.people import PASSWORD
from tests.support.waits import PATIENCE, until


class Held(Store):
    """The real store; holds the next fill back between the read and the write of it."""

    def __init__(self, url):
        super().__init__(url)
        self.hold, self.reached, self.go_on = False, asyncio.Event(), asyncio.Event()

    async def attempt(self, call, otherwise):
        if self.hold and call.__name__ == "fill":
            self.hold = False
            self.reached.set()
            await self.go_on.wait()
        return await super().attempt(call, otherwise)


@pytest.fixture
async def held(services, settings):
    services.viewers._store = store = Held(settings.redis_url.get_secret_value())
    yield store
    await store.close()


def _keys(ada, session):
    return f"viewer:user:{ada.id}", f"viewer:session:{session}"


async def _session(services, ada):
    return services.tokens.read(ada.token).session_id


async def test_a_known_caller_costs_the_database_nothing_for_a_minute(auth, ada, services):
    assert await auth.me(ada.token) is None
    for key in _keys(ada, await _session(services, ada)):
        assert 0 < await services.store.client.ttl(key) <= 60
    # Past the operations, so nobody doubts what is cached.
    await services.db.fetch("UPDATE users SET status = 'suspended' WHERE id = $1", ada.id)
    assert await auth.me(ada.token) is None
    await forget(services)
    assert await auth.me(ada.token) == "session_ended"


@pytest.mark.parametrize("end", ["logout", "logoutEverywhere", "changePassword", "suspendUser"])
async def test_what_was_read_before_the_end_is_not_cached_after_it(auth, ada, admin, services, held, end):
    held.hold = True
    slow = asyncio.create_task(auth.me(ada.token))
    await asyncio.wait_for(
        held.reached.wait(), PATIENCE
    )  # it has read that the session lives, and not yet said so
    if end == "suspendUser":
        done = await auth.call("graphql", end, token=admin.token, id=str(ada.id))
    else:
        passwords = (
            {"currentPassword": PASSWORD, "newPassword": "another horse"} if end == "changePassword" else None
        )
        done = await auth.call("graphql", end, passwords, token=ada.token)
    assert done.code is None
    held.go_on.set()  # before anybody else could cache what is true now
    assert await slow is None  # it came first
    for _ in range(3):
        assert await auth.me(ada.token) == "session_ended"


class Interrupted(Store):
    """The real store; lets somebody else through just before a question mark is put."""

    meanwhile = None

    async def attempt(self, call, otherwise):
        if self.meanwhile and call.__name__ == "write":
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
        return await super().attempt(call, otherwise)


async def test_what_is_cached_in_this_process_just_before_the_end_is_forgotten_without_being_told(
    auth, ada, services, settings, monkeypatch
):
    monkeypatch.setattr("runtime.viewers.CHANNEL", "heard by nobody")
    services.viewers._store = store = Interrupted(settings.redis_url.get_secret_value())
    for _ in range(2):
        assert await auth.me(ada.token) is None

    async def meanwhile():
        assert await auth.me(ada.token) is None

    store.meanwhile = meanwhile
    assert (await auth.call("rest", "logout", token=ada.token)).code is None
    assert store.meanwhile is None
    assert [await auth.me(ada.token) for _ in range(3)] == ["session_ended"] * 3
    await store.close()


async def _hears(services):
    await until(lambda: services.viewers.local_cache._subscribed)


async def _break_channels(services):
    """Breaks the channels of this process' database alone: another process of pytest-xdist has its channels on the same
    server.
    """
    client = services.store.client
    mine = client.connection_pool.connection_kwargs["db"]
    for connection in await client.client_list(_type="pubsub"):
        if int(connection["db"]) == mine:
            await client.client_kill_filter(_id=connection["id"])


@pytest.mark.alone
async def test_one_process_hears_at_once_what_another_ended(auth, ada, services, settings):
    there = make_app(settings)
    async with there.api.router.lifespan_context(there.api):
        await _hears(services)
        await _hears(there.services)
        authorization = f"Bearer {ada.token}"
        for _ in range(3):
            await there.services.viewers.identify(authorization)
        (key,) = (key for key in there.services.viewers.local_cache._entries if "session" in key)
        assert (await auth.call("rest", "logout", token=ada.token)).code is None
        async with asyncio.timeout(5):  # by itself it would forget after ten seconds
            while there.services.viewers.local_cache.get(key):
                await asyncio.sleep(0.001)
        with pytest.raises(Unauthenticated):
            await there.services.viewers.identify(authorization)


async def test_a_process_that_has_missed_a_word_believes_nothing_it_kept(auth, ada, services):
    """The connection of the channel breaks; what is said before it is whole again is not heard."""
    await _hears(services)

    async def cached():
        assert await auth.me(ada.token) is None
        return services.viewers.local_cache._entries

    await until(cached)  # the channel is the whole server's: a word of another test may come in between
    word = services.viewers.local_cache.generation
    await _break_channels(services)
    await until(lambda: not services.viewers.local_cache._entries)
    assert services.viewers.local_cache.generation != word
    await _hears(services)
    for _ in range(3):
        assert await auth.me(ada.token) is None


async def test_a_process_ends_although_the_channel_breaks_at_that_moment(services, settings):
    for turn in range(20):
        there = make_app(settings)
        async with asyncio.timeout(PATIENCE), there.api.router.lifespan_context(there.api):
            await _hears(there.services)
            await _break_channels(services)
            await asyncio.sleep((0, 0.001, 0.01)[turn % 3])


async def test_a_role_that_was_taken_does_not_come_back(auth, ada, admin, services, held):
    assert (
        await admin.rest("PATCH", f"/users/{ada.id}", json={"roles": ["admin", "user"]})
    ).status_code == 200
    await forget(services)
    held.hold = True
    slow = asyncio.create_task(ada.rest("GET", "/users"))
    await asyncio.wait_for(held.reached.wait(), PATIENCE)
    assert (await admin.rest("PATCH", f"/users/{ada.id}", json={"roles": ["user"]})).status_code == 200
    held.go_on.set()
    assert (await slow).status_code == 200
    assert [(await ada.rest("GET", "/users")).status_code for _ in range(3)] == [403] * 3


async def test_a_reader_that_has_been_slow_caches_nothing(auth, ada, services, monkeypatch):
    monkeypatch.setattr("runtime.viewers._SLOW", -1)
    await forget(services)
    assert await auth.me(ada.token) is None
    assert await services.store.client.mget(_keys(ada, await _session(services, ada))) == [None, None]


async def test_a_change_that_is_rolled_back_leaves_the_login_alone(auth, ada, bob):
    input = {"roles": ["user"], "email": bob.email}
    assert (await ada.rest("PATCH", f"/users/{ada.id}", json=input)).status_code == 409
    assert await auth.me(ada.token) is None


async def test_logout_in_the_middle_of_many_requests(auth, ada):
    """Requests get 200 before the logout and 401 after it, and never 200 again."""
    begun = asyncio.Event()
    codes = []

    async def knock():
        for _ in range(15):
            codes.append(await auth.me(ada.token))
            begun.set()

    knocking = [asyncio.create_task(knock()) for _ in range(6)]
    await begun.wait()
    assert (await auth.call("rest", "logout", token=ada.token)).code is None
    after = [await auth.me(ada.token) for _ in range(5)]
    await asyncio.gather(*knocking)
    assert after == ["session_ended"] * 5
    assert set(codes) <= {None, "session_ended"}
