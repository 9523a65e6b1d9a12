"""Mails users the changes of their data: after their own change with a link that undoes it, after an administrator's
without. Mails persons their invitations.
"""

from collections.abc import Sequence
from datetime import UTC
from typing import Any
from uuid import UUID

from core.ids import uuid7
from core.json_text import amount_text
from engine.jobs import JobName, enqueue, every, job
from engine.users import invitations, mails, undos
from engine.users.invitations import InvitationKind
from engine.users.texts import undo_words
from runtime import links
from runtime.services import Services

_ADD = """
INSERT INTO user_notices (id, user_id, email, changes, undo_id, approval_id, statement_id, invitation, invited_by)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""
_CLAIM = f"""
UPDATE user_notices AS n SET attempts = n.attempts + 1, tried_at = now()
FROM users AS u LEFT JOIN user_undos AS o ON o.user_id = u.id AND {undos.IS_LIVE}
WHERE n.id = $1 AND u.id = n.user_id AND n.sent_at IS NULL AND n.attempts < $2
  AND (n.tried_at IS NULL OR n.tried_at < now() - $3::interval) AND (n.undo_id IS NULL OR n.undo_id = o.id)
RETURNING n.id, n.user_id, n.email, n.changes, n.undo_id, n.approval_id, n.statement_id, n.invitation, n.attempts,
  o.expires_at,
  (SELECT i.email FROM users AS i WHERE i.id = n.invited_by) AS inviter,
  COALESCE(u.locale, (SELECT i.locale FROM users AS i WHERE i.id = n.invited_by)) AS locale
"""  # noqa: S608  our own condition
_ASKED = """
SELECT p.name, l.number, u.email AS asker FROM project_approvals AS a JOIN project_plans AS l ON l.id = a.plan_id
JOIN sending_projects AS p ON p.id = a.project_id LEFT JOIN users AS u ON u.id = a.asked_by WHERE a.id = $1
"""
_STATEMENT = """
SELECT s.account_id, s.month, s.currency, s.opening_balance, s.closing_balance, a.name FROM statements AS s
JOIN accounts AS a ON a.id = s.account_id AND a.owner_id = $2 WHERE s.id = $1
"""
_SENT = "UPDATE user_notices SET sent_at = now() WHERE id = $1 RETURNING true"
_LEFT = f"""
SELECT id FROM user_notices
WHERE sent_at IS NULL AND attempts < $1 AND coalesce(tried_at, created_at) < now() - $2::interval
  AND created_at > now() - interval '{undos.HOURS} hours'
ORDER BY created_at LIMIT 100
"""  # noqa: S608  our own number


async def add(
    services: Services,
    connection: Any,
    user_id: UUID,
    email: str,
    changes: Sequence[str],
    undo_id: UUID | None = None,
    approval_id: UUID | None = None,
    statement_id: UUID | None = None,
) -> None:
    """Has the changes of a user mailed to an address, if this installation can mail.

    `changes` are keys of `UndoWords.changes`. With `undo_id` the mail has the link of this row of user_undos, with
    `approval_id` it asks the user for a decision, with `statement_id` it tells of a statement.
    """
    if mails.is_available(services):
        await _add(connection, user_id, email, changes, undo_id, approval_id, statement_id, None, None)


async def invite(
    services: Services, connection: Any, kind: InvitationKind, user_id: UUID, email: str, inviter: UUID
) -> str:
    """Has an invitation mailed; the installation must be able to mail. Returns its secret, whose hash the caller
    stores.
    """
    id = await _add(connection, user_id, email, [], None, None, None, kind.value, inviter)
    return invitations.secret(services, kind, id)


async def _add(connection: Any, *values: Any) -> UUID:
    id = uuid7()
    await connection.execute(_ADD, id, *values)
    await enqueue(connection, JobName.mail_notice, id)
    return id


@job(JobName.mail_notice)
async def mail(services: Services, id: UUID) -> None:
    """Hands the mail of a row to the first email route that takes it."""
    row: Any = await services.db.fetchrow(_CLAIM, id, mails.MOST_TRIES, mails.PAUSE)
    if row is None:
        return  # it is sent, or being tried, or its change was undone
    base, words = links.base(services.settings), undo_words(row["locale"])
    values = {"email": row["email"], "host": base.partition("://")[2]}
    if row["invitation"] is not None:
        invited = await invitations.values(services, row, base)
        if invited is None:
            return
        subject, text = invitations.text(words, InvitationKind(row["invitation"]))
        values |= invited
    elif row["approval_id"] is not None:
        asked = await services.db.fetchrow(_ASKED, row["approval_id"])
        if asked is None:
            return  # its project is deleted
        subject, text = words.approval_subject, words.approval
        values |= {"name": asked["name"], "number": str(asked["number"]), "asker": asked["asker"] or "API"}
        values["link"] = f"{base}/console/approvals/{row['approval_id']}"
    elif row["statement_id"] is not None:
        statement = await services.db.fetchrow(_STATEMENT, row["statement_id"], row["user_id"])
        if statement is None:
            return  # the account has another owner now
        subject, text = words.statement_subject, words.statement
        month = f"{statement['month']:%Y-%m}"
        values |= {name: str(statement[name]) for name in ("name", "currency")}
        values |= {name: amount_text(statement[name]) for name in ("opening_balance", "closing_balance")}
        values |= {
            "month": month,
            "link": f"{base}/console/accounts/{statement['account_id']}/statements/{month}",
        }
        subject = subject.format(**values)
    elif row["undo_id"] is None:
        subject, text = words.by_admin_subject, words.by_admin
        values["changes"] = "\n".join(f"- {words.changes[change]}" for change in row["changes"])
    else:
        is_deleted = "deleted" in row["changes"]
        subject = words.deleted_subject if is_deleted else words.email_subject
        text = words.deleted if is_deleted else words.email
        values["until"] = f"{row['expires_at'].astimezone(UTC):%Y-%m-%d %H:%M}"
        values["link"] = f"{base}/undo/{undos.TOKENS.token(services, row['undo_id'])}"
    if await mails.hand_over(services, id, row["attempts"], row["email"], subject, text.format(**values)):
        await services.db.fetchval(_SENT, id)


@every(10.0)
async def retry_mails(services: Services) -> None:
    """Queues again the mails that no route has taken, or whose worker has died."""
    await mails.retry(services, _LEFT, JobName.mail_notice)
