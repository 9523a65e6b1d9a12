"""Has the owner of an account mailed that a statement is there, if a setting of the account says so."""

from typing import Any, Final
from uuid import UUID

from engine.users import notices
from runtime.services import Services

SETTING: Final = "statements.mail"
"""The account's setting that asks for the mails: `true`."""

_OWNER: Final = """
SELECT u.id, u.email FROM users AS u WHERE u.id = $1 AND u.status = 'active' AND EXISTS (
  SELECT FROM settings AS s WHERE s.scope = 'account' AND s.holder_id = $2 AND s.key = $3 AND s.value = 'true'::jsonb
)
"""


async def ask(services: Services, connection: Any, account: Any, statement: UUID) -> None:
    """Queues the mail in the transaction that stores the statement."""
    owner = await connection.fetchrow(_OWNER, account["owner_id"], account["id"], SETTING)
    if owner is not None:
        await notices.add(services, connection, owner["id"], owner["email"], [], statement_id=statement)
