"""One attempt to send a message through an account, for engine/sending/once.py."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import orjson

from channels.port import Outcome, Result
from core.errors import AppError, BadRequest, Conflict, UpstreamTimeout
from core.storable_text import storable
from engine.address_hashes import address_hasher
from engine.messengers import call_client, media, restrictions
from engine.messengers.media import Reservation, Source
from engine.messengers.outcomes import outcome_of
from engine.messengers.send_results import (
    Sent,
    forget,
    refused,
    store,
    store_accepted,
    store_failure,
    store_not_done,
    store_uncertain,
    uncertain,
)
from engine.messengers.states import visible_state, wrong_state
from engine.sending.judge import Policy, State, Verdict
from messengers.port import Restricted
from runtime.database_errors import translate
from runtime.services import Services
from shapes.addresses import address_key
from shapes.messenger_accounts import AccountState

ASK_SECONDS = 30.0
ASK_SECONDS_MEDIA = 90.0
STALE = timedelta(seconds=ASK_SECONDS_MEDIA + 30)  # a caller this old has died

WITH_KEY = Policy(tries=1, backoff=lambda tries: 0.0)
"""A message that was surely not sent is kept for the next request under its key."""
WITHOUT_KEY = Policy(tries=1, backoff=lambda tries: 0.0, once=True)
"""A message that was surely not sent is forgotten."""

# Each branch has its own index: an account may have a hundred thousand chats, and this runs for each message.
_CHAT = """
SELECT id, thread, phone, username, user_id FROM (
  SELECT id, thread, phone, username, user_id, 0 AS rank, last_at FROM messenger_chats
  WHERE account_id = $1 AND thread = $2
  UNION ALL
  SELECT id, thread, phone, username, user_id, 1, last_at FROM messenger_chats WHERE account_id = $1 AND phone = $2
  UNION ALL
  SELECT id, thread, phone, username, user_id, 2, last_at FROM messenger_chats WHERE account_id = $1 AND user_id = $2
  UNION ALL
  SELECT id, thread, phone, username, user_id, 1, last_at FROM messenger_chats
  WHERE account_id = $1 AND lower(username) = lower(substr($2, 2)) AND kind = 'user' AND $2 LIKE '@%'
) AS c ORDER BY rank, last_at DESC NULLS LAST LIMIT 1
"""
_REPLY = "SELECT thread, provider_id FROM messenger_messages WHERE id = $1 AND account_id = $2"
# A person who is being erased is known by addresses, and by the threads of their chats. An index tells both.
_IS_BEING_ERASED = """(EXISTS (
    SELECT FROM erasure_addresses WHERE owner_id = {owner} AND address_hash = ANY({hashes}::text[]))
  OR EXISTS (SELECT FROM erasure_addresses WHERE owner_id = {owner} AND address_hash IS NULL AND kind = 'thread'
    AND address = ANY({keys}::text[]))
  OR {hashes}::text[] && ARRAY[''] AND EXISTS (
    SELECT FROM erasure_addresses WHERE owner_id = {owner} AND address_hash IS NOT NULL))"""
_SELECT_IS_BEING_ERASED = f"SELECT {_IS_BEING_ERASED.format(owner='$1', keys='$2', hashes='$3')}"
_INSERT = f"""
INSERT INTO messenger_messages (id, account_id, chat_id, thread, key, request_hash, record_id, outgoing, sender,
  recipient, text, content, reply_to, details, at, asked_at)
SELECT $1, $2, $3, $4, $5, $6, $7, true, $8, $9, $10, $11::text::jsonb, $12, $13::text::jsonb, now(), now()
WHERE NOT {_IS_BEING_ERASED.format(owner="$14", keys="$15", hashes="$16")}
ON CONFLICT (account_id, key) WHERE key IS NOT NULL DO NOTHING RETURNING id
"""
# Of concurrent retries only one gets the row.
_AGAIN = f"""
UPDATE messenger_messages SET asked_at = now(), status = 'pending', failure_code = NULL, failure_reason = NULL
WHERE id = $1 AND provider_id IS NULL AND (
  asked_at < now() - $2::interval OR failure_code IN ('uncertain', 'unknown', 'messenger_unavailable', 'flood_wait')
) AND NOT {_IS_BEING_ERASED.format(owner="$3", keys="$4", hashes="$5")} RETURNING id
"""  # noqa: S608  our own words


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message that is to be sent."""

    to: str  # a phone (E.164), a `@username`, or a thread
    text: str = ""
    media: tuple[Source, ...] = ()
    reply_to: UUID | None = None  # an item
    template: Mapping[str, Any] | None = None
    requested_to: str | None = None  # the recipient as the caller named it, if `to` was looked up from it

    def request_hash(self) -> str:
        """Returns the hash by which a repeated request is recognized."""
        files = [source.fingerprint for source in self.media]
        content = [self.requested_to or self.to, self.text, files, str(self.reply_to), self.template]
        return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _check_working(account: Any) -> None:
    """Raises Conflict `wrong_state` if the account can't send."""
    # a wanted account without a holder is about to start
    leased = account["held"] and account["state"] != AccountState.stopped
    state = visible_state(account["state"], wanted=account["wanted"], leased=leased)
    if state is not AccountState.working:
        raise wrong_state(state)


@dataclass(slots=True)
class Request:
    """A request to send: the account, the message, and the message's files once they are loaded."""

    services: Services
    account: Any
    message: NewMessage
    hash: str
    reservation: Reservation
    loaded: list[media.Loaded] | None = None
    quoted_id: str | None = None  # the messenger's id of the quoted message
    admit: Callable[[Any], Awaitable[None]] | None = None
    """Counts the recipient in the transaction of the intent, or raises; None: the caller has no limit."""

    async def load(self) -> None:
        """Loads the files. Every refusal happens here, before anything is stored."""
        if self.loaded is not None:
            return
        _check_working(self.account)  # checked first, to fetch nothing that can't be sent
        if self.message.reply_to is not None:
            row = await self.services.db.fetchrow(_REPLY, self.message.reply_to, self.account["id"])
            if row is None or row["provider_id"] is None:
                raise BadRequest(
                    "replyTo must be the item of a message of this account that the messenger has received. Check"
                    " the item.",
                    code="reply_not_found",
                )
            self.quoted_id = row["provider_id"]
        try:
            await restrictions.check(self.services.db, self.account["id"], self.message.to)
        except Restricted as error:
            raise call_client.app_error(error) from error
        self.loaded = await media.load(
            self.services, self.account["owner_id"], self.message.media, self.reservation
        )

    async def write_intent(self, statement: str, *arguments: Any) -> Any:
        """Runs a statement that records an intent. Raises what `admit` raises."""
        if self.admit is None:
            return await self.services.db.fetchval(statement, *arguments)
        async with self.services.db.transaction() as connection:
            await self.admit(connection)
            return await connection.fetchval(statement, *arguments)

    async def chat(self) -> Any:
        """Returns the chat with the recipient as it is known, or None."""
        return await self.services.db.fetchrow(_CHAT, self.account["id"], self.message.to)

    async def check_not_erased(self, about: Sequence[Any]) -> None:
        """Raises BadRequest (`recipient_blocked`) if the recipient is being erased; `about` is of `erasable`."""
        if await self.services.db.fetchval(_SELECT_IS_BEING_ERASED, *about):
            raise BadRequest(
                "This recipient is being erased, and gets nothing until that is done.",
                code="recipient_blocked",
            )

    async def erasable(self, chat: Any) -> tuple[UUID, list[str], list[str]]:
        """Returns the parameters of `_IS_BEING_ERASED`: the owner, and the names by which an erasure may know the
        recipient, plain and hashed. If there is no key of hashes, the only hash is "", which stands for anybody.
        """
        keys = [address_key(self.message.to)]
        if chat is not None:
            username = chat["username"] and f"@{chat['username']}"
            names = (chat["phone"], username, chat["user_id"], chat["thread"])
            keys += [name for name in names if name]
        hasher = await address_hasher(self.services)
        return self.account["owner_id"], keys, [hash or "" for hash in hasher.hashes(keys)]

    def arguments(self, item: UUID) -> dict[str, Any]:
        """Returns the arguments of the `send` call, once: the loaded bytes are released, since they go on as base64."""
        loaded, self.loaded = self.loaded or [], None
        return {
            "item": str(item),
            "to": self.message.to,
            "text": storable(self.message.text) or "",
            "media": [file.as_argument() for file in loaded],
            "reply_to": self.quoted_id,
            "template": self.message.template,
        }


class _Attempt:
    """Asks the account and stores the result; see engine/sending/once.py."""

    uncertain = False

    def __init__(self, request: Request, item: UUID, policy: Policy) -> None:
        self.request, self.item, self.policy = request, item, policy
        self._answer: Mapping[str, Any] = {}
        self._error: AppError | None = None

    async def ask(self) -> Outcome:
        services, account_id = self.request.services, self.request.account["id"]
        seconds = ASK_SECONDS_MEDIA if self.request.loaded else ASK_SECONDS
        try:
            self._answer = await call_client.ask(
                services, account_id, "send", self.request.arguments(self.item), seconds=seconds
            )
        except AppError as error:
            self._error = error
            return outcome_of(error)
        return Outcome(Result.sent)

    async def store(self, outcome: Outcome, verdict: Verdict) -> Sent:
        """Stores the verdict. An echo may have stored that the messenger has accepted the message; that stands."""
        services, account_id = self.request.services, self.request.account["id"]
        error = self._error
        if error is None:
            return await self._store_accepted()
        if verdict.state is State.unknown:
            await store_uncertain(services, self.item, error)
            if isinstance(error, UpstreamTimeout):
                raise uncertain(self.item, error) from error
        elif verdict.state is State.queued and not isinstance(error, Conflict):  # the account does not work
            await store_not_done(services, self.item, error)
        elif outcome.result is Result.refused and outcome.asked:
            row = await store_failure(services, account_id, self.item, error.code, error.message)
            failure = {"id": self.item, "failure_code": error.code, "failure_reason": error.message}
            raise refused(row or failure) from error
        else:
            await forget(services, self.item)
        raise error

    async def _store_accepted(self) -> Sent:
        request = self.request
        try:
            return await store(
                lambda: store_accepted(
                    request.services, request.account["id"], self.item, request.message.to, self._answer
                )
            )
        except Exception as error:
            if translate(error) is None:
                raise
            # The messenger has accepted it: its echo will settle the row.
            raise uncertain(self.item) from error


class FirstAttempt(_Attempt):
    """The first attempt to send a message."""

    def __init__(
        self, request: Request, item: UUID, policy: Policy, key: str | None, record_id: UUID | None
    ) -> None:
        super().__init__(request, item, policy)
        self.key, self.record_id = key, record_id

    async def record_intent(self) -> bool:
        request, account = self.request, self.request.account
        chat = await request.chat()
        about = await request.erasable(chat)
        template = request.message.template
        inserted = await request.write_intent(
            _INSERT,
            self.item,
            account["id"],
            chat and chat["id"],
            chat and chat["thread"],
            self.key,
            request.hash,
            self.record_id,
            account["connected_phone"],
            request.message.to,
            storable(request.message.text) or "",
            orjson.dumps([file.as_content() for file in request.loaded or ()]).decode(),
            request.quoted_id,
            None if template is None else orjson.dumps({"template": template}).decode(),
            *about,
        )
        if inserted is None:
            await request.check_not_erased(about)
        return inserted is not None


class NextAttempt(_Attempt):
    """An attempt under the key of an earlier one."""

    def __init__(self, request: Request, item: UUID, *, uncertain: bool) -> None:
        super().__init__(request, item, WITH_KEY)
        self.uncertain = uncertain

    async def record_intent(self) -> bool:
        request = self.request
        # A message that may have been sent is asked for, even if its recipient is being erased: the erasure waits for
        # it.
        about: tuple[UUID, list[str], list[str]] = (request.account["owner_id"], [], [])
        if not self.uncertain:
            about = await request.erasable(await request.chat())
        again = await request.write_intent(_AGAIN, self.item, STALE, *about)
        if again is None:
            await request.check_not_erased(about)
        return again is not None
