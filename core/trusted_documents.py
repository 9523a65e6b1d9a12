"""GraphQL documents that clients refer to by id: the operator's manifests, and documents that clients register.

A manifest is read once, at the start. Documents of clients (Apollo's automatic persisted queries) are stored in Redis
for a week, under the SHA-256 of their text; without Redis clients send the text each time. This file does not parse
documents: schema/frame/documents.py bounds and validates them before they run.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from cachetools import LRUCache

from core.assets import CONSOLE, CONSOLE_DOCUMENTS
from core.database_options import BadSettings
from core.rate_limits import Limit, Limiter
from core.settings import Settings
from core.store import Store

LONGEST = 64 * 1024  # characters of a document; schema/frame/documents.py has the same limit
_MOST = 10_000  # documents of all manifests
_MOST_BYTES = 16 * 2**20  # of one file
_DAYS = 7
_LONGEST_REGISTERED = 16 * 1024  # bytes
_REGISTERED = Limit("documents", 200, 86_400.0)  # new documents of one user
_REGISTERED_BYTES = Limit("document-bytes", 2 * 2**20, 86_400.0)  # bytes of the new documents of one user
_MOST_CACHED = 256 * 1024  # characters of registered documents that a process caches


def sha256(text: str) -> str:
    """Returns the hash of a document, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


class Documents:
    """The trusted documents of the manifests, and the registered ones."""

    def __init__(self, manifest: dict[str, str], store: Store, limiter: Limiter) -> None:
        self._by_id = manifest
        self._by_hash = {sha256(text): text for text in manifest.values()}
        self._texts = frozenset(manifest.values())
        self._store, self._limiter = store, limiter
        self._cache: LRUCache[str, str] = LRUCache(_MOST_CACHED, getsizeof=len)

    def trusts(self, text: str) -> bool:
        """Returns whether a manifest contains exactly this text."""
        return text in self._texts

    def by_id(self, id: str) -> str | None:
        """Returns the text that a manifest has under this id or SHA-256."""
        return self._by_id.get(id) or self._by_hash.get(id.removeprefix("sha256:"))

    async def registered(self, digest: str) -> str | None:
        """Returns the text that a client has registered under this SHA-256, or None."""
        if (text := self._cache.get(digest)) is not None:
            return text
        stored: Any = await self._store.attempt(lambda redis: redis.get(_key(digest)), None)
        if stored is None:
            return None
        text = self._cache[digest] = str(stored, "utf-8")
        return text

    async def register(self, digest: str, text: str, user: str) -> None:
        """Registers a validated document for all users, if it is short and this user has not registered too much."""
        content = text.encode()
        if digest in self._cache or len(content) > _LONGEST_REGISTERED:
            return
        for limit, cost in ((_REGISTERED, 1), (_REGISTERED_BYTES, len(content))):
            if not (await self._limiter.take(limit, user, cost)).allowed:
                return
        await self._store.attempt(
            lambda redis: redis.set(_key(digest), content, ex=_DAYS * 86_400, nx=True), None
        )
        self._cache[digest] = text


def _key(digest: str) -> str:
    return f"graphql:document:{digest}"


def open_documents(settings: Settings, store: Store, limiter: Limiter) -> Documents:
    """Reads the manifests: the operator's, and the console's if it is served. Raises BadSettings."""
    manifest = _manifest(settings.graphql_documents)
    if settings.has_console and (console := CONSOLE / CONSOLE_DOCUMENTS).is_file():
        manifest |= dict(_documents(console))
    return Documents(manifest, store, limiter)


def _manifest(path: Path | None) -> dict[str, str]:
    """Returns the documents of the file, or of the folder's `*.json`, `*.graphql` and `*.gql`, by their id."""
    if path is None:
        return {}
    documents: dict[str, str] = {}
    for file in _files(path):
        for id, text in _documents(file):
            if documents.setdefault(id, text) != text:
                raise _bad(file, f"{id[:80]!r} is the id of another document already")
            if len(documents) > _MOST:
                raise _bad(file, f"there are more than {_MOST} documents")
    if not documents:
        raise _bad(path, "it contains no document")
    return documents


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.iterdir() if file.suffix in (".json", ".graphql", ".gql"))
    return [path]


def _documents(file: Path) -> Iterator[tuple[str, str]]:
    """Yields id and text of each document of a file. Raises BadSettings that names the file."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise _bad(file, f"it is larger than {_MOST_BYTES // 2**20} MiB")
        content = file.read_bytes()
        if file.suffix != ".json":
            yield file.stem, _text(file, file.stem, content.decode())
            return
        manifest: Any = orjson.loads(content)
    except OSError as error:
        raise _bad(file, error.strerror or "it can't be read") from error
    except orjson.JSONDecodeError as error:
        raise _bad(file, f"it is not JSON ({error})") from error
    except UnicodeDecodeError as error:
        raise _bad(file, "it is not UTF-8") from error
    for id, text in _entries(file, manifest):
        yield id, _text(file, id, text)


def _entries(file: Path, manifest: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(manifest, dict) and manifest.get("format") == "apollo-persisted-query-manifest":
        operations = manifest.get("operations")
        if not isinstance(operations, list):
            raise _bad(file, "operations must be a list")
        for operation in operations:
            if not isinstance(operation, dict) or not isinstance(operation.get("id"), str):
                raise _bad(file, "each of its operations must have an id and a body")
            yield operation["id"], operation.get("body")
    elif isinstance(manifest, dict):
        yield from manifest.items()
    else:
        raise _bad(file, "it must be {id: document}, or an Apollo manifest {format, version, operations}")


def _text(file: Path, id: str, text: Any) -> str:
    if not isinstance(text, str) or not text.strip():
        raise _bad(file, f"the document of {id[:80]!r} must be text")
    if not id or len(id) > 256:
        raise _bad(file, "an id has 1 to 256 characters")
    if len(text) > LONGEST:
        raise _bad(file, f"the document of {id[:80]!r} has more than {LONGEST} characters")
    return text


def _bad(file: Path, reason: str) -> BadSettings:
    return BadSettings(f"POSTERN_GRAPHQL_DOCUMENTS: {file}: {reason}")
