"""Emails that mail programs submit by SMTP (doors/smtp): logging in, one recipient, and the whole mail.

A mail is one message for each recipient, as `messages.send` would have made it by the same checks, and its octets, all
in one transaction: either all of its messages are written, or none is.
"""

import hashlib
from collections.abc import Sequence
from email.utils import format_datetime
from typing import Any, Final, NamedTuple

from cachetools import TTLCache

from core.errors import AppError, BadRequest, Unauthenticated, ValidationFailed
from core.ids import uuid7
from core.rate_limits import WIDER, Limit, refused
from core.tokens import API_TOKEN_PREFIX, digest
from db.address_keys import key_of
from engine import blocks
from engine.address_hashes import address_hasher
from engine.direct import submitted_mails
from engine.direct.new_messages import NewMessage
from engine.domains import approval
from resolvers.message_batches import batch_writing
from resolvers.message_batches.batch import OPERATION, STORED_MESSAGE, Batch
from resolvers.messages import admission
from resolvers.messages.message_queue import account_busy, replay_of, with_charge, written
from resolvers.recipient_addresses import email
from resolvers.submissions.content import ReadMail, read
from resolvers.submissions.single import KEY_LIFETIME, SingleMail, SingleMails
from runtime.idempotency import Attempt
from runtime.operation import Op, operation, require
from runtime.permissions import Permission
from runtime.viewers import Viewer
from shapes.addresses import address_key
from shapes.message_batches import BatchMessage
from shapes.messages import MessageCategory, MessageChannel, SendMessage

MOST_RECIPIENTS: Final = 100

_REMEMBERED: Final = 600.0  # seconds for which a process knows that a token was right
_MOST_REMEMBERED: Final = 10_000
_TRANSACTIONAL: Final = f"'{MessageCategory.transactional.value}'"
_IS_BLOCKED: Final = f"""
SELECT {blocks.IS_BLOCKED_SINGLY.format(owner="$1", key=key_of("$2::text"), category=_TRANSACTIONAL)}
  OR {blocks.IS_ERASED.format(owner="$1", hash="$3::text", category=_TRANSACTIONAL)}
"""
_KEEP_LONGER: Final = """
UPDATE idempotency_keys SET expires_at = now() + $3 WHERE user_id = $1 AND operation = 'messages.send' AND key = ANY($2)
"""


class Submission(NamedTuple):
    """A mail with its recipients, as they were accepted one by one."""

    raw: bytes
    recipients: Sequence[str]


class Submitted(NamedTuple):
    """The messages of a mail: how many are new, and how many it had when it was submitted before."""

    new: int
    again: int


class _Remembered:
    """The tokens that were right, with the addresses that they came from."""

    def __init__(self) -> None:
        self.logins: TTLCache[bytes, bool] = TTLCache(_MOST_REMEMBERED, _REMEMBERED)


@operation(Permission.public, "outside")
async def log_in(op: Op, token: str) -> Viewer:
    """Returns the caller of an API token that may send messages. Wrong tokens count for the client's address, as logins
    do; a right one does not, and one that was right within ten minutes is never refused for others' failures.

    Raises Unauthenticated, Forbidden, RateLimited.
    """
    remembered = op.services.single(_Remembered, _Remembered).logins
    login = digest(f"{token} {op.ctx.client_address}")
    networks = [*zip(op.ctx.client_networks, WIDER, strict=False)]
    limit = Limit.parse("smtp-login", op.services.settings.limit_login)
    limits = [(Limit(limit.name, limit.count * times, limit.seconds), network) for network, times in networks]
    if login not in remembered:
        for each, network in limits:
            drawn = await op.services.limiter.draw(each, network, need=0, want=0)
            if drawn.remaining < 1:
                raise refused(each, "logins", each.seconds / each.count)
    try:
        if not token.startswith(API_TOKEN_PREFIX):
            raise Unauthenticated("The password must be an API token.", code="invalid_token")
        viewer = await op.ctx.identified(f"Bearer {token}")
    except Unauthenticated:
        for each, network in limits:
            await op.services.limiter.draw(each, network, need=1, want=1)
        raise
    require(viewer, Permission.messages_send)
    remembered[login] = True
    return viewer


@operation(Permission.messages_send, "read")
async def check(op: Op, address: str) -> str:
    """Returns a recipient's address in its one spelling.

    Raises BadRequest (`invalid_recipient`, `recipient_blocked`).
    """
    to = email(address)
    hashed = (await address_hasher(op.services)).hash(to)
    if await op.db.fetchval(_IS_BLOCKED, op.viewer.id, address_key(to), hashed):
        raise BadRequest(
            "This recipient is blocked. If the recipient agrees, unblock it with POST /block/unblock/{phone}.",
            code="recipient_blocked",
        )
    return to


class _Prepared(NamedTuple):
    mail: ReadMail
    keys: Sequence[str]
    batch: Batch


async def _prepare(op: Op, submission: Submission) -> _Prepared:
    if not 1 <= len(submission.recipients) <= MOST_RECIPIENTS:
        raise ValidationFailed([f"a mail must have 1 to {MOST_RECIPIENTS} recipients"])
    mail = read(submission.raw)
    keys = [_key(op.viewer, mail, to) for to in submission.recipients]
    items = [
        BatchMessage.model_validate({**_input(mail, to), "key": key})
        for to, key in zip(submission.recipients, keys, strict=True)
    ]
    batch = Batch(op, items)
    try:
        await batch.check()
        payers = {new.owner_id for new in batch.waiting.values()}
        if mail.sender is not None:
            for owner_id in payers:
                await approval.require(op.services, op.db, owner_id, MessageChannel.email, mail.sender)
    except AppError:
        await batch.give_back_all()
        raise
    await batch.require_all()
    return _Prepared(mail, keys, batch)


@operation(Permission.messages_send, "sql", before=_prepare)
async def submit(op: Op, submission: Submission) -> Submitted:
    """Charges the account and queues a mail to each of its recipients, all in one transaction, or nothing. A mail that
    was submitted within five days is not sent again.

    Raises BadRequest (`bad_mail`, `bad_sender`, `sender_not_approved`, a blocked recipient), NotFound, Forbidden,
    PaymentRequired, RateLimited, Conflict, Unprocessable.
    """
    mail, keys, batch = op.prepared
    new = [*batch.waiting.values()]
    if not new:
        return Submitted(0, len(keys))
    mail_id = uuid7()
    for message in new:
        message.message.metadata[submitted_mails.NAME] = str(mail_id)
    await batch_writing.write(op, batch, all_or_nothing=True)
    # The same mail may have been submitted by another connection meanwhile: then its messages are that one's.
    ids = batch.written()
    if ids:
        await submitted_mails.store(op.connection, mail_id, new[0].owner_id, ids, _content(op, mail))
        await op.connection.execute(_KEEP_LONGER, op.viewer.id, keys, KEY_LIFETIME)
    return Submitted(len(ids), len(keys) - len(ids))


class _Single(NamedTuple):
    mail: ReadMail
    payer: Any
    message: NewMessage
    attempt: Attempt


async def _admit(op: Op, submission: Submission) -> _Single:
    mail = read(submission.raw)
    (to,) = submission.recipients
    input = SendMessage.model_validate(_input(mail, to))
    payer = await admission.paying(op, input.account_id)
    origin = await admission.approved(op, op.db, payer, input)
    if mail.sender is not None:
        await approval.require(op.services, op.db, payer.owner_id, MessageChannel.email, mail.sender)
    await admission.within_limit(op, payer)
    attempt = Attempt(STORED_MESSAGE, op.viewer.id, OPERATION, _key(op.viewer, mail, to), {"input": input})
    return _Single(mail, payer, admission.new_message(op, input, origin), attempt)


@operation(Permission.messages_send, "joined", before=_admit)
async def submit_single(op: Op, submission: Submission) -> Submitted:
    """Does what `submit` does for a mail with one recipient, together with other mails of its account.

    Raises what `submit` raises.
    """
    mail, payer, message, attempt = op.prepared
    mail_id = uuid7()
    message.metadata[submitted_mails.NAME] = str(mail_id)
    new = await with_charge(op, payer, message, attempt)
    mails = op.services.single(SingleMails, lambda: SingleMails(op.db), SingleMails.close)
    with account_busy():
        queued = await mails.add(SingleMail(mail_id, new, _content(op, mail)))
    if queued.row is None and replay_of(new, queued) is not None:
        return Submitted(0, 1)
    written(op, new, queued)
    return Submitted(1, 0)


def is_single(viewer: Viewer, submission: Submission) -> bool:
    """Returns whether `submit_single` may take a mail: its recipient need not be counted for an approval."""
    return len(submission.recipients) == 1 and not viewer.reach


def _input(mail: ReadMail, to: str) -> dict[str, Any]:
    return {
        "to": to,
        "channel": MessageChannel.email,
        "body": mail.text,
        "metadata": {"subject": mail.subject},
        "accountId": mail.account_id,
        "category": mail.category,
        "from": mail.from_address,
    }


def _key(viewer: Viewer, mail: ReadMail, to: str) -> str:
    """Returns the key under which a mail to a recipient is sent once."""
    who = viewer.token_id or viewer.limited_by or viewer.actor_id
    whole = b"\0".join((who.bytes, mail.name, address_key(to).encode()))
    return f"smtp:{hashlib.sha256(whole).hexdigest()}"


def _content(op: Op, mail: ReadMail) -> bytes:
    """Returns the mail as it goes out. A Date and a Message-ID are added if it has none (RFC 6409 §8)."""
    head, body = mail.content
    missing = b""
    if not mail.has_date:
        missing += f"Date: {format_datetime(op.services.db.now())}\r\n".encode()
    if not mail.has_message_id:
        domain = mail.from_address.rpartition("@")[2]
        missing += f"Message-ID: <{uuid7()}@{domain}>\r\n".encode()
    return missing + head + b"\r\n\r\n" + body


__all__ = ["Submission", "Submitted", "check", "is_single", "log_in", "submit", "submit_single"]
