"""The address that a user had before a change of the email, or before the own deletion, is kept for 72 hours.

A user has at most one such row. A second change in this time keeps the oldest address, and keeps it for 72 hours more:
an attacker can't push the owner's address out, and an address that was only mistyped gets no power.
"""

from datetime import timedelta
from typing import Final

from engine.users.row_tokens import RowTokens

HOURS: Final = 72
VALID: Final = timedelta(hours=HOURS)
TOKENS: Final = RowTokens("undo links", 32)

IS_LIVE: Final = "o.used_at IS NULL AND o.expires_at > now()"
"""The SQL condition of a row `user_undos AS o` whose address is still kept."""

FORMER_EMAIL: Final = f"SELECT o.email FROM user_undos AS o WHERE o.user_id = u.id AND {IS_LIVE}"  # noqa: S608
"""The SQL of the kept address of a user `u`; NULL if there is none."""

HOLDER: Final = f"SELECT o.user_id FROM user_undos AS o WHERE o.email = asked.email AND {IS_LIVE} LIMIT 1"  # noqa: S608
"""The SQL of the user whose kept address is `asked.email`."""
