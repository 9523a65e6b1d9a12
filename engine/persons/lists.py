"""Erases the contents of files: lists that were imported, exports, and attachments that went to the person alone.

A file can't be changed, so it is deleted whole and named in the answer. Of a list the rows of other people stay.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

import orjson

from engine import files
from engine.persons.file_search import Unsearchable, has_address
from engine.persons.registry import LINE, PAGE, Person
from runtime.services import Services
from shapes.exports import ExportSource

_LISTS = """
SELECT p.id, p.file_uuid, p.file_name FROM recipient_imports AS p WHERE p.owner_id = $1 AND p.id > $2
ORDER BY p.id LIMIT 100
"""
_READING = "SELECT EXISTS (SELECT FROM recipient_imports WHERE owner_id = $1 AND status = 'processing')"
_OF_LIST = f"""t.import_id = $6 AND {LINE} AND num_nulls($1::uuid, $2::uuid, $3::text[], $4::text[], $5::text[]) >= 0"""
_HAS_ROWS = f"SELECT EXISTS (SELECT FROM import_rows AS t WHERE {_OF_LIST})"  # noqa: S608  our own conditions
_ROWS = f"""
DELETE FROM import_rows WHERE (import_id, line) IN (
  SELECT t.import_id, t.line FROM import_rows AS t WHERE {_OF_LIST} LIMIT {PAGE})
"""  # noqa: S608  our own conditions
_WITHOUT_FILE = "UPDATE recipient_imports SET file_uuid = NULL, updated_at = now() WHERE id = $1"
# The link of an integration is `running` until the integration says that it is done, and it never has a file.
_OWN: Final = tuple(source.value for source in ExportSource)
_WRITING = """
SELECT EXISTS (SELECT FROM export_links WHERE owner_id = $1 AND status = 'running' AND file_uuid IS NULL
  AND source = ANY($2))
"""
_EXPORTS = """
SELECT e.id, e.file_uuid, e.filters::text LIKE ANY($3) AS named, f.name FROM export_links AS e
LEFT JOIN files AS f ON f.id = e.file_uuid
WHERE e.owner_id = $1 AND e.id > $2 AND (e.status <> 'running' OR e.source <> ALL($4)) ORDER BY e.id LIMIT 100
"""
_DELETE_EXPORT = "DELETE FROM export_links WHERE id = $1"
_NAME = "SELECT name FROM files WHERE id = $1 AND owner_id = $2"
# The messages of the person do not name it any more. Metadata has the uuid as the sender has spelled it.
_SENT_TO_OTHERS = """
SELECT n.id FROM messages AS m, jsonb_array_elements_text(CASE jsonb_typeof(m.metadata -> 'attachmentUuids')
    WHEN 'array' THEN m.metadata -> 'attachmentUuids' ELSE '[]' END) AS f
  JOIN unnest($2::text[]::uuid[]) AS n (id)
    ON replace(n.id::text, '-', '') = translate(replace(replace(lower(f), 'urn:', ''), 'uuid:', ''), '{}-', '')
WHERE m.owner_id = $1 AND m.channel = 'email' AND m.metadata ? 'attachmentUuids'
UNION SELECT f FROM sending_projects AS p, unnest(p.attachment_uuids) AS f
WHERE p.owner_id = $1 AND f = ANY($2::text[]::uuid[])
UNION SELECT f::uuid FROM repeatable_projects AS p, unnest($2::text[]) AS f
WHERE p.owner_id = $1 AND p.deleted_at IS NULL AND p.template -> 'attachmentUuids' ? f
UNION SELECT f FROM template_versions AS v, unnest(v.attachment_uuids) AS f
WHERE v.owner_id = $1 AND v.attachment_uuids <> '{}' AND f = ANY($2::text[]::uuid[])
"""
_FORGET = """
UPDATE erasures SET file_ids = ARRAY(SELECT f FROM unnest(file_ids) AS f WHERE f <> ALL($2)) WHERE id = $1
"""
_NOTE = """
UPDATE erasures SET deleted = deleted || $2::text::jsonb, updated_at = now(),
  counts = counts || jsonb_build_object($3::text, COALESCE((counts ->> $3)::int, 0) + $4::int) WHERE id = $1
"""
_MOST_NAMES: Final = 20  # files that a reason names
_UNSEARCHED: Final = {
    "import": "Files of these lists are damaged, encrypted or too large when unpacked, so they were not looked into."
    " Delete the lists if they may have the person:",
    "export": "Files of these exports are damaged, encrypted or too large when unpacked, so they were not looked"
    " into. Delete the exports:",
}
_NAME_UNSEARCHED = """
UPDATE erasures SET updated_at = now(), not_erased = jsonb_build_array(jsonb_build_object('kind', $2::text, 'reason',
    $3::text)) || COALESCE((SELECT jsonb_agg(e ORDER BY n) FROM jsonb_array_elements(not_erased) WITH ORDINALITY
      AS o (e, n) WHERE e ->> 'kind' <> $2), '[]')
WHERE id = $1
"""


async def is_busy(services: Services, person: Person) -> str | None:
    """Returns the work that has to end before files are looked into, or None."""
    if await services.db.fetchval(_READING, person.owner_id):
        return "A list is being read."
    if await services.db.fetchval(_WRITING, person.owner_id, _OWN):
        return "An export is being written."
    return None


async def erase_lists(services: Services, erasure: UUID, person: Person) -> int:
    """Deletes the person's rows of each list, and its file. Returns how many rows and files there were."""
    done, last, unsearched = 0, UUID(int=0), list[tuple[UUID, Any]]()
    while lists := await services.db.fetch(_LISTS, person.owner_id, last):
        last = lists[-1]["id"]
        for each in lists:
            try:
                done += await _erase_list(services, erasure, person, each)
            except Unsearchable:
                unsearched.append((each["id"], each["file_name"]))
    await _name_unsearched(services, erasure, "import", unsearched)
    return done


async def _erase_list(services: Services, erasure: UUID, person: Person, row: Any) -> int:
    """Raises Unsearchable if its rows do not have the person, and its file can't be looked into."""
    file = row["file_uuid"]
    # The file is read before the transaction. The rows go with it, so that a worker that dies leaves both.
    has = await services.db.fetchval(_HAS_ROWS, *person.arguments, row["id"])
    if not has and (file is None or not await has_address(services, file, person.texts)):
        return 0
    count, deleted = 0, []
    async with services.db.transaction() as db:
        while rows := _number(await db.execute(_ROWS, *person.arguments, row["id"])):
            count += rows
        if file is not None:
            await db.execute(_WITHOUT_FILE, row["id"])
            if await files.discard(db, file):
                deleted = [_entry("import", row["id"], row["file_name"])]
        if count or deleted:
            await db.execute(_NOTE, erasure, orjson.dumps(deleted).decode(), "import_rows", count)
    await _delete_bytes(services, [file] if deleted else [])
    return count + len(deleted)


async def erase_exports(services: Services, erasure: UUID, person: Person) -> int:
    """Deletes the exports that name the person, with their files. Returns how many there were."""
    done, last, unsearched = 0, UUID(int=0), list[tuple[UUID, Any]]()
    while links := await services.db.fetch(_EXPORTS, person.owner_id, last, person.patterns, _OWN):
        last = links[-1]["id"]
        for link in links:
            file = link["file_uuid"]
            try:
                if not (link["named"] or (file and await has_address(services, file, person.texts))):
                    continue
            except Unsearchable:
                unsearched.append((link["id"], link["name"]))
                continue
            async with services.db.transaction() as db:
                await db.execute(_DELETE_EXPORT, link["id"])
                if file:
                    await files.discard(db, file)
                deleted = [_entry("export", link["id"], link["name"])]
                await db.execute(_NOTE, erasure, orjson.dumps(deleted).decode(), "export_links", 1)
            await _delete_bytes(services, [file] if file else [])
            done += 1
    await _name_unsearched(services, erasure, "export", unsearched)
    return done


async def erase_attachments(services: Services, erasure: UUID, owner: UUID, ids: list[UUID]) -> None:
    """Deletes the files of emails that only the person got, and forgets the others."""
    if not ids:
        return
    async with services.db.transaction() as db:
        rows = await db.fetch(_SENT_TO_OTHERS, owner, [str(id) for id in ids])
        used_by_others = {row["id"] for row in rows}
        await db.execute(_FORGET, erasure, [*used_by_others])
    for id in ids:
        if id in used_by_others:
            continue
        async with services.db.transaction() as db:
            name = await db.fetchval(_NAME, id, owner)
            if name is None:
                continue
            await files.discard(db, id)
            deleted = [_entry("attachment", id, name)]
            await db.execute(_NOTE, erasure, orjson.dumps(deleted).decode(), "files", 1)
        await _delete_bytes(services, [id])


async def _delete_bytes(services: Services, ids: list[UUID]) -> None:
    """Deletes the bytes of files whose rows are gone. A deletion that fails is left to the job that was queued for
    it.
    """
    for id in ids:
        with suppress(Exception):
            await files.release(services, id)


async def _name_unsearched(
    services: Services, erasure: UUID, kind: str, unsearched: Sequence[tuple[UUID, Any]]
) -> None:
    """Says in `notErased` which files can't be looked into. They stay: a list may be its owner's only copy."""
    if not unsearched:
        return
    names = ", ".join(f"{id} ({name})" for id, name in unsearched[:_MOST_NAMES])
    if len(unsearched) > _MOST_NAMES:
        names += f" and {len(unsearched) - _MOST_NAMES} more"
    reason = f"{_UNSEARCHED[kind]} {names}."
    async with services.db.reading() as db:
        await db.execute(_NAME_UNSEARCHED, erasure, f"{kind}Files", reason)


def _entry(kind: str, id: UUID, name: Any) -> dict[str, str]:
    return {"kind": kind, "subjectId": str(id), "name": name or ""}


def _number(tag: str) -> int:
    return int(tag.rpartition(" ")[2])
