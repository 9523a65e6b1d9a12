import signal
import socket
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from postern.embedded import AlreadyRunning, EmbeddedRedis
from postern.embedded import redis as module
from tests.embedded.conftest import ROOT, gone
from tests.support.waits import PATIENCE, eventually, freeze

pytestmark = pytest.mark.servers


def client(server: EmbeddedRedis) -> redis.Redis:
    return redis.Redis.from_url(server.url, socket_timeout=PATIENCE)


def written(it: redis.Redis) -> None:
    """Waits until the kernel has what was written: while a sync runs, Redis keeps more for up to two seconds."""
    eventually(lambda: it.info("persistence")["aof_buffer_length"] == 0, "it is written", 0.005)


def test_it_is_the_store_that_we_want(store: EmbeddedRedis) -> None:
    with client(store) as it:
        assert it.info()["redis_version"].startswith("6.2.")
        for name, value in {
            "appendonly": "yes",
            "appendfsync": "everysec",
            "bind": "127.0.0.1",
            "save": "",
        }.items():
            assert it.config_get(name) == {name: value}
    password = urlsplit(store.url).password
    assert password
    for file in ("cmdline", "environ"):
        assert password.encode() not in Path(f"/proc/{store.pid}/{file}").read_bytes()
    assert password not in (store._home / "server.log").read_text()
    assert (store._home / "password").stat().st_mode & 0o777 == 0o600
    if ROOT:
        assert Path(f"/proc/{store.pid}").stat().st_uid != 0


def test_nobody_else_gets_in(store: EmbeddedRedis) -> None:
    port = urlsplit(store.url).port or 0
    with redis.Redis(port=port, retry=Retry(NoBackoff(), 0)) as it, pytest.raises(redis.AuthenticationError):
        it.ping()
    with (
        redis.Redis(port=port, password="guess", retry=Retry(NoBackoff(), 0)) as it,
        pytest.raises(redis.AuthenticationError),
    ):
        it.ping()


def test_what_was_written_survives_a_kill_and_a_stop(store: EmbeddedRedis) -> None:
    url = store.url
    for n in range(3):
        with client(store) as it:
            it.rpush("list", *range(1000))
            it.set(f"key {n}", "ü" * 100_000)
            written(it)
        pids = [store.pid or 0]
        if n < 2:
            store.kill()
            assert gone(pids, within=0)
            assert not store.running
            assert store.ensure()
            assert not store.ensure()
        else:
            store.stop()
            assert gone(pids, within=0)
            store.start()
        assert store.url == url
        with client(store) as it:
            assert it.llen("list") == 1000 * (n + 1)
            assert it.get(f"key {n}") == ("ü" * 100_000).encode()


def test_a_file_cut_in_the_middle_of_a_write_is_read_up_to_there(store: EmbeddedRedis) -> None:
    with client(store) as it:
        it.set("whole", 1)
        it.set("torn", 2)
        written(it)
    store.kill()
    file = store._home / "data/appendonly.aof"
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size - 3)
    assert store.ensure()
    with client(store) as it:
        assert it.get("whole") == b"1"
        assert it.get("torn") is None


def test_the_second_start_is_refused(store: EmbeddedRedis) -> None:
    with pytest.raises(AlreadyRunning, match=r"Redis in .* is already run") as caught:
        EmbeddedRedis(store._home.parent).start()
    assert caught.value.url == store.url


def test_a_lost_password_is_made_anew(store: EmbeddedRedis) -> None:
    old = store.url
    store.stop()
    (store._home / "password").unlink()
    store.start()
    assert store.url != old
    with client(store) as it:
        assert it.ping()


def test_it_is_ready_only_when_it_is_ours(store: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another server that got our port first, or one that closes at once, is not taken for it."""
    port = urlsplit(store.url).port or 0
    monkeypatch.setattr(module, "PROBE_SECONDS", PATIENCE)
    assert store._ready(port, 0)
    password = store._home / "password"
    right = password.read_text()
    password.write_text("another")
    assert not store._ready(port, 0)
    password.write_text(right)
    monkeypatch.setattr(module, "PROBE_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        other = mute.getsockname()[1]
        assert not store._ready(other, 0)

        def hang_up() -> None:
            for _ in range(2):  # the one above still waits in line
                mute.accept()[0].close()

        rude = threading.Thread(target=hang_up)
        rude.start()
        assert not store._ready(other, 0)
        rude.join()
    assert not store._ready(other, 0)


def test_a_frozen_one_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EmbeddedRedis, "orderly", [(signal.SIGTERM, 0.1)])
    store = EmbeddedRedis(tmp_path)
    store.start()
    pid = store.pid or 0
    freeze(pid)
    store.stop()
    assert gone([pid], within=0)
