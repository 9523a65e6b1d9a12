"""The users of the demo who still have its password, which everybody knows."""

from collections.abc import Sequence
from typing import Any

from core.demo import ADMIN, PASSWORD, USER, is_published
from core.passwords import Passwords
from db.session import Database
from runtime.operation import Op
from runtime.origins import at_this_machine

_FIND = """
SELECT id, email, status, password_hash FROM users
WHERE email = ANY($1) AND status IN ('active', 'suspended') AND password_hash IS NOT NULL
ORDER BY email DESC
"""


class DemoUsers:
    """Finds them. It remembers the hashes that it has checked, since a check takes long on purpose."""

    def __init__(self, db: Database, passwords: Passwords) -> None:
        self._db, self._passwords = db, passwords
        self._fits: dict[str, bool] = {}

    async def find(self) -> Sequence[Any]:
        """Returns the id, email, status and password_hash of the demo users who are active or suspended."""
        rows = await self._db.fetch(_FIND, [ADMIN, USER])
        stored = [row.password_hash for row in rows]
        self._fits = {
            each: self._fits[each] if each in self._fits else await self._passwords.verify(each, PASSWORD)
            for each in stored
        }
        return [row for row in rows if self._fits[row.password_hash]]


def may_be_used(op: Op, password: str) -> bool:
    """Returns whether the password opens a login from here: the demo's, which is published, on this machine alone."""
    return not is_published(password) or at_this_machine(op.ctx.connection)
