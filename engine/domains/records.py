"""The DNS records of a domain, as both doors show them and as checks compare them."""

import re
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import asyncpg

from engine.domains import dkim_keys
from engine.domains.clock import verification
from engine.domains.dkim_keys import TxtRecord
from shapes.domains import DkimState, DomainStatus, RecordPurpose, RecordState

_SPACES: Final = re.compile(r"\s+")
_DOMAIN = "SELECT owner_id, name, token, status FROM domains WHERE id = $1"
_WRITE = "UPDATE domains SET records = $2 WHERE id = $1"


def tags(text: str) -> dict[str, str]:
    """Returns the tags of a record such as `v=DKIM1; k=rsa; p=…` (RFC 6376 §3.2)."""
    parts = (part.partition("=") for part in text.split(";"))
    return {name.strip(): _SPACES.sub("", value) for name, equals, value in parts if equals}


def publishes(texts: Sequence[str], public_key: str) -> bool:
    """Returns whether one of a selector's TXT records has this key."""
    return any(tags(text).get("p") == public_key for text in texts)


async def write(connection: asyncpg.Connection, id: UUID) -> None:
    """Writes the records of a domain after a change of its status or its keys."""
    domain = await connection.fetchrow(_DOMAIN, id)
    keys = await dkim_keys.of_owner(connection, domain["owner_id"], domain["name"])
    is_seen = domain["status"] == DomainStatus.verified
    own = verification(domain["name"], domain["token"])
    all_records = [
        _as_dict(RecordPurpose.verification, own, RecordState.active if is_seen else RecordState.pending)
    ]
    for key in keys:
        record = dkim_keys.record(key["domain"], key["selector"], key["algorithm"], key["public_key"])
        state = RecordState(DkimState(key["state"]).value)
        all_records.append(_as_dict(RecordPurpose.dkim, record, state, key["selector"]))
    await connection.execute(_WRITE, id, all_records)


def _as_dict(
    purpose: RecordPurpose, record: TxtRecord, state: RecordState, selector: str | None = None
) -> dict[str, Any]:
    return {
        "purpose": purpose.value,
        "name": record.name,
        "type": "TXT",
        "value": record.value,
        "selector": selector,
        "state": state.value,
    }
