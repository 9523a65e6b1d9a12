"""`postern doctor` against real good and real broken settings, servers and files."""

import asyncio
import os
import ssl
import subprocess
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
import redis.asyncio as redis
import uvicorn
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from pydantic import SecretStr
from sqlalchemy import text

from core.installation import ROOT
from core.settings import Settings, load
from engine.secret_keys import rotate
from postern.app import make_app
from postern.doctor import servers
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import Server
from runtime.services import services
from tests.doctor.looking import KEYS, Seen, look
from tests.support import prefork
from tests.support import servers as support
from tests.support.ports import free_port
from tests.support.tls import self_signed, server_side


@asynccontextmanager
async def listening(tls: ssl.SSLContext | None = None):
    """A server that accepts and says nothing; its port."""
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=tls)
    yield server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()


async def test_all_is_well(own):
    seen = await look(own())
    assert seen.problems == 0
    assert seen.one("settings").endswith("servers of your own (DB_STRING)")
    assert seen.one("keys") == "✓ keys        long enough"
    assert seen.one("PostgreSQL").startswith("✓")
    assert seen.one("schema").startswith("✓")
    assert seen.one("Redis").startswith("✓")
    assert seen.one("workers").startswith("! workers     none is connected")
    assert seen.one("email").startswith("! email       sandbox")


# settings


async def test_each_bad_setting_is_named(monkeypatch):
    for name, value in {
        "POSTERN_PORT": "x",
        "POSTERN_JWT_KEY": "hunter2",
        "IP_ALLOWLIST_MODE": "Perhaps",
        "POSTERN_LIMIT_LOGIN": "often",
        "POSTERN_TRUSTED_PROXIES": "10.0.0.1/8",
    }.items():
        monkeypatch.setenv(name, value)
    seen = await look(load)
    assert seen.problems == len(seen.lines) == 4  # the keys' lengths are only judged when all else is well
    for name in ("POSTERN_PORT", "IP_ALLOWLIST_MODE", "POSTERN_LIMIT_LOGIN", "10.0.0.1/8 has host bits set"):
        assert any(name in line for line in seen.lines)
    assert "write Off (observe) or Enforce (block)" in "".join(seen.lines)


async def test_a_short_key_is_named_and_not_shown(monkeypatch):
    monkeypatch.setenv("POSTERN_SECRET_KEY", "hunter2")
    seen = await look(load)
    assert seen.lines[0].startswith("✗ settings    POSTERN_SECRET_KEY needs at least 32 characters")


async def test_an_old_key_is_told_to_be_needed_or_free(own, make_settings):
    old = "Os3-7d2bRk5Xc9Mz1We6Yt8Ui4Pn0Lj_Fb"
    before = own(secret_key=SecretStr(old), channel_email="sandbox://")
    async with services(before) as opened:
        await rotate(opened)
        await opened.db.fetch(
            "INSERT INTO users (id, email, password_hash, display_name, roles) VALUES ($1, 'a@b.c', '', '', '{}')",
            owner := uuid4(),
        )
        sealed = opened.vault.seal("token", f"hook_secrets:{owner}")
        await opened.db.fetch(
            "INSERT INTO hook_secrets (id, user_id, kind, hint, value) VALUES ($1, $1, 'secret', 'oken', $2)",
            owner, sealed,
        )  # fmt: skip
    after = own(secret_key_old=[SecretStr(old)])
    assert "is needed: 1 secrets are under it" in (await look(after)).of("keys")[1]
    async with services(after) as opened:
        await rotate(opened)
        assert "is needed for unsubscribe links until" in (await look(after)).of("keys")[1]
        await opened.db.fetch("UPDATE secret_keys SET last_used_at = now() - interval '91 days'")
    lines = (await look(after)).lines
    assert any(
        line.endswith("key 1 of POSTERN_SECRET_KEY_OLD is free: nothing is under it. Take it out.")
        for line in lines
    )
    assert old not in "".join(lines)


async def test_a_misspelt_setting_is_told_from_the_environment_and_the_file(own, monkeypatch, tmp_path):
    monkeypatch.setenv("POSTERN_CHANEL_SMS", "hunter2")
    (tmp_path / ".env").write_text("POSTERN_XYZZY=1\nPOSTERN_PORT=1\nOTHER=1\n")
    first, second = (await look(own())).of("settings")[:2]
    assert first.startswith("! settings    POSTERN_CHANEL_SMS")
    assert "Did you mean POSTERN_CHANNEL_SMS?" in first
    assert "POSTERN_XYZZY" in second


async def test_servers_of_your_own_need_keys_of_your_own(own):
    seen = await look(own(secret_key=None, jwt_key=None, redis_url=None))
    assert "REDIS_URL, POSTERN_SECRET_KEY, POSTERN_JWT_KEY" in seen.of("settings")[1]
    assert seen.problems == 1
    assert seen.one("PostgreSQL").startswith("✓")
    assert not seen.of("Redis")


async def test_keys_that_anybody_guesses(own):
    assert "hardly any" in (await look(own(secret_key="a" * 40))).one("keys")
    same = await look(own(jwt_key=KEYS["secret_key"]))
    assert "are the same" in same.of("keys")[0]


async def test_key_files(own, tmp_path):
    path = tmp_path / "jwt.pem"
    path.write_text("no key")
    seen = await look(own(jwt_key=None, jwt_key_file=path))
    assert "not a readable PEM" in seen.of("keys")[0]
    pem = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(pem)
    path.chmod(0o644)
    seen = await look(own(jwt_key=None, jwt_key_file=path))
    assert (seen.problems, "read by others" in seen.of("keys")[0]) == (0, True)


async def test_addresses(own):
    seen = await look(own(trusted_proxies="10.0.0.0/8,127.0.0.1"))
    assert seen.one("proxies") == "✓ proxies     x-real-ip counts from 10.0.0.0/8, 127.0.0.1"
    assert not seen.problems
    open_guard = await look(
        own(outbound_allow="0.0.0.0/0", public_url="postern.example.com", metrics_token="short")
    )
    assert open_guard.one("outbound").startswith("! outbound    users' URLs may reach 169.254.169.254")
    assert open_guard.one("public URL").startswith("✗")
    assert open_guard.one("metrics").startswith("!")
    twilio = {"channel_sms": "twilio://AC1:hunter2@?from=%2B14155550100"}
    assert "Twilio's callbacks are refused" in (await look(own(**twilio))).one("public URL")
    assert not (await look(own(**twilio, public_url="https://postern.example.com"))).of("public URL")
    mail = {"channel_email": "smtp://127.0.0.1:1?from=a@example.com"}
    assert "promotional email projects don't start" in (await look(own(**mail))).one("public URL")
    private = await look(own(outbound_allow="10.1.0.0/16", public_url="https://postern.example.com"))
    assert private.one("outbound").endswith("public addresses, and 10.1.0.0/16")
    assert not private.problems


@pytest.mark.parametrize(
    ("content", "mode", "mark", "said"),
    [
        (None, "Off", "!", "logged as would-block"),
        (None, "Enforce", "✗", "IP_ALLOWLIST_MODE is Enforce, but"),
        ("", "Enforce", "✗", "contains no address"),
        ("10.0.0.0/8\n", "Enforce", "✓", "1 entries, mode Enforce"),
        ("10.0.0.1-5\n", "Off", "✗", ":1: '10.0.0.1-5' is a range"),
    ],
)
async def test_the_allowlist(own, tmp_path, content, mode, mark, said):
    if content is not None:
        (tmp_path / "ip-allowlist.conf").write_text(content)
    line = (await look(own(ip_allowlist_mode=mode))).one("allowlist")
    assert line.startswith(mark)
    assert said in line


async def test_an_allowlist_that_anybody_walks_around(own, tmp_path):
    (tmp_path / "ip-allowlist.conf").write_text("10.0.0.0/8\n")
    seen = await look(own(ip_allowlist_mode="Enforce", host="0.0.0.0"))
    assert "can set x-real-ip itself" in seen.of("allowlist")[1]
    assert len((await look(own(ip_allowlist_mode="Enforce", host="localhost"))).of("allowlist")) == 1


async def test_database_toml(own, tmp_path):
    path = tmp_path / "database.toml"
    path.write_text("[database]\npool_size = 'many'\n")
    seen = await look(own())
    assert seen.one("database.toml").startswith("✗")
    assert not seen.of("PostgreSQL")
    path.write_text("[database]\npool_size = 5\ntls = 'verify-full'\ntls_ca_file = '/nowhere.pem'\n")
    assert (await look(own())).one("database.toml").startswith("✗")
    path.write_text("[database]\npool_size = 5\n")
    assert (await look(own())).one("database.toml") == "✓ database.toml read"


# channels and ports


async def test_channels_that_answer_and_that_do_not(own):
    async with listening() as port:
        seen = await look(
            own(
                channel_email=f"smtp://me:hunter%402@127.0.0.1:{port}?from=a@example.com,"
                f"smtp://127.0.0.1:{free_port()}?from=a@example.com",
                channel_sms=f"smpp://me:hunter2@127.0.0.1:{port},"
                f"twilio://AC1:hunter2@127.0.0.1:{port}?from=%2B14155550100&scheme=http",
                channel_push="apprise:json://127.0.0.1/{to}",
            )
        )
    good, bad = seen.of("email")
    assert good == f"✓ email       smtp: 127.0.0.1:{port} answers"
    assert "Connection refused" in bad
    assert [line[0] for line in seen.of("sms")] == ["✓", "✓"]
    assert seen.one("push").startswith("✓ push        apprise: understood")
    assert seen.problems == 1


@pytest.mark.parametrize(
    ("kind", "dsn", "said"),
    [
        ("email", "smtp//hunter2", "does not start with a scheme"),
        ("email", "smtp://me:hunter2@mail.example.com", "option from is missing"),
        ("sms", "smtp://me:hunter2@mail.example.com?from=a@example.com", "cannot carry sms"),
        ("sms", "smpp://me:hunter2@smsc.example.com:99999", "port"),
        ("push", "fcm://?credentials=/nowhere/hunter2.json", "cannot be read"),
    ],
)
async def test_channels_that_cannot_be_meant(own, kind, dsn, said):
    line = (await look(own(**{f"channel_{kind}": dsn}))).one(kind)
    assert line.startswith("✗")
    assert said in line
    assert f"POSTERN_CHANNEL_{kind.upper()}" in line


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> tuple[Path, ssl.SSLContext]:
    """Of 127.0.0.1: the file that makes it trusted, and a server's context."""
    path = self_signed(tmp_path_factory.mktemp("tls"))
    return path, server_side(path)


async def test_tls_from_the_first_byte(own, certificate):
    pem, context = certificate
    async with listening(context) as port, listening() as plain:
        mail = f"smtps://127.0.0.1:{port}?from=a@example.com"
        seen = await look(
            own(
                channel_email=f"{mail},{mail}&ca={pem},{mail}&insecure=1,"
                f"smtps://127.0.0.1:{plain}?from=a@example.com",
                channel_sms=f"smpp://me:hunter2@127.0.0.1:{port}?tls=1,"
                f"twilio://AC1:hunter2@127.0.0.1:{port}?from=%2B14155550100",
            )
        )
    assert [line[0] for line in seen.of("email")] == ["✗", "✓", "✓", "✗"]
    assert "certificate is not accepted" in seen.of("email")[0]
    assert seen.of("email")[1].endswith("answers with TLS")
    assert [line[0] for line in seen.of("sms")] == ["✗", "✗"]


async def test_behind_a_proxy_nothing_is_said_of_what_lies_behind(own, monkeypatch):
    monkeypatch.setenv("https_proxy", "http://me:hunter2@127.0.0.1:9")
    seen = await look(own(channel_sms="twilio://AC1:hunter2@?from=%2B14155550100"))
    assert seen.one("sms").startswith("! sms         twilio: api.twilio.com:443 is reached through a proxy")


async def test_the_legacy_system(own):
    async with listening() as port:
        seen = await look(own(legacy_url=f"http://127.0.0.1:{port}/old", legacy_token="Bearer hunter2"))
        assert seen.one("legacy") == f"✓ legacy      bridge: 127.0.0.1:{port} answers"
    seen = await look(own(legacy_url=f"http://127.0.0.1:{port}/old"))
    assert seen.one("legacy").startswith("✗")
    assert (await look(own(legacy_url="ftp://127.0.0.1/"))).one("legacy").startswith("✗")


async def test_the_port(own, settings):
    free = free_port()
    assert (await look(own(port=free))).one("port") == f"✓ port        127.0.0.1:{free} is free"
    async with listening() as taken:
        assert f"(process {os.getpid()})" in (await look(own(port=taken))).one("port")
    assert (await look(own(port=free, host="192.0.2.1"))).one("port").startswith("✗")
    server = Server(uvicorn.Config(make_app(settings), host="127.0.0.1", port=free, log_config=None))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        assert "Postern runs there" in (await look(own(port=free))).one("port")
        assert "Postern runs there" in (await look(own(port=free, host="0.0.0.0"))).one("port")
    finally:
        server.should_exit = True
        await serving


# PostgreSQL


def changed(url: str, **parts: str) -> str:
    """The URL with another `user` (password included), `port` or `name`."""
    split = urlsplit(url)
    who = parts.get("user", split.netloc.rpartition("@")[0])
    return f"postgresql://{who}@127.0.0.1:{parts.get('port', split.port)}/{parts.get('name', split.path[1:])}"


async def test_a_postgresql_that_cannot_be_used(own, database):
    cases = {
        changed(database, port=str(free_port())): "Is it running",
        changed(database, user="postern:hunter%402"): "Correct user and password",
        changed(database, name="nowhere"): "createdb",
        "postgresql://me:hunt/hunter2@127.0.0.1/x": "percent-encoded",
        "mysql://me:hunter2@127.0.0.1/x": "percent-encoded",
    }
    for url, advice in cases.items():
        seen = await look(own(db_string=url))
        assert seen.one("PostgreSQL").startswith("✗"), url
        assert advice in seen.one("PostgreSQL"), url
        assert not seen.of("schema")
        assert seen.one("Redis").startswith("✓")


async def test_tls_that_the_server_does_not_speak(own, tmp_path):
    (tmp_path / "database.toml").write_text("[database]\ntls = 'require'\n")
    assert (await look(own())).one("PostgreSQL").startswith("✗")


async def test_an_old_postgresql_and_a_wrong_clock(own, monkeypatch):
    monkeypatch.setattr(servers, "SKEW_SECONDS", (-2.0, -1.0))
    assert (await look(own())).one("clock").startswith("✗")
    monkeypatch.setattr(servers, "SKEW_SECONDS", (-2.0, 100.0))
    assert (await look(own())).one("clock").startswith("!")
    monkeypatch.setattr(servers, "OLDEST_POSTGRES", 990000)
    assert "15 or newer" in (await look(own())).one("PostgreSQL")


async def test_more_connections_than_there_are(own):
    assert "raise max_connections" in (await look(own(workers=64))).of("PostgreSQL")[1]


async def test_schemas(own, database, services):
    async def at(revision: str) -> Seen:
        await services.db.fetch("UPDATE alembic_version SET version_num = $1", revision)
        return await look(own())

    assert "A newer version of Postern has migrated this database" in (await at("9999")).one("schema")
    await services.db.fetch("DROP TABLE alembic_version")
    assert "Run: postern migrate" in (await look(own())).one("schema")


async def test_a_database_that_is_not_unicode(own, database, services):
    name = f"test_{uuid4().hex}"
    await services.db.fetch(f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    try:
        assert "SQL_ASCII" in (await look(own(db_string=changed(database, name=name)))).one("PostgreSQL")
    finally:
        await support.drop(name)


async def test_messages_that_nobody_sends(own, ada, services):
    for _ in range(2):
        await ada.rest("POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "hi"})
    assert (await look(own())).one("workers").startswith("! workers     none")
    async with services.db.session.begin() as session:
        await session.execute(text("UPDATE messages SET due_at = now() - interval '10 min'"))
    waiting = await look(own())
    assert waiting.one("workers").startswith(
        "✗ workers     2 messages wait, the oldest for 10 min; no worker"
    )
    async with services.db.session.begin() as session:
        await session.execute(text("UPDATE messages SET state = 'unknown', claim_id = id"))
    assert "2 messages are unknown" in (await look(own())).of("workers")[1]


async def test_a_worker_that_is_connected(own, database, settings):
    from db.session import Database

    worker = Database(database, settings.database, "postern-worker")
    async with worker.reading():
        assert (await look(own())).one("workers").startswith("✓ workers     connected")
    await worker.close()


# Redis


async def test_a_redis_that_cannot_be_used(own):
    where = urlsplit(support.redis_url())
    cases = {
        f"redis://127.0.0.1:{free_port()}/0": "Is it running",
        f"redis://:hunter2@127.0.0.1:{where.port}/0": "Correct user and password",
        "http://127.0.0.1/": "percent-encoded",
        "redis://:hunt/hunter2@127.0.0.1:6379/0": "percent-encoded",
    }
    for url, advice in cases.items():
        seen = await look(own(redis_url=url))
        assert (seen.problems, seen.one("Redis")[0]) == (1, "✗"), url
        assert advice in seen.one("Redis"), url


async def test_a_redis_that_forgets(own, tmp_path, monkeypatch):
    with EmbeddedRedis(tmp_path / "forgetful") as server:
        async with redis.Redis.from_url(server.url) as client:
            await client.config_set("appendonly", "no")
            await client.config_set("maxmemory", "100mb")
            await client.config_set("maxmemory-policy", "allkeys-lru")
        seen = await look(own(redis_url=server.url))
        assert [line[0] for line in seen.of("Redis")] == ["✓", "!", "!"]
        monkeypatch.setattr(servers, "TESTED_REDIS", (99, 0))
        assert "upgrade it" in (await look(own(redis_url=server.url))).of("Redis")[0]


# embedded servers


def embedded(folder: Path, **changes) -> Settings:
    return Settings(_env_file=None, data_dir=folder, port=0, ip_allowlist_file=folder / "none", **changes)


async def test_embedded_servers_are_started_for_the_look(tmp_path):
    folder = tmp_path / "data"
    seen = await look(embedded(folder))
    assert seen.problems == 0
    assert seen.one("schema").startswith("! schema      the database is empty")
    assert seen.one("email") == "✓ email       sandbox: nothing leaves"
    assert seen.one("Redis").startswith("✓")
    # Beside a `postern serve` that runs them.
    (folder / "secrets.json").chmod(0o644)
    with EmbeddedPostgres(folder), EmbeddedRedis(folder):
        seen = await look(embedded(folder))
        assert "chmod 600" in seen.one("keys")
        assert seen.one("PostgreSQL").startswith("✓")


async def test_a_data_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    seen = await look(embedded(tmp_path / "file" / "data"))
    assert seen.one("data").startswith("✗")
    assert seen.one("servers").startswith("✗")


async def test_a_disk_that_is_nearly_full(tmp_path, monkeypatch):
    from postern.doctor import local

    async def no_servers(*_):
        """What is asked for is the disk; to start servers takes seconds."""

    monkeypatch.setattr(servers, "look", no_servers)
    monkeypatch.setattr(local, "LITTLE_DISK", 2**62)
    assert "Make room soon" in (await look(embedded(tmp_path))).one("data")
    tmp_path.chmod(0o755)
    assert "chmod 700" in (await look(embedded(tmp_path))).of("data")[0]
    tmp_path.chmod(0o700)
    monkeypatch.setattr(local, "SCARCE_DISK", 2**62)
    assert (await look(embedded(tmp_path))).one("data").startswith("✗")


async def test_packages_that_are_not_the_pinned_ones(own, tmp_path, monkeypatch):
    from postern.doctor import local

    (tmp_path / "requirements.lock").write_text(
        'httpx==0.0.1 \\\n    --hash=sha256:0\nno-such-package==1 \\\nother==1 ; sys_platform == "win32" \\\n'
    )
    monkeypatch.setattr(local, "ROOT", tmp_path)
    line = (await look(own())).one("packages")
    assert line.startswith("! packages    2 are not as in requirements.lock: httpx")
    assert "no-such-package missing" in line


# the command


def test_the_command_ends_with_1_when_there_is_a_problem(database):
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "DB_STRING": database,
        "REDIS_URL": support.redis_url(),
        "POSTERN_SECRET_KEY": KEYS["secret_key"],
        "POSTERN_JWT_KEY": KEYS["jwt_key"],
        "POSTERN_PORT": "0",
        "IP_ALLOWLIST_FILE": "/nowhere/ip-allowlist.conf",
    }

    def doctor(**more: str) -> subprocess.CompletedProcess[str]:
        return prefork.run(["postern", "doctor"], cwd=ROOT, env={**environment, **more}, timeout=60)

    well = doctor()
    assert (well.returncode, well.stderr) == (0, ""), well.stdout
    broken = doctor(IP_ALLOWLIST_MODE="Enforce")
    assert broken.returncode == 1
    assert "✗ allowlist" in broken.stdout
