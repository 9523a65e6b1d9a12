"""Mails links with which people set a new password, by the installation's own email routes, free of charge.

The link is made of the row's id and a signature, so the token is stored nowhere. A row of an unknown address is made
and dropped like any other: neither the answer nor its time tells whether an address is that of a user.
"""

from typing import Any
from uuid import UUID

from engine.jobs import JobName, every, job
from engine.users import mails, undos
from engine.users.row_tokens import RowTokens
from runtime import links
from runtime.services import Services

MINUTES = 30
"""A link is valid for so long."""

TOKENS = RowTokens("password resets", 24)

# While an address is kept after a change of the email, links go there alone, whichever address asked.
_CLAIM = f"""
UPDATE password_resets AS r SET attempts = r.attempts + 1, tried_at = now()
FROM users AS u
WHERE r.id = $1 AND u.id = r.user_id AND u.status = 'active' AND u.token_version = r.token_version
  AND r.sent_at IS NULL AND r.used_at IS NULL AND r.expires_at > now() AND r.attempts < $2
  AND (r.tried_at IS NULL OR r.tried_at < now() - $3::interval)
RETURNING COALESCE(({undos.FORMER_EMAIL}), u.email) AS email, u.locale, r.attempts
"""  # noqa: S608  our own condition
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


@job(JobName.mail_password)
async def mail(services: Services, id: UUID) -> None:
    """Hands the mail of a row to the first email route that takes it."""
    row: Any = await services.db.fetchrow(_CLAIM, id, mails.MOST_TRIES, mails.PAUSE)
    if row is None:
        return  # the address is unknown, or the mail is sent, used, or being tried
    base = links.base(services.settings)
    subject, text = _TEXTS.get((row["locale"] or "en").partition("-")[0], _TEXTS["en"])
    link = f"{base}/console/password#{TOKENS.token(services, id)}"  # no log has the part behind the `#`
    body = text.format(email=row["email"], host=base.partition("://")[2], minutes=MINUTES, link=link)
    if await mails.hand_over(services, id, row["attempts"], row["email"], subject, body):
        await services.db.fetchval(_SENT, id)


@every(10.0)
async def retry_mails(services: Services) -> None:
    """Queues anew the mails that no route has taken, or whose worker has died."""
    await mails.retry(services, _LEFT, JobName.mail_password)
