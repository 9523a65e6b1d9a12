"""A real Redis with TLS, and a user of exactly the rights that docs/operations.md names."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import redis.asyncio as redis
from redis.exceptions import NoPermissionError

from core import pubsub
from core.installation import ROOT
from core.rate_limits import Bucket, Limit, Limiter
from core.store import DOWN, Store
from engine.restore import beats
from messengers.sandbox.simulator.state import Shared
from resolvers import storage
from runtime.workers import Reporter, living, seen
from tests.doctor.looking import look
from tests.support.ports import free_port
from tests.support.tls import self_signed
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.servers

SERVER = os.environ.get("POSTERN_TEST_TLS_REDIS") or shutil.which("redis-server")
PASSWORD = "hunter2"  # the doctor must mask it


def rights() -> list[str]:
    """Returns the words after `redis-cli` of the command in the documentation."""
    text = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^redis-cli (ACL SETUSER postern .*?)\n```", text, re.MULTILINE | re.DOTALL)
    return [word.replace("…", PASSWORD) for word in shlex.split(command.replace("\\\n", " "))]


class Tls:
    def __init__(self, admin: "redis.Redis", port: int, ca: Path) -> None:
        self.admin, self.ca = admin, ca
        self.bare = f"rediss://postern:{PASSWORD}@127.0.0.1:{port}/0"
        self.url = f"{self.bare}?ssl_ca_certs={ca}"


@pytest.fixture
async def tls(tmp_path: Path) -> AsyncIterator[Tls]:
    if SERVER is None:
        pytest.skip("there is no redis-server (Debian's has TLS; POSTERN_TEST_TLS_REDIS may name another)")
    port, pem, path = free_port(), self_signed(tmp_path), tmp_path / "redis.sock"
    options = {
        "port": "0", "tls-port": str(port), "tls-auth-clients": "no", "bind": "127.0.0.1", "save": "",
        "tls-cert-file": str(pem), "tls-key-file": str(pem), "tls-ca-cert-file": str(pem),
        "unixsocket": str(path), "dir": str(tmp_path), "appendonly": "yes",
    }  # fmt: skip
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    log = tmp_path / "redis.log"
    with log.open("wb") as stream:
        server = subprocess.Popen([SERVER, *words], stdout=stream, stderr=stream)
    try:
        await until(lambda: path.exists() or server.poll() is not None)
        if server.poll() is not None:
            pytest.skip(f"{SERVER} has no TLS: {log.read_text()[-200:]}")
        async with redis.Redis(unix_socket_path=str(path)) as admin:
            await admin.execute_command(*rights())
            yield Tls(admin, port, pem)
    finally:
        server.terminate()
        server.wait(PATIENCE)


async def _limits(store: Store) -> None:
    limiter = Limiter(store)
    assert (await limiter.take(Limit("login", 5, 60.0), "ada")).allowed
    await limiter.draw_from([Bucket("pace:x", 10.0, 5.0)], need=1, want=1, awaited=1, back=5)


async def _updates(store: Store) -> None:
    async with pubsub.listening(store, "topic") as updates:
        await pubsub.publish(store, "topic", {"a": 1})
        assert await anext(updates) == {"a": 1}
    await pubsub.close(store)


async def _workers(store: Store) -> None:
    reporter = Reporter(store, "one")
    assert await reporter.report()
    assert [worker.name for worker in await living(store)] == ["one"]
    assert await seen(store) is not None
    await reporter.close()
    assert not await living(store)


async def _beats(store: Store) -> None:
    assert await store.script(beats._KEEP)(keys=["installation:a"], args=[7, "1.5"]) == 1
    assert await store.script(beats._KEEP)(keys=["installation:a"], args=[6, "1.4"]) == 0
    assert await store.client.get("installation:a") == b"7 1.5"


async def _values(store: Store) -> None:
    keys = ["storage:{u}:keys", "storage:{u}:expiry", "storage:{u}:sizes"]
    start, end = b"", b"\xff"
    for ttl in (0, 60_000):
        assert await store.script(storage._PUT)(keys=keys, args=["storage:{u}:value:", "k", "1", ttl, 9, 999])
    assert (await store.script(storage._GET)(keys=keys, args=["storage:{u}:value:", "k"]))[0] == b"1"
    for down in ("0", "1"):
        bounds = [b"[" + start, b"(" + end, 0, 10, 999, b"[" + start, b"(" + end, down]
        listed = await store.script(storage._LIST)(keys=keys, args=["storage:{u}:value:", *bounds])
        assert listed[0] == 1
    await store.script(storage._DELETE)(keys=keys, args=["storage:{u}:value:", "k"])


async def _plain_commands(store: Store) -> None:
    """Runs the commands of logins, callers, documents, the allowlist and calls to messenger accounts."""
    client = store.client
    await store.probe()
    for transaction in (True, False):
        pipe = client.pipeline(transaction=transaction)
        for key in ("login:known:a", "allowlist:refused"):
            pipe.zadd(key, {b"m": 1.0}).zremrangebyrank(key, 0, -11).zscore(key, b"m").expire(key, 60)
            pipe.zremrangebyscore(key, "-inf", 0).zrevrangebyscore(key, "+inf", 0, start=0, num=9)
        pipe.set("viewer:user:a", b"1", nx=True, ex=60).mget(["viewer:user:a", "viewer:session:a"])
        pipe.set("graphql:document:a", b"1", ex=60, nx=True).get("graphql:document:a")
        pipe.publish("viewer:changed", b"a").publish("messengers:wake", b"a").publish("messengers:to:a", b"a")
        pipe.set("messengers:call:a", b"1", px=9000).strlen("messengers:call:a").pttl("messengers:call:a")
        pipe.getdel("messengers:call:a").set("messengers:answer:a", b"1", px=9000)
        pipe.get("messengers:answer:a").publish("messengers:for:a", b"a").unlink("messengers:answer:a")
        await pipe.execute()
    async with client.pubsub() as listener:
        names = ("viewer:changed", "messengers:wake", "messengers:to:a", "messengers:for:a")
        await listener.subscribe(*names)
        for _ in names:
            assert (await listener.get_message(timeout=PATIENCE))["type"] == "subscribe"
        await listener.ping()
        await listener.unsubscribe(names[0])


async def _sandbox(url: str) -> None:
    shared = Shared(url)
    try:
        await shared.client.ping()
        assert await shared.put([("ada", "hello")], once="o", by=("k", "t")) == "done"
        assert len(await shared.newest("ada")) == len(await shared.after("ada", "0-0", 5)) == 1
        await shared.join("k", "t")
        assert not await shared.beat([("k", "t")])
        assert await shared.live("k") == ["t"]
        await shared.leave("k", "t")
        await shared.keep("n", "v")
        assert await shared.look("n") == ["v"]
        await shared.keep("n", None)
        await shared.count("c")
        await shared.note("l", "t")
        assert await shared.notes("l") == ["t"]
        await shared.call("text")
    finally:
        await shared.close()


async def test_the_documented_rights_are_enough_and_no_more(tls: Tls):
    store = Store(tls.url)
    parts: list[Callable[[Store], Awaitable[None]]] = [
        _limits,
        _updates,
        _workers,
        _beats,
        _values,
        _plain_commands,
    ]
    try:
        for part in parts:
            await part(store)
        await _sandbox(tls.url)
        denied: Any = await tls.admin.execute_command("ACL", "LOG")
        assert not [entry for entry in denied if b"client|setinfo" not in str(entry).encode()]
        for words in (("GET", "other"), ("FLUSHALL",), ("KEYS", "*"), ("PUBLISH", "other", "x")):
            with pytest.raises(NoPermissionError):
                await store.client.execute_command(*words)
    finally:
        await store.close()


async def test_the_doctor_on_rights_and_certificates(tls: Tls, own):
    assert (await look(own(redis_url=tls.url))).one("Redis").startswith("✓")
    for right in ("-info", "-evalsha", "-publish", "-time"):
        await tls.admin.execute_command("ACL", "SETUSER", "postern", right)
        line = (await look(own(redis_url=tls.url))).one("Redis")
        assert line.startswith("✗"), right
        assert "docs/operations.md, Redis with TLS and ACL" in line, right
        await tls.admin.execute_command("ACL", "SETUSER", "postern", right.replace("-", "+"))
    line = (await look(own(redis_url=tls.bare))).one("Redis")
    assert line.startswith("✗")
    assert "ssl_ca_certs=" in line
    line = (await look(own(redis_url=f"{tls.url}.missing"))).one("Redis")
    assert "Correct the files that REDIS_URL names" in line
    with pytest.raises(DOWN):
        await Store(tls.bare).probe()
