"""Events about contacts, which are written in the statements of the change.

An event has the id of the contact, its external id and the parts that have changed, and no value of them: a reader who
needs one reads the contact, which may have changed again. So a million rows of an import are a million small events,
and the feed keeps no deleted data of a person.
"""

from typing import Any
from uuid import UUID

import orjson

from engine.contacts.matching import Person

_INTO = "INSERT INTO event_inbox (owner_id, type, subject, subject_id, data)"
_LISTENS = "EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = {owner} AND f.recording)"
_DELETED = f"""
{_INTO}
SELECT $1::uuid, 'contact.deleted', 'contact', $2::uuid, $3::text::jsonb WHERE {_LISTENS.format(owner="$1::uuid")}
"""


def recording(type: str, owner: str) -> str:
    """Returns the SQL that records an event of each row of `n (id, external_id, parts)`, if the owner has a feed.

    Nothing is recorded of a contact that is as it was before. `owner` is the parameter of the owner's id.
    """
    return f"""{_INTO}
  SELECT {owner}, '{type}', 'contact', n.id,
    jsonb_build_object('uuid', n.id, 'externalId', n.external_id, 'parts', n.parts::jsonb)
  FROM n WHERE n.parts <> '[]' AND {_LISTENS.format(owner=owner)}"""  # noqa: S608  our own words


def parts_of(person: Person) -> str:
    """Returns the parts that have changed, as `recording` takes them."""
    return orjson.dumps(person.parts()).decode()


async def record_deleted(connection: Any, owner_id: UUID, person: Person, into: UUID | None = None) -> None:
    """Records that a contact is gone; `into` is the contact that it was merged into."""
    merged_into = None if into is None else str(into)
    data = {"uuid": str(person.id), "externalId": person.external_id, "mergedIntoUuid": merged_into}
    await connection.execute(_DELETED, owner_id, person.id, orjson.dumps(data).decode())
