"""`postern doctor` examines settings, keys, the allowlist and database.toml."""

from uuid import uuid4

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from pydantic import SecretStr

from core.settings import load
from engine.secret_keys import rotate
from runtime.services import services
from tests.doctor.looking import KEYS, look


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
    ("content", "mode", "mark", "message"),
    [
        (None, "Off", "!", "logged as would-block"),
        (None, "Enforce", "✗", "IP_ALLOWLIST_MODE is Enforce, but"),
        ("", "Enforce", "✗", "contains no address"),
        ("10.0.0.0/8\n", "Enforce", "✓", "1 entries, mode Enforce"),
        ("10.0.0.1-5\n", "Off", "✗", ":1: '10.0.0.1-5' is a range"),
    ],
)
async def test_the_allowlist(own, tmp_path, content, mode, mark, message):
    if content is not None:
        (tmp_path / "ip-allowlist.conf").write_text(content)
    line = (await look(own(ip_allowlist_mode=mode))).one("allowlist")
    assert line.startswith(mark)
    assert message in line


async def test_no_allowlist_is_no_finding(own):
    settings = own(ip_allowlist_mode="Off")
    settings.model_fields_set.discard("ip_allowlist_file")
    assert (await look(settings)).one("allowlist").startswith("✓ allowlist")


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
