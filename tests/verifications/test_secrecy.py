"""A code is in the message that a provider gets, and nowhere else."""

import asyncio
import re
import secrets
from typing import Any

import asyncpg
import orjson
import pytest

from channels.port import Outcome, Result
from channels.sandbox import SandboxChannel, box
from engine.direct.dispatch import Dispatcher
from runtime.services import Services
from shapes.verifications import MASK
from tests.support.people import Person
from tests.verifications.codes import CHANNELS, RATES, SANDBOX, check, sent, start

COUNT = 1000
EVENTS = "verification.started,verification.approved"
PLAIN = "sandbox://plain?deliver=0"


async def stored(services: Services) -> str:
    """All rows of all tables, as text: bytes are in hexadecimal."""
    tables = await services.db.fetch(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
    )
    texts = []
    for table in tables:
        rows = await services.db.fetch(f'SELECT t::text AS row FROM "{table["relname"]}" AS t')
        texts += [row["row"] for row in rows]
    return "\n".join(texts)


async def in_redis(services: Services) -> str:
    redis: Any = services.store.client
    texts = []
    async for key in redis.scan_iter("*"):
        kind = await redis.type(key)
        read = {
            b"none": lambda: asyncio.sleep(0),  # it has just expired
            b"string": lambda key=key: redis.get(key),
            b"hash": lambda key=key: redis.hgetall(key),
            b"list": lambda key=key: redis.lrange(key, 0, -1),
            b"set": lambda key=key: redis.smembers(key),
            b"zset": lambda key=key: redis.zrange(key, 0, -1, withscores=True),
            b"stream": lambda key=key: redis.xrange(key),
        }
        kind = kind if isinstance(kind, bytes) else kind.encode()
        texts.append(f"{key!r} {await read[kind]()!r}")
    return "\n".join(texts)


def found(codes: set[str], text: str) -> set[str]:
    """The codes that a text has, with neither a digit nor a part of an id beside them, or as bytes in hexadecimal."""
    runs = set(re.findall(r"(?<![0-9A-Fa-f-])[0-9]{8}(?![0-9A-Fa-f-])", text))
    return (codes & runs) | {code for code in codes if code.encode().hex() in text}


@pytest.mark.rotating
@pytest.mark.settings(**{**CHANNELS, **RATES, "channel_email": PLAIN})
async def test_no_code_is_anywhere_else(
    ada: Person, services: Services, dispatcher: Dispatcher, capfd: Any, monkeypatch: pytest.MonkeyPatch
):
    await ada.rest("PUT", "/verifications/protection", json={"enabled": True, "allowedPrefixes": []})
    await ada.rest("GET", "/events")
    codes: dict[str, str] = {}
    for number in range(COUNT):
        by_mail = number % 10 == 0
        to = f"a{number}@example.com" if by_mail else f"+1415555{number:04d}"
        answer = await start(ada, to, channel="email" if by_mail else "sms", length=8, domain=None)
        codes[answer["id"]] = ""
    await dispatcher.drain("sms")
    await dispatcher.drain("email")
    # The box of the mails has no codes: by it nobody could check this.
    assert all(MASK * 8 in each.message.body and each.message.hidden is None for each in box("plain").outbox)
    assert len(box("plain").outbox) == COUNT // 10
    numbers = {each.message.to: re.findall("[0-9]{8}", each.message.body)[0] for each in sent()}
    for row in await services.db.fetch('SELECT id, "to" FROM verifications WHERE channel = $1', "sms"):
        if row["to"] in numbers:
            codes[str(row["id"])] = numbers[row["to"]]
    entered = {id: code for id, code in codes.items() if code}
    assert len(entered) > 90
    opened = set(entered.values())
    for number, (id, code) in enumerate(entered.items()):
        if number % 3 == 0:
            assert (await check(ada, id, code))["status"] == "approved"
        elif number % 3 == 1:
            document = "mutation($id:ID!,$code:String!){checkVerification(id:$id,input:{code:$code}){status}}"
            assert (await ada.data(document, {"id": id, "code": code}))["checkVerification"][
                "status"
            ] == "approved"
    shown = [
        (await ada.rest("GET", "/verifications", params={"limit": 100})).text,
        (await ada.rest("GET", "/messages", params={"limit": 100})).text,
        (await ada.rest("GET", "/events", params={"first": 1000, "types": EVENTS})).text,
        orjson.dumps(
            await ada.data("{verifications{nodes{uuid messageIds}} messages{nodes{body}}}")
        ).decode(),
    ]
    logged = "".join(capfd.readouterr())
    assert not found(opened, await stored(services))
    assert not found(opened, await in_redis(services))
    assert not found(opened, "\n".join(shown))
    assert not found(opened, logged)
    assert "verification.started" in shown[2]
    recorded = "SELECT count(*) FROM events WHERE type = 'verification.approved'"
    assert await services.db.fetchval(recorded) == sum(number % 3 < 2 for number in range(len(entered)))


def test_a_code_would_be_found():
    code = f"{secrets.randbelow(10**8):08d}"
    for text in (f'{{"code":"{code}"}}', f"is {code}.", f"@a.test #{code}", code.encode().hex()):
        assert found({code}, text) == {code}
    assert not found({code}, f"1{code}") and not found({code}, f"ab{code}-0000")


@pytest.mark.settings(channel_sms=SANDBOX, send_attempts=2)
async def test_a_provider_that_repeats_the_text(
    ada: Person, services: Services, dispatcher: Dispatcher, drain: Any, monkeypatch: pytest.MonkeyPatch
):
    """Its words are stored with the message, as every attempt's are."""
    results = iter([Result.transient, Result.refused])
    bodies = []

    async def send(self: Any, batch: Any) -> list[Outcome]:
        result = next(results)
        bodies.extend(message.body for message in batch)
        return [Outcome(result, code="rejected", reason=f"no: {message.body}") for message in batch]

    monkeypatch.setattr(SandboxChannel, "send", send)
    await start(ada, length=8)
    await drain("sms")
    await services.db.fetch("UPDATE messages SET due_at = now()")
    await drain("sms")
    row = await services.db.fetchrow(
        "SELECT state, failure_reason, failed_attempts::text AS attempts FROM messages"
    )
    code = re.findall("[0-9]{8}", bodies[0])[0]
    assert len(bodies) == 2 and code in bodies[1]
    assert row["state"] == "failed" and f"is {MASK * 8}." in row["failure_reason"]
    assert not found({code}, await stored(services))


@pytest.mark.settings(**CHANNELS, **RATES)
async def test_a_settled_verification_has_no_code(ada: Person, services: Services):
    ids = [(await start(ada, purpose=purpose))["id"] for purpose in "abc"]
    await ada.rest("POST", f"/verifications/{ids[0]}/cancel")
    rows = await services.db.fetch("SELECT id FROM verification_codes ORDER BY id")
    assert [str(row["id"]) for row in rows] == ids[1:]


async def test_a_lost_key_refuses_the_message(
    ada: Person, database: str, dispatcher: Dispatcher, services: Services
):
    await start(ada)
    connection = await asyncpg.connect(database)
    await connection.execute("UPDATE verification_codes SET code_encrypted = '\\x02'")
    await connection.close()
    await dispatcher.drain("sms")
    row = await services.db.fetchrow("SELECT state, failure_code FROM messages")
    assert tuple(row) == ("failed", "verification_settled")
