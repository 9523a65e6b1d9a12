"""Calls an account from any process, in the process that holds it (contract §4); and the errors that callers see."""

import asyncio
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, Protocol
from uuid import UUID, uuid4

import structlog

from core.errors import (
    AppError,
    BadRequest,
    Conflict,
    NotFound,
    RateLimited,
    RedisFull,
    TooLarge,
    Unavailable,
    Unprocessable,
    UpstreamFailed,
    UpstreamTimeout,
)
from core.json_text import instant
from core.store import DOWN, is_full
from engine.messengers import restrictions
from engine.messengers.rpc_transport import (
    GRACE_MS,
    LARGE,
    MAX_BYTES,
    WAKE,
    answer_channel,
    answer_key,
    call_channel,
    call_cipher,
    call_key,
    none_if_down,
    redis_client,
    subscriber,
    unpack_error,
)
from engine.messengers.states import INACTIVE, NEXT, visible_state, wrong_state
from messengers.port import (
    Broken,
    CodeInvalid,
    MessengerError,
    PasswordInvalid,
    Refused,
    Restricted,
    Throttled,
    Uncertain,
    Unsupported,
    WrongStep,
)
from runtime.database_errors import translate
from runtime.services import Services
from shapes.messenger_accounts import AccountState

log = structlog.get_logger("postern.messengers")

Call = Literal[
    "shown",  # {} → {value, expires_at, state}: the current QR or pairing code
    "code",  # {code} → {}
    "password",  # {password} → {}
    "me",  # {} → Person
    "person",  # {to} → Person | None
    "send",  # {item, to, text, media: [{kind, data (base64), mime, name}], reply_to, template} → Sent
    "history",  # they are stored before the call returns
    "act",  # shown and repeated until `seconds` are over, a message is sent, or `none`
    "read",  # {thread, provider_id}
    "fetch",  # {thread, provider_id, index} → {kind, data (base64), mime, name}
    "probe",  # {} → {state, checked_at}
]
_LONGEST = 120.0  # seconds that a call may take
_LOOK_SECONDS = 2.0  # how often a waiting caller checks whether the holder still lives
_UNHEARD_SECONDS = 5.0  # seconds: a holder may be reconnecting to Redis

_HOLDER = """
SELECT a.state, a.wanted AND u.status = 'active' AS wanted, h.holder, h.fence FROM messenger_accounts AS a
JOIN users AS u ON u.id = a.owner_id
LEFT JOIN messenger_holds AS h ON h.account_id = a.id AND h.expires_at > now()
WHERE a.id = $1 AND (a.deleted_at IS NULL OR h.holder IS NOT NULL)
"""


class LocalAccount(Protocol):
    """An account that this process runs."""

    @property
    def state(self) -> str: ...

    async def answer(self, call: str, arguments: dict[str, Any], seconds: float) -> Any:
        """Returns plain JSON values. Raises MessengerError and nothing else, within the given seconds."""


class LocalHost(Protocol):
    """The accounts that this process runs."""

    def runner_of(self, account_id: UUID) -> LocalAccount | None: ...

    def woken(self, account_id: UUID) -> None: ...

    def resume(self) -> None: ...


@dataclass
class _Local:
    """The host of this process, while it runs."""

    host: LocalHost | None = None


def _local(services: Services) -> _Local:
    return services.single(_Local, _Local)


UNAVAILABLE = "The messenger can't be reached; nothing was done. Try again in a moment."
UNCERTAIN = (
    "The messenger did not answer, so the result of this request is unknown. Check the chat"
    " before you try again."
)


def register_host(services: Services, host: LocalHost) -> None:
    """Registers this process's host."""
    _local(services).host = host


def unregister_host(services: Services, host: LocalHost) -> None:
    """Removes this process's host."""
    if (local := _local(services)).host is host:
        local.host = None


def host_of(services: Services) -> LocalHost | None:
    """Returns this process's host, while it runs."""
    return _local(services).host


async def ask(
    services: Services,
    account_id: UUID,
    call: Call,
    arguments: dict[str, Any] | None = None,
    *,
    seconds: float = 30.0,
) -> Any:
    """Calls the account's connection. Returns plain JSON values (dataclasses as objects, times as ISO 8601).

    Raises Conflict `wrong_state` (no process holds the account, or its state does not allow the call; the message
    names the state and the next step), BadRequest `code_invalid` | `password_invalid` (details: attemptsLeft),
    RateLimited `flood_wait` (details: until), Unprocessable `refused`-like codes, Unavailable
    `messenger_unavailable` (surely not executed), UpstreamTimeout `uncertain` (it may have been executed),
    TooLarge, NotFound.
    """
    client = _client(services)
    until = time.monotonic() + min(seconds, _LONGEST)
    arguments = arguments or {}
    silent_since: float | None = None
    while True:
        host = _local(services).host
        if host is not None and (account := host.runner_of(account_id)) is not None:
            return await _call_local(account, call, arguments, until - time.monotonic())
        row = await _holder(services, account_id)
        if row is None:
            raise NotFound(
                "There is no messenger account with this source and login among yours. Check both.",
                code="account_not_found",
            )
        # an inactive account may still have a lease that is being given back
        if row["holder"] is None or row["state"] in INACTIVE:
            raise wrong_state(visible_state(row["state"], wanted=row["wanted"], leased=False))
        try:
            return await client.ask(account_id, row, call, arguments, until)
        except _NotTaken:  # the holder has changed, or is not listening at the moment
            silent_since = silent_since or time.monotonic()
            if time.monotonic() > min(until, silent_since + _UNHEARD_SECONDS):
                raise unavailable() from None
        await asyncio.sleep(0.2)


async def _holder(services: Services, account_id: UUID) -> Any:
    """Returns the account's holder. Raises Unavailable: without the database no process can be called."""
    try:
        return await services.db.fetchrow(_HOLDER, account_id)
    except Exception as error:
        if translate(error) is None:
            raise
        raise unavailable(
            "The database can't be reached; nothing was done. Try again in a moment."
        ) from error


async def wake(services: Services, account_id: UUID) -> None:
    """Tells every host to read the account's row now. Never fails."""
    if (host := _local(services).host) is not None:
        host.woken(account_id)
    redis = services.store
    await none_if_down(redis.attempt(lambda client: client.publish(WAKE, account_id.bytes), None))


async def _call_local(account: LocalAccount, call: Call, arguments: dict[str, Any], seconds: float) -> Any:
    try:
        return await account.answer(call, arguments, seconds)
    except MessengerError as error:
        raise app_error(error, account.state) from error


def _client(services: Services) -> "_RpcClient":
    return services.single(_RpcClient, lambda: _RpcClient(services), _RpcClient.close)


class _NotTaken(Exception):
    """The call was surely not executed; another attempt may find the new holder."""


class _RpcClient:
    """The calling side of a process, with one subscription on which answers are announced."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._caller_id = uuid4()
        self._client = redis_client(services)
        self._cipher = call_cipher(services)
        self._waiting: dict[str, asyncio.Event] = {}
        self._subscriber = subscriber(self._client, {answer_channel(self._caller_id): self._on_answer})

    def _on_answer(self, id: bytes) -> None:
        if (event := self._waiting.get(id.decode(errors="replace"))) is not None:
            event.set()

    async def close(self) -> None:
        await self._subscriber.close()
        await self._client.aclose()

    async def ask(
        self, account_id: UUID, row: Any, call: Call, arguments: dict[str, Any], until: float
    ) -> Any:
        """Sends a call to the holder and waits for its answer. Raises _NotTaken, and as `ask` does."""
        id, holder = uuid4().hex, row["holder"]
        request = {
            "account": str(account_id),
            "call": call,
            "arguments": arguments,
            "asker": str(self._caller_id),
            "at": self._services.db.now().timestamp(),
        }
        sealed = await self._cipher.encrypt_async(request, f"call:{id}:{holder}")
        if len(sealed) > MAX_BYTES:
            raise TooLarge(
                "The files of one message may have 64 MiB in all. Send fewer or smaller files.",
                code="too_large",
            )
        self._subscriber.open()
        answered = self._waiting[id] = asyncio.Event()
        try:
            milliseconds = max(1, int((until - time.monotonic()) * 1000))
            try:
                async with asyncio.timeout_at(_loop_time(until)):
                    await self._client.set(call_key(id), sealed, px=milliseconds + GRACE_MS)
            except DOWN as error:  # the call was not announced yet
                if is_full(error):
                    raise RedisFull from error
                raise unavailable(
                    "Redis can't be reached; nothing was done. Try again in a moment."
                ) from error
            listeners = await none_if_down(self._client.publish(call_channel(holder), id))
            if listeners == 0 and await self._withdraw(id):
                raise _NotTaken
            return await self._answer(id, account_id, row, call, answered, until)
        finally:
            del self._waiting[id]

    async def _answer(
        self, id: str, account_id: UUID, row: Any, call: Call, answered: asyncio.Event, until: float
    ) -> Any:
        checked_at = time.monotonic()
        holder_gone = False
        while True:
            left = until - time.monotonic()
            if not holder_gone and left > 0:
                try:
                    async with asyncio.timeout(min(1.0, left)):
                        await answered.wait()
                except TimeoutError:
                    pass
            # Checked without an announcement too: it may have been lost with a connection.
            sealed = await none_if_down(self._client.get(answer_key(id)), 10.0 if answered.is_set() else 2.0)
            if sealed is not None:
                if len(sealed) >= LARGE:  # smaller answers expire by themselves within a minute
                    await none_if_down(self._client.unlink(answer_key(id)))
                return await self._read_answer(id, sealed, row["state"])
            if holder_gone or time.monotonic() >= until:
                break
            answered.clear()
            if time.monotonic() - checked_at >= _LOOK_SECONDS:
                checked_at = time.monotonic()
                if not await self._has_lease(account_id, row):
                    if await self._withdraw(id):
                        raise _NotTaken
                    holder_gone = True  # one more round, for an answer that the holder left behind
        if await self._withdraw(id):
            raise unavailable(
                "The worker that runs this account does not answer; nothing was done. Try again in a moment."
            )
        if call == "send":
            raise uncertain()
        if holder_gone:
            raise unavailable(
                "The worker that ran this account has stopped, and another one takes over. Try again in a moment."
            )
        raise UpstreamTimeout(
            "The messenger did not answer in time and may still carry out the request. Check its result"
            " before you try again.",
            code="uncertain",
        )

    async def _has_lease(self, account_id: UUID, row: Any) -> bool:
        """Returns whether the same process still holds the account. Returns True while the database is away."""
        try:
            current = await self._services.db.fetchrow(_HOLDER, account_id)
        except Exception:  # the deadline ends the wait
            return True
        return current is not None and (current["holder"], current["fence"]) == (row["holder"], row["fence"])

    async def _withdraw(self, id: str) -> bool:
        """Deletes the call. Returns True if no process had taken it: then it was surely not executed."""
        return await none_if_down(self._client.getdel(call_key(id))) is not None

    async def _read_answer(self, id: str, sealed: bytes, state: str) -> Any:
        answer = await self._cipher.decrypt_async(sealed, f"answer:{id}:{self._caller_id}")
        if answer is None:
            log.error("an answer in Redis is not one of ours; does somebody else write there?")
            raise uncertain()
        if answer.get("moved"):
            raise _NotTaken
        if "error" not in answer:
            return answer.get("value")
        error = unpack_error(answer["error"])
        if error is None:
            raise unavailable("The worker that runs this account has failed. Try again in a moment.")
        raise app_error(error, answer.get("state", state))


def _loop_time(monotonic: float) -> float:
    return asyncio.get_running_loop().time() + max(0.0, monotonic - time.monotonic())


def uncertain() -> UpstreamTimeout:
    """Returns the error for a call whose result is unknown."""
    return UpstreamTimeout(UNCERTAIN, code="uncertain")


def unavailable(message: str = UNAVAILABLE) -> Unavailable:
    """Returns the error for a call that was certainly not executed."""
    return Unavailable(message, code="messenger_unavailable")


def app_error(error: MessengerError, state: str | None = None) -> AppError:
    """Translates a driver's error. `state` is the account's, for the sentence about the next step, unless the error has
    one."""
    details: dict[str, Any] = {}
    match error:
        case WrongStep():
            if (state := error.state or state) is None:
                return Conflict(error.reason, code="wrong_state")
            account_state = AccountState(state)
            return Conflict(
                f"{error.reason} The account is {account_state.value}. {NEXT[account_state]}",
                code="wrong_state",
                details={"state": account_state.value, "next": NEXT[account_state]},
            )
        case CodeInvalid():
            if error.attempts_left is not None:
                details["attemptsLeft"] = error.attempts_left
            if isinstance(error, PasswordInvalid):
                return BadRequest(error.reason, code="password_invalid", details=details)
            return BadRequest(error.reason, code="code_invalid", details=details)
        case Throttled():
            seconds = max(1, int((error.until - datetime.now(UTC)).total_seconds()) + 1)
            return RateLimited(
                error.reason,
                code="flood_wait",
                details={"until": instant(error.until), "retryAfter": seconds},
                headers={"Retry-After": str(seconds)},
            )
        case Uncertain():
            return UpstreamTimeout(error.reason, code="uncertain")
        case Restricted():
            return Unprocessable(
                error.reason, code=error.code, details={**details, **restrictions.details(error.until)}
            )
        case Broken():
            return UpstreamFailed(error.reason, code="driver_failed")
        case Unsupported() | Refused():
            return Unprocessable(error.reason, code=error.code)
        case _:  # Unreachable, and a driver's own subclasses
            return Unavailable(error.reason, code=error.code)
