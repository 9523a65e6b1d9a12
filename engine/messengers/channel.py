"""The channel through which a project's message leaves by a messenger account.

The key of a hand-over becomes the key of `sending.send`, so that a second hand-over under it finds the first one's
message, whatever driver the account has.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

import structlog

from channels.batch import each
from channels.port import Event, HookRequest, Outcome, Outgoing, Result, Sink
from core.errors import AppError
from engine.messengers import sending
from engine.messengers.attempts import NewMessage
from engine.messengers.media import Source
from engine.messengers.outcomes import UNAVAILABLE_SECONDS, outcome_of
from runtime.database_errors import translate
from runtime.routes import MESSENGER
from runtime.services import Services
from shapes.chats import ChatMessageStatus, ContentKind

log = structlog.get_logger("postern.messengers")

AT_ONCE = 32
"""Messages that one worker sends at once through messenger accounts, over all accounts."""

# The columns that `sending.send` reads: the session alone may have megabytes.
_ACCOUNT = """
SELECT a.id, a.owner_id, a.driver, a.state, a.wanted, a.connected_phone, a.created_at,
  EXISTS (SELECT FROM messenger_holds AS h WHERE h.account_id = a.id AND h.expires_at > now()) AS held
FROM messenger_accounts AS a WHERE a.id = $1 AND a.deleted_at IS NULL
"""
_RESULTS = {ChatMessageStatus.delivered: Result.delivered, ChatMessageStatus.has_seen: Result.delivered}


class MessengerChannel:
    """Sends through messenger accounts.

    `metadata`: `messenger_account` (uuid), `handed_at` if the message may have been sent before, `files` (of the
    owner) and `template` next to the text, and `test` for a message of no project.
    """

    name: ClassVar[str] = MESSENGER
    batch = AT_ONCE
    idempotent = True
    reports_delivery = True

    def __init__(self, services: Services) -> None:
        self._services = services

    def target(self) -> None:
        """Returns None: each account has its own server."""

    async def open(self, sink: Sink) -> None:
        """Does nothing: the host keeps the accounts connected (engine/messengers/host.py)."""

    async def close(self) -> None: ...

    def hook(self, request: HookRequest) -> list[Event]:
        return []

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        return await each(self._send, batch)

    async def _send(self, message: Outgoing) -> Outcome:
        try:
            return await self._send_through_account(message)
        except AppError as error:
            return outcome_of(error)
        except Exception as error:
            # The account was not called yet: `sending.send` itself reports when a message may have been sent.
            if (translated := translate(error)) is None:
                raise
            return outcome_of(translated)

    async def _send_through_account(self, message: Outgoing) -> Outcome:
        account = await self._services.db.fetchrow(_ACCOUNT, UUID(message.metadata["messenger_account"]))
        if account is None:
            reason = "The account that should send this message was deleted."
            return Outcome(
                Result.throttled,
                code="sender_gone",
                reason=reason,
                retry_after=UNAVAILABLE_SECONDS,
                asked=False,
            )
        handed = message.metadata.get("handed_at")
        if handed is not None and account["created_at"] > handed:
            reason = (
                "This message may have been sent through an account that was deleted, and a new account has"
                " the same name. Ask the recipient before you send it again."
            )
            return Outcome(Result.unknown, code="sender_gone", reason=reason)
        sent = await sending.send(
            self._services,
            account,
            NewMessage(
                message.to,
                message.body,
                tuple(_source(file) for file in message.metadata.get("files", ())),
                template=message.metadata.get("template"),
            ),
            key=message.key,
            record_id=None if message.metadata.get("test") else message.id,
        )
        return Outcome(_RESULTS.get(sent.status, Result.sent), str(sent.item))


def _source(file: Mapping[str, Any]) -> Source:
    kind = {"image": ContentKind.image, "video": ContentKind.video, "audio": ContentKind.audio}
    return Source(
        kind.get(file["mime"].partition("/")[0], ContentKind.file), f"file:{file['id']}", file["name"]
    )


def messenger_route(services: Services) -> MessengerChannel:
    """Returns the route through messenger accounts of this process."""
    return services.single(MessengerChannel, lambda: MessengerChannel(services), MessengerChannel.close)
