"""Mails links with which people set a new password, by the installation's own email routes; nobody pays for them.

The link is made of the row's id and a signature, so the token is stored nowhere. A row of an address that nobody has is
made and dropped like any other: neither the answer nor its time tells whether an address is that of a user.
"""

import base64
import hashlib
import hmac
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog

from channels.port import Outgoing, Result
from engine.domains.senders import senders_of
from engine.jobs import JobName, enqueue, every, job
from runtime import links
from runtime.services import Services

log = structlog.get_logger("postern.engine")

MINUTES = 30
"""A link is valid for so long."""

_PURPOSE = "password resets"
_MOST = 5  # tries to hand a mail over
_PAUSE = timedelta(seconds=20)  # between two tries
_SIGNATURE_BYTES = 24

_CLAIM = """
UPDATE password_resets AS r SET attempts = r.attempts + 1, tried_at = now()
FROM users AS u
WHERE r.id = $1 AND u.id = r.user_id AND u.status = 'active' AND u.token_version = r.token_version
  AND r.sent_at IS NULL AND r.used_at IS NULL AND r.expires_at > now() AND r.attempts < $2
  AND (r.tried_at IS NULL OR r.tried_at < now() - $3::interval)
RETURNING u.email, u.locale, r.attempts
"""
_SENT = "UPDATE password_resets SET sent_at = now() WHERE id = $1 RETURNING true"
_LEFT = """
SELECT id FROM password_resets
WHERE user_id IS NOT NULL AND sent_at IS NULL AND used_at IS NULL AND expires_at > now() AND attempts < $1
  AND coalesce(tried_at, created_at) < now() - $2::interval
ORDER BY created_at LIMIT 100
"""
_ENGLISH = """Somebody asked for a new password for {email} at {host}.

If it was you, set it here within {minutes} minutes:
{link}

This ends all your logins. If it was somebody else, ignore this mail: your password has not changed.
"""
_RUSSIAN = """Для {email} на {host} запрошен новый пароль.

Если это вы, задайте его здесь в течение {minutes} минут:
{link}

Все ваши сеансы завершатся. Если это не вы, ничего не делайте: пароль не изменился.
"""
_TEXTS = {"en": ("Set a new password", _ENGLISH), "ru": ("Новый пароль", _RUSSIAN)}


def token_of(key: bytes, id: UUID) -> str:
    """Returns the token of a row, which its link carries."""
    return base64.urlsafe_b64encode(id.bytes + _signature(key, id)).decode().rstrip("=")


def row_of(services: Services, token: str) -> UUID | None:
    """Returns the id of the row that a token is of, or None if none of our keys has signed it."""
    try:
        data = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except ValueError:
        return None
    if len(data) != 16 + _SIGNATURE_BYTES:
        return None
    id = UUID(bytes=data[:16])
    fits = [hmac.compare_digest(_signature(key, id), data[16:]) for key in services.keys(_PURPOSE)]
    return id if any(fits) else None


def _signature(key: bytes, id: UUID) -> bytes:
    return hmac.digest(key, id.bytes, hashlib.sha256)[:_SIGNATURE_BYTES]


def is_available(services: Services) -> bool:
    """Returns whether a person can get such a mail: by a route that is not the sandbox, with a link to this service."""
    return services.settings.public_url is not None and services.routes.real("email")


@job(JobName.mail_password)
async def mail(services: Services, id: UUID) -> None:
    """Hands the mail of a row to the first email route that takes it."""
    row: Any = await services.db.fetchrow(_CLAIM, id, _MOST, _PAUSE)
    if row is None:
        return  # nobody has the address, or it is sent, used, or being tried
    base = links.base(services.settings)
    subject, text = _TEXTS.get((row["locale"] or "en").partition("-")[0], _TEXTS["en"])
    senders = await senders_of(services).load()
    link = f"{base}/console/password#{token_of(services.key(_PURPOSE), id)}"  # no log has what stands behind the `#`
    body = text.format(email=row["email"], host=base.partition("://")[2], minutes=MINUTES, link=link)
    outgoing = Outgoing(
        id=id,
        key=f"password-{id}-{row['attempts']}",
        to=row["email"],
        body=body,
        subject=subject,
        headers={"Auto-Submitted": "auto-generated"},
        signers=senders.of_default,
    )
    for route in services.routes.of("email"):
        if services.routes.is_off(route):
            continue
        (outcome,) = await route.send([outgoing])
        if outcome.result in (Result.sent, Result.delivered, Result.unknown):
            await services.db.fetchval(_SENT, id)
            return
        log.warning(
            "password mail not sent",
            route=services.routes.name(route),
            code=outcome.code,
            attempt=row["attempts"],
        )


@every(10.0)
async def retry_mails(services: Services) -> None:
    """Queues the mails anew that no route has taken, or whose worker has died."""
    if not is_available(services):
        return
    async with services.db.transaction() as connection:
        for row in await connection.fetch(_LEFT, _MOST, _PAUSE):
            await enqueue(connection, JobName.mail_password, row["id"], unless_queued=True)
