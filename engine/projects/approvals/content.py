"""The content of a project: everything that its messages depend on, as a plan names it and a start compares it.

    content     what will be sent: texts, files, sender, payer, times, rate, and the audience
    limits      the highest cost, and the most recipients: no start compares them, the sending obeys them
    languages   how many recipients get the text in each language, when the plan was made; no start compares it, since
                the digest of a list covers it, and an audience of topics may grow
    document    all of it, with the version of this format; its hash is that of its canonical JSON (RFC 8785)

Blocks, withdrawals and erasures are not content: they take people away. Prices are none either: the limit of the
cost is.
"""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import rfc8785

from engine.clicks.links import IS_COUNTED
from engine.projects import contact_audience
from engine.projects.approvals import digests
from engine.texts import project_texts

FORMAT: Final = 1
_LARGEST: Final = 2**53 - 1  # of the integers that canonical JSON can tell apart
_PROJECT = f"""
SELECT {IS_COUNTED.format(project="p")} AS counts_clicks, owner_id, account_id, account_uuids,
  channel, category, subject, html, text, variants, template, languages, start_at,
  start_within_seconds, "window", speed, retry, on_missing_variable, stop_on_reply, from_address, sender, audience,
  audience_segments, audience_read_at, started_at, attachment_uuids, (
    SELECT COALESCE(jsonb_agg(jsonb_build_object('name', f.name, 'sha256', f.sha256, 'bytes', f.size) ORDER BY u.place),
      '[]')
    FROM unnest(p.attachment_uuids) WITH ORDINALITY AS u (id, place) LEFT JOIN files AS f ON f.id = u.id
  ) AS attachments
FROM sending_projects AS p WHERE id = $1
"""  # noqa: S608  our own condition

_FOLLOWED_LISTS = """
WITH RECURSIVE followed (id, place) AS (
  SELECT follows_uuid, 1 FROM sending_projects WHERE id = $1
  UNION ALL
  SELECT p.follows_uuid, f.place + 1 FROM followed AS f JOIN sending_projects AS p ON p.id = f.id WHERE f.place < 10
)
SELECT p.id FROM followed AS f JOIN sending_projects AS p ON p.id = f.id WHERE p.audience IS NULL ORDER BY f.place
"""


async def content_of(
    connection: Any,
    project: UUID,
    *,
    at: datetime | None,
    digest: digests.Digest | None = None,
    has_plan: bool = False,
) -> dict[str, Any]:
    """Returns the content of a project as it is now.

    `at`: the time of the start, if it is asked for now: a `startAt` that has passed is none. None: the scheduler asks,
    when it has come. `digest`: that of the recipients; None: as the statements have left it, which
    `has_plan` makes cheap (digests.py).
    """
    row = await connection.fetchrow(_PROJECT, project)
    start = row["start_at"]
    if at is not None and start is not None and start <= at:
        start = None
    return {
        "channel": row["channel"],
        "category": row["category"],
        "subject": row["subject"],
        "text": row["text"],
        "html": row["html"],
        "variants": row["variants"],
        "template": row["template"],
        "attachments": row["attachments"],
        "onMissingVariable": row["on_missing_variable"],
        "stopOnReply": row["stop_on_reply"],
        # Named only where they are counted, so that the hash of every older plan stays.
        **({"trackClicks": True} if row["counts_clicks"] else {}),
        "from": row["from_address"],
        "sender": row["sender"],
        "sourceAccounts": [str(id) for id in row["account_uuids"]],
        "account": str(row["account_id"]),
        "startAt": None if start is None else f"{start.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z",
        "startWithinSeconds": row["start_within_seconds"],
        "window": row["window"],
        "speed": row["speed"],
        "retry": row["retry"],
        "audience": await _audience(connection, project, row, digest, has_plan=has_plan),
        **({} if row["languages"] is None else {"languages": row["languages"]}),
    }


async def _audience(
    connection: Any, project: UUID, row: Any, digest: digests.Digest | None, *, has_plan: bool
) -> dict[str, Any]:
    """Returns the audience: topics and segments by their conditions, recipients by their digest.

    An audience of topics stays so when the start has read it: recipients can only be taken from it then.
    """
    if row["audience"] is None:
        digest = digest or await digests.read(connection, project, has_plan=has_plan)
        # One that is not whole equals none that a plan has named.
        return {
            "recipients": digest.recipients,
            "digest": digest.digest if digest.is_whole else None,
        }
    if (before := contact_audience.followed_by(row["audience"])) is not None:
        # Who is followed is content, too: a list by its digest, and an audience of contacts by its conditions.
        followed = await connection.fetchrow(_PROJECT, before)
        return {
            "definition": row["audience"],
            "followed": followed and await _audience(connection, before, followed, None, has_plan=has_plan),
        }
    asked = row["audience_segments"] or await contact_audience.conditions(
        connection, row["owner_id"], row["audience"]
    )
    return {
        "definition": row["audience"],
        "segments": asked["segments"],
        "except": asked["except"],
        "fields": fields_of(row),
    }


async def count_followed(connection: Any, project: UUID, owner: UUID) -> None:
    """Counts the digests anew of the lists that a project follows, and locks these, if they are not whole."""
    for row in await connection.fetch(_FOLLOWED_LISTS, project):
        await digests.whole(connection, owner, row["id"])


def fields_of(content: Mapping[str, Any]) -> list[str] | None:
    """Returns the names that the texts fill in; None: a text has logic, and may read any."""
    names: set[str] = set()
    for source in project_texts.sources(content):
        of_source = project_texts.plain_names(source)
        if of_source is None:
            return None
        names |= of_source
    if languages := content.get("languages"):
        names.add(languages["localeFrom"])
    return sorted(names)


def document_of(
    content: Mapping[str, Any], limits: Mapping[str, Any], languages: Mapping[str, int] | None
) -> dict[str, Any]:
    """Returns the document of a plan. `languages`: how many recipients get the text in each; None: it has one text."""
    document = {"format": FORMAT, "content": _storable(content), "limits": _storable(limits)}
    return document if languages is None else {**document, "languages": dict(languages)}


def hash_of(document: Mapping[str, Any]) -> str:
    """Returns the SHA-256 of the canonical JSON of a document, in hexadecimal digits."""
    return hashlib.sha256(rfc8785.dumps(_storable(document))).hexdigest()


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Returns the fields in which two contents differ, with both values."""
    old, new = _storable(old), _storable(new)
    return [
        {"field": name, "old": old.get(name), "new": new.get(name)}
        for name in [*new, *(name for name in old if name not in new)]
        if rfc8785.dumps(old.get(name)) != rfc8785.dumps(new.get(name))
    ]


def _storable(value: Any) -> Any:
    """Returns the value with integers as text that canonical JSON, whose numbers are doubles, can't tell apart."""
    if isinstance(value, Mapping):
        return {key: _storable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(part) for part in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _LARGEST:
        return str(value)
    return value
