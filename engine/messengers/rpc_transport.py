"""Exchanges calls and answers about running accounts through Redis: keys, channels, encryption and the subscriber.

    messengers:wake             channel: an account's id; a process that may hold the account reads its row
    messengers:to:HOLDER        channel: a call's id; the holder's process takes the call
    messengers:call:ID          a sealed call, until a process takes it or its time is over
    messengers:for:ASKER        channel: a call's id; its answer is ready
    messengers:answer:ID        a sealed answer, for a minute

The channels carry ids alone. A call is stored under a key that is taken once (GETDEL): so it runs once, a call whose
caller has given up does not run any more, and a caller can tell a call that no process took from one that may have run.
An answer is only read, so it is still there if its announcement was lost. Calls and answers are encrypted with AES-GCM
under a key of ours: a reader of Redis sees no codes or passwords, and forged calls are rejected.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import orjson
import redis.asyncio as redis
import structlog
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from core.json_text import instant
from core.store import DOWN, watched
from core.subscriber import Subscriber
from messengers.port import (
    Broken,
    CodeInvalid,
    Lost,
    MessengerError,
    PasswordInvalid,
    Refused,
    Restricted,
    Throttled,
    Uncertain,
    Unreachable,
    Unsupported,
    WrongStep,
)
from runtime.services import Services
from shapes.messenger_accounts import AccountState

log = structlog.get_logger("postern.messengers")

WAKE: Final = "messengers:wake"
MAX_BYTES: Final = 96 * 2**20  # of one call or answer: 64 MiB of media as base64, and room

LARGE: Final = (
    2**20
)  # larger values are sealed and opened in a thread, because leases are renewed on the loop

GRACE_MS: Final = 5000
"""Milliseconds that a call's key outlives the call, so that the caller can tell that no process took it. In this time
no process starts the call."""

_NONCE = 12


def call_channel(holder: object) -> str:
    """Returns the channel on which a holder hears of calls."""
    return f"messengers:to:{holder}"


def answer_channel(asker: object) -> str:
    """Returns the channel on which a caller hears of answers."""
    return f"messengers:for:{asker}"


def call_key(id: str) -> str:
    """Returns the key of a sealed call."""
    return f"messengers:call:{id}"


def answer_key(id: str) -> str:
    """Returns the key of a sealed answer."""
    return f"messengers:answer:{id}"


class CallCipher:
    """Encrypts calls and answers. `associated_data` binds a value to a call's id and its addressee.

    `encrypt_async` and `decrypt_async` do the same in a thread where the value is large.
    """

    def __init__(self, *keys: bytes) -> None:
        """`keys`: at least 32 bytes each. The first one encrypts; all of them decrypt, so that processes with different
        newest keys understand each other during a rotation."""
        self._ciphers = [AESGCM(key[:32]) for key in keys]

    def encrypt(self, value: Mapping[str, Any], associated_data: str) -> bytes:
        """Encrypts a value. Only who names the same `associated_data` can decrypt it."""
        nonce = os.urandom(_NONCE)
        plain = orjson.dumps(value, option=orjson.OPT_UTC_Z)
        return nonce + self._ciphers[0].encrypt(nonce, plain, associated_data.encode())

    def decrypt(self, sealed: bytes, associated_data: str) -> dict[str, Any] | None:
        """Decrypts a value. Returns None if it was not encrypted by us with this `associated_data`."""
        for cipher in self._ciphers:
            with suppress(InvalidTag, ValueError):
                plain = cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], associated_data.encode())
                value: dict[str, Any] = orjson.loads(plain)
                return value
        return None

    async def encrypt_async(self, value: Mapping[str, Any], associated_data: str) -> bytes:
        if _text_size(value) < LARGE:
            return self.encrypt(value, associated_data)
        return await asyncio.to_thread(self.encrypt, value, associated_data)

    async def decrypt_async(self, sealed: bytes, associated_data: str) -> dict[str, Any] | None:
        if len(sealed) < LARGE:
            return self.decrypt(sealed, associated_data)
        return await asyncio.to_thread(self.decrypt, sealed, associated_data)


def call_cipher(services: Services) -> CallCipher:
    """Makes the cipher of all calls and answers of this installation."""
    return CallCipher(*services.keys("messengers.calls"))


def _text_size(value: Any) -> int:
    """Returns the characters of all texts in a value."""
    if isinstance(value, Mapping):
        return sum(map(_text_size, value.values()))
    if isinstance(value, (list, tuple)):
        return sum(map(_text_size, value))
    return len(value) if isinstance(value, str) else 0


def redis_client(services: Services) -> "redis.Redis":
    """Makes a Redis client with timeouts long enough for media. The caller closes it."""
    url = services.settings.redis_url
    assert url is not None
    pool = redis.BlockingConnectionPool.from_url(
        url.get_secret_value(),
        socket_connect_timeout=0.5,
        socket_timeout=10.0,
        retry=Retry(NoBackoff(), 1),
        max_connections=20,
        timeout=5.0,
        health_check_interval=0,
        **watched(url.get_secret_value()),
    )
    return redis.Redis.from_pool(pool)


def subscriber(client: "redis.Redis", handlers: Mapping[str, Callable[[bytes], None]]) -> Subscriber[bytes]:
    """Makes a subscriber that passes the messages of each channel to its handler. The caller opens and closes it."""
    by_name = {name.encode(): handler for name, handler in handlers.items()}
    return Subscriber(client, lambda name, data: by_name[name](data), channels=by_name)


async def none_if_down(answer: Awaitable[Any], seconds: float = 2.0) -> Any:
    """Returns the awaited answer, or None while Redis is away or it takes longer than `seconds`."""
    with suppress(*DOWN):
        async with asyncio.timeout(seconds):
            return await answer
    return None


def pack_error(error: BaseException) -> dict[str, Any]:
    """Packs an error for another process. An error that is no MessengerError is a bug, and its content is not passed
    on."""
    if not isinstance(error, MessengerError):
        return {"kind": "Lost" if isinstance(error, Lost) else "Bug"}
    packed: dict[str, Any] = {"kind": _kind(error), "reason": error.reason, "code": error.code}
    if isinstance(error, CodeInvalid):
        packed["attempts_left"] = error.attempts_left
    if isinstance(error, WrongStep) and error.state is not None:
        packed["state"] = error.state.value
    if isinstance(error, Restricted) and error.until is not None:
        packed["until"] = instant(error.until)
    if isinstance(error, Throttled):
        # No time: the other machine may have another clock.
        packed["seconds"] = (error.until - datetime.now(UTC)).total_seconds()
    return packed


_KINDS: dict[str, type[MessengerError]] = {
    kind.__name__: kind
    for kind in (
        PasswordInvalid,
        CodeInvalid,
        WrongStep,
        Throttled,
        Refused,
        Unreachable,
        Uncertain,
        Unsupported,
        Broken,
        Restricted,
        MessengerError,
    )
}


def _kind(error: MessengerError) -> str:
    """Returns the name of the port's class; a driver's own subclass is passed on as its base."""
    return next(name for name, kind in _KINDS.items() if isinstance(error, kind))


def unpack_error(packed: Mapping[str, Any]) -> MessengerError | None:
    """Returns the error, or None for `Lost` or a bug."""
    kind = _KINDS.get(str(packed.get("kind")))
    if kind is None:
        return None
    reason, code = str(packed.get("reason")), str(packed.get("code"))
    if issubclass(kind, CodeInvalid):
        error: MessengerError = kind(reason, attempts_left=packed.get("attempts_left"))
        error.code = code
        return error
    if kind is WrongStep:
        state = packed.get("state")
        return WrongStep(reason, code=code, state=None if state is None else AccountState(str(state)))
    if kind is Throttled:
        return Throttled(reason, until=datetime.now(UTC) + timedelta(seconds=float(packed["seconds"])))
    if kind is Restricted:
        until = packed.get("until")
        return Restricted(reason, code=code, until=datetime.fromisoformat(str(until)) if until else None)
    return kind(reason, code=code)
