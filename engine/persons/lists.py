"""Erases what is in files: lists that were imported, exports, and attachments that went to the person alone.

A file can't be changed, so it is deleted whole and named in the answer. Of a list the rows of other people stay.
"""

import re
import zipfile
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import orjson

from engine import files
from engine.persons.registry import LINE, PAGE, Person
from runtime.services import Services

_LISTS = """
SELECT p.id, p.file_uuid, p.file_name FROM recipient_imports AS p WHERE p.owner_id = $1 AND p.id > $2
ORDER BY p.id LIMIT 100
"""
_READING = "SELECT EXISTS (SELECT FROM recipient_imports WHERE owner_id = $1 AND status = 'processing')"
_ROWS = f"""
DELETE FROM import_rows WHERE (import_id, line) IN (
  SELECT t.import_id, t.line FROM import_rows AS t WHERE t.import_id = $5 AND {LINE}
    AND num_nulls($1::uuid, $2::uuid, $3::text[], $4::text[]) >= 0 LIMIT {PAGE})
"""  # noqa: S608  our own conditions
_WITHOUT_FILE = "UPDATE recipient_imports SET file_uuid = NULL, updated_at = now() WHERE id = $1"
_WRITING = "SELECT EXISTS (SELECT FROM export_links WHERE owner_id = $1 AND status = 'running' AND file_uuid IS NULL)"
_EXPORTS = """
SELECT e.id, e.file_uuid, e.filters::text LIKE ANY($3) AS named, f.original_name, f.name FROM export_links AS e
LEFT JOIN files AS f ON f.id = e.file_uuid
WHERE e.owner_id = $1 AND e.id > $2 AND e.status <> 'running' ORDER BY e.id LIMIT 100
"""
_DELETE_EXPORT = "DELETE FROM export_links WHERE id = $1"
_NAME = "SELECT name FROM files WHERE id = $1 AND owner_id = $2"
# The messages of the person do not name it any more.
_SENT_TO_OTHERS = """
SELECT EXISTS (SELECT FROM messages WHERE owner_id = $1 AND channel = 'email'
    AND metadata -> 'attachmentUuids' ? $2::text)
  OR EXISTS (SELECT FROM sending_projects WHERE owner_id = $1 AND $2::text::uuid = ANY(attachment_uuids))
"""
_NOTE = """
UPDATE erasures SET deleted = deleted || $2::text::jsonb, updated_at = now(),
  counts = counts || jsonb_build_object($3::text, COALESCE((counts ->> $3)::int, 0) + $4::int) WHERE id = $1
"""
_PIECE_OVERLAP = 4096


async def is_busy(services: Services, person: Person) -> str | None:
    """Returns what has to end before files are looked into, or None."""
    if await services.db.fetchval(_READING, person.owner_id):
        return "A list is being read."
    if await services.db.fetchval(_WRITING, person.owner_id):
        return "An export is being written."
    return None


async def erase_lists(services: Services, erasure: UUID, person: Person) -> int:
    """Deletes the person's rows of each list, and its file. Returns how many rows and files there were."""
    done, last = 0, UUID(int=0)
    while lists := await services.db.fetch(_LISTS, person.owner_id, last):
        last = lists[-1]["id"]
        for each in lists:
            count = 0
            async with services.db.transaction() as db:
                while rows := _number(await db.execute(_ROWS, *person.arguments, each["id"])):
                    count += rows
                has_address = count or (
                    each["file_uuid"] is not None
                    and await _has_address(services, each["file_uuid"], each["file_name"], person)
                )
                deleted = []
                if has_address and each["file_uuid"] is not None:
                    await db.execute(_WITHOUT_FILE, each["id"])
                    if await files.discard(db, each["file_uuid"]):
                        deleted = [_entry("import", each["id"], each["file_name"])]
                if count or deleted:
                    await db.execute(_NOTE, erasure, orjson.dumps(deleted).decode(), "import_rows", count)
            await _delete_bytes(services, [each["file_uuid"]] if deleted else [])
            done += count + len(deleted)
    return done


async def erase_exports(services: Services, erasure: UUID, person: Person) -> int:
    """Deletes the exports that name the person, with their files. Returns how many there were."""
    done, last = 0, UUID(int=0)
    while links := await services.db.fetch(_EXPORTS, person.owner_id, last, person.patterns):
        last = links[-1]["id"]
        for link in links:
            file = link["file_uuid"]
            if not (
                link["named"] or (file and await _has_address(services, file, link["original_name"], person))
            ):
                continue
            async with services.db.transaction() as db:
                await db.execute(_DELETE_EXPORT, link["id"])
                if file:
                    await files.discard(db, file)
                deleted = [_entry("export", link["id"], link["name"])]
                await db.execute(_NOTE, erasure, orjson.dumps(deleted).decode(), "export_links", 1)
            await _delete_bytes(services, [file] if file else [])
            done += 1
    return done


async def erase_attachments(services: Services, erasure: UUID, owner: UUID, ids: list[UUID]) -> None:
    """Deletes the files of emails to the person which nobody else got."""
    for id in ids:
        async with services.db.transaction() as db:
            name = await db.fetchval(_NAME, id, owner)
            if name is None or await db.fetchval(_SENT_TO_OTHERS, owner, str(id)):
                continue
            await files.discard(db, id)
            deleted = [_entry("attachment", id, name)]
            await db.execute(_NOTE, erasure, orjson.dumps(deleted).decode(), "files", 1)
        await _delete_bytes(services, [id])


async def _delete_bytes(services: Services, ids: list[UUID]) -> None:
    """Deletes the bytes of files whose rows are gone. What fails is left to the job that was queued for it."""
    for id in ids:
        with suppress(Exception):
            await files.release(services, id)


async def _has_address(services: Services, file: UUID, name: str | None, person: Person) -> bool:
    """Returns whether a stored file has an address of the person. One that can't be read has none."""
    pattern = re.compile(
        "|".join(rf"(?<![\w.+-]){re.escape(key)}(?![\w-])" for key in person.keys) or r"(?!)", re.IGNORECASE
    )
    try:
        if name is not None and name.lower().endswith(".xlsx"):
            async with services.files.local_path(file) as path:
                return _workbook_has(path, pattern)
        return await _text_has(services.files.get(file), pattern)
    except Exception:  # deleted meanwhile, or not what its name says
        return False


async def _text_has(pieces: AsyncIterator[bytes], pattern: re.Pattern[str]) -> bool:
    before = ""
    async for piece in pieces:
        text = before + piece.decode("utf-8", "replace")
        if pattern.search(text):
            return True
        before = text[-_PIECE_OVERLAP:]
    return False


def _workbook_has(path: Path, pattern: re.Pattern[str]) -> bool:
    with zipfile.ZipFile(path) as book:
        for name in book.namelist():
            if name.endswith(".xml") and pattern.search(book.read(name).decode("utf-8", "replace")):
                return True
    return False


def _entry(kind: str, id: UUID, name: Any) -> dict[str, str]:
    return {"kind": kind, "subjectId": str(id), "name": name or ""}


def _number(tag: str) -> int:
    return int(tag.rpartition(" ")[2])
