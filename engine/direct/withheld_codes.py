"""Codes of verifications, which are for the recipient of a message alone.

The stored text of a message has a mask in the code's position. The sealed code is opened when the message is handed
over, so a text with it is in the memory of the sending process alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from core.vault import Sealed, Vault
from runtime.services import Services
from shapes.verifications import MASK, METADATA_KEY

CONTEXT: Final = "verification_codes.code"
"""The vault's context of a sealed code, before the id of its verification."""

# A user may send any metadata: only messages that the verification names get its code, and the steps of those.
_CODES: Final = """
SELECT n.message_id, v.id, v.length, c.code_encrypted
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS n (message_id, named, id)
JOIN verifications AS v ON v.id = n.id AND n.named = ANY(v.message_ids)
LEFT JOIN verification_codes AS c ON c.id = v.id
"""


@dataclass(frozen=True, slots=True)
class MessageCode:
    """The code of a message."""

    mask: str
    value: str | None  # None: the verification is settled, or no key opens it

    def revealed(self, text: str) -> str:
        """Returns the text with the code."""
        return text if self.value is None else text.replace(self.mask, self.value)

    def hidden(self, text: str | None) -> str | None:
        """Returns a text, such as what a provider says, without the code."""
        return text if self.value is None or text is None else text.replace(self.value, self.mask)


NO_CODES: Final[Mapping[UUID, MessageCode]] = {}


async def codes_of(services: Services, rows: Sequence[Any]) -> Mapping[UUID, MessageCode]:
    """Returns the codes of claimed messages by their ids. A batch without codes asks nothing of the database."""
    asked = [
        (row["id"], row["chain_id"] or row["id"], id)
        for row in rows
        if METADATA_KEY in row["metadata"] and (id := _uuid(row["metadata"][METADATA_KEY])) is not None
    ]
    if not asked:
        return NO_CODES
    opened: dict[UUID, MessageCode] = {}
    for row in await services.db.fetch(_CODES, *map(list, zip(*asked, strict=True))):
        encrypted = row["code_encrypted"]
        value = None if encrypted is None else opened_code(services.vault, row["id"], encrypted)
        opened[row["message_id"]] = MessageCode(MASK * row["length"], value)
    return opened


def _uuid(value: Any) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None


def opened_code(vault: Vault, id: UUID, code_encrypted: bytes) -> str | None:
    """Returns the code of a verification; None if no key opens it."""
    try:
        return vault.open(code_encrypted, f"{CONTEXT}:{id}")
    except Sealed:
        return None
