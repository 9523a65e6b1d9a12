"""The baseline of HTTP: an aiohttp loop that posts the same bodies with the same headers, and reads the answers.

`python -m bench.wire.bare_http URL COUNT CONNECTIONS KIND`, where KIND is `message` (what the driver `post` sends) or
`webhook`. It sends a tenth of COUNT to warm up, then COUNT requests, and prints JSON: `messages`, `seconds`, and `cpu`
(processor seconds of this process), both without the start and the warm-up.
"""

import asyncio
import base64
import hashlib
import hmac
import sys
import time
from collections.abc import Callable

import aiohttp
import orjson

from bench.wire.samples import event
from core.ids import uuid7

_SECRET = b"s" * 32
_HEADERS = {"User-Agent": "Postern", "Accept": "application/json", "Content-Type": "application/json"}


def message(number: int) -> tuple[bytes, dict[str, str]]:
    """Returns body and headers as the driver `post` makes them."""
    id = str(uuid7())
    body = {
        "id": id, "key": id, "channel": "sms", "to": f"+1415{number:07}",
        "body": f"Hello Name {number}, your code is {number}.", "subject": None, "html": None, "replyTo": None,
        "metadata": {},
    }  # fmt: skip
    return orjson.dumps(body), {**_HEADERS, "Idempotency-Key": id}


def webhook(number: int) -> tuple[bytes, dict[str, str]]:
    """Returns body and headers of an event, signed as Standard Webhooks says."""
    id, now = str(uuid7()), str(int(time.time()))
    body = orjson.dumps({**event(number), "id": id, "type": "message", "at": "2026-01-01T00:00:00.000Z"})
    digest = hmac.digest(_SECRET, f"{id}.{now}.".encode() + body, hashlib.sha256)
    signed = {
        "webhook-id": id,
        "webhook-timestamp": now,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }
    return body, {**_HEADERS, **signed}


KINDS: dict[str, Callable[[int], tuple[bytes, dict[str, str]]]] = {"message": message, "webhook": webhook}


async def send(session: aiohttp.ClientSession, url: str, count: int, at_once: int, kind: str) -> None:
    numbers = iter(range(count))
    make = KINDS[kind]

    async def post() -> None:
        for number in numbers:
            body, headers = make(number)
            async with session.post(url, data=body, headers=headers, allow_redirects=False) as answer:
                assert answer.status == 200
                orjson.loads(await answer.read())

    await asyncio.gather(*(post() for _ in range(at_once)))


async def main(url: str, count: int, connections: int, kind: str) -> None:
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=connections), cookie_jar=aiohttp.DummyCookieJar()
    ) as session:
        await send(session, url, -(-count // 10), connections, kind)
        begun, worked = time.perf_counter(), time.process_time()
        await send(session, url, count, connections, kind)
        report = {
            "messages": count,
            "seconds": time.perf_counter() - begun,
            "cpu": time.process_time() - worked,
        }
    print(orjson.dumps(report).decode())


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
