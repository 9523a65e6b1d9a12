"""Keys that sign emails: of the installation, by the command line, and in what a worker sends."""

import re
from datetime import UTC, datetime
from typing import Any

import dkim as dkimpy
import pytest

from core.errors import ValidationFailed
from engine import secret_keys
from engine.domains import dkim_keys
from postern import dkim as commands
from shapes.domains import DkimAlgorithm, DkimState
from tests.channels.peer_smtp import MailServer, peer
from tests.channels.smtp.rig import opened
from tests.support.fake_channels import use
from tests.support.projects import Projects

MAIL = {"to": "anna@example.com", "channel": "email", "body": ".Grüße", "metadata": {"subject": "News"}}
NOW = datetime(2026, 11, 26, tzinfo=UTC)


async def active(
    services: Any, algorithm: DkimAlgorithm = DkimAlgorithm.rsa, domain: str = "example.com"
) -> Any:
    """A key of the installation that signs."""
    row = await commands._create(services, domain, algorithm)
    await commands._activate(services, domain, row.selector)
    return row


def verified(content: bytes, *keys: Any) -> bool:
    records = dict(dkim_keys.record(key.domain, key.selector, key.algorithm, key.public_key) for key in keys)

    def txt(name: bytes, timeout: float = 5) -> bytes | None:
        value = records.get(name.decode().removesuffix("."))
        return value.encode() if value else None

    return all(dkimpy.DKIM(content).verify(index, dnsfunc=txt) for index in range(len(keys)))


def selectors(server: MailServer) -> list[bytes]:
    return re.findall(rb"DKIM-Signature: [^;]+; a=[^;]+; c=[^;]+; d=example.com; s=([^;]+);", server.raw[-1])


async def test_a_message_is_signed_by_the_key_of_its_domain(ada, services, drain):
    rsa, ed25519 = await active(services), await active(services, DkimAlgorithm.ed25519)
    await active(services, domain="other.example")
    pending = await commands._create(services, "example.com", DkimAlgorithm.rsa)
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        await ada.rest("POST", "/messages", json=MAIL)
        await drain("email")
        [content] = server.raw
    assert {*selectors(server)} == {rsa.selector.encode(), ed25519.selector.encode()}
    by_place = {key.selector.encode(): key for key in (rsa, ed25519)}
    assert verified(content, *(by_place[selector] for selector in selectors(server)))
    assert f"Feedback-ID: direct:{ada.id}:postern".encode() in content
    assert pending.selector.encode() not in content


async def test_a_message_of_a_project_is_signed(ada, services):
    key = await active(services)
    projects = Projects(services)
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        id = await projects.make(ada, ["anna@example.com"])
        await projects.work()
        [content] = server.raw
    assert verified(content, key)
    assert f"Feedback-ID: {id}:{ada.id}:postern".encode() in content


async def test_without_a_key_nothing_is_signed(ada, services, drain):
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        await ada.rest("POST", "/messages", json=MAIL)
        await drain("email")
        [content] = server.raw
    assert b"DKIM-Signature" not in content
    assert b"Feedback-ID" not in content


async def test_a_rotation(services):
    first, second = await active(services), await commands._create(services, "example.com", DkimAlgorithm.rsa)
    assert first.selector != second.selector
    assert await commands._activate(services, "example.com", second.selector) == [first.selector]
    states = {row["selector"]: row["state"] for row in await commands._rows(services, "example.com")}
    assert states == {first.selector: DkimState.retired, second.selector: DkimState.active}
    await commands._delete(services, "example.com", first.selector)
    assert [row["selector"] for row in await commands._rows(services, None)] == [second.selector]


@pytest.mark.parametrize(
    "domain", ["", "a b", "x@example.com", "http://example.com", "[127.0.0.1]", "a" * 300]
)
async def test_no_domain(services, domain: str):
    with pytest.raises(ValidationFailed, match="DOMAIN"):
        await commands._create(services, domain, DkimAlgorithm.rsa)


async def test_a_key_is_encrypted_and_follows_the_secret_key(services):
    row = await active(services)
    assert b"PRIVATE" not in row.key_encrypted
    await secret_keys.rotate(services)
    [stored] = await services.db.fetch("SELECT * FROM dkim_keys")
    assert dkim_keys.public_key(dkim_keys.signer(services.vault, stored).key) == row.public_key


async def test_a_key_that_cannot_be_decrypted_signs_nothing(ada, services, drain):
    await active(services)
    await services.db.fetch("UPDATE dkim_keys SET key_encrypted = key_encrypted || '\\x00' RETURNING id")
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        await ada.rest("POST", "/messages", json=MAIL)
        await drain("email")
        assert b"DKIM-Signature" not in server.raw[0]
