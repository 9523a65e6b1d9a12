"""Ends the verifications whose codes were not entered in time."""

from typing import Final

from engine.jobs import every
from runtime.services import Services

_BITE: Final = 1000  # rows per statement
_SECONDS: Final = 5.0
_EXPIRE: Final = """
WITH picked AS (
  SELECT id FROM verifications WHERE status = 'pending' AND expires_at <= now()
  ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
), gone AS (DELETE FROM verification_codes AS c USING picked WHERE c.id = picked.id)
UPDATE verifications AS v SET status = 'expired', settled_at = now() FROM picked WHERE v.id = picked.id
RETURNING v.id
"""


@every(
    _SECONDS,
    due="EXISTS (SELECT FROM verifications WHERE status = 'pending' AND expires_at <= now())",
)
async def expire(services: Services) -> None:
    """Ends all verifications whose time is over."""
    while len(await services.db.fetch(_EXPIRE, _BITE)) == _BITE:
        pass
