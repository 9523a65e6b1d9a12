"""Loads the files of a message: fetched from where the caller says, checked and bounded, before anything is stored."""

import asyncio
import base64
import binascii
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import unquote_to_bytes, urlsplit
from uuid import UUID

from core.errors import AppError, BadRequest, RateLimited, TooLarge, Unavailable
from core.outbound import CallFailed, Client, UrlRefused
from engine import files
from engine.webhooks.chat_bodies import MAX_SRC
from runtime.services import Services
from shapes.chats import ContentKind

MAX_FILES = 10  # files of one message
MAX_FILE_BYTES = 50 * 1024 * 1024  # bytes of one
MAX_MESSAGE_BYTES = 60 * 1024 * 1024  # bytes of all files of one message
FETCH_SECONDS = 30.0  # the longest fetch of one file

BUDGET_BYTES = 256 * 1024 * 1024
"""Bytes of files that a process holds at once. During a call each byte is in memory up to three times: plain, base64,
sealed."""
BUDGET_BYTES_EACH = BUDGET_BYTES // 2  # for one user, or for one account
WAIT_SECONDS = 10.0  # the longest wait for memory

_OWN = "file:"
_DATA = re.compile(r"data:([^;,]{0,255})((?:;[^;,]{0,255}){0,8}),", re.IGNORECASE)

# Signatures in the first bytes, and their types. For other content the declared type counts.
_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"GIF8", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (0, b"OggS", "audio/ogg"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (8, b"WAVE", "audio/wav"),
    (4, b"ftypM4A", "audio/mp4"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\x03\x04", "application/zip"),
)
_HTML = re.compile(rb"\s*<(?:!doctype|html|head|body|script)", re.IGNORECASE)
# Containers that hold audio as well as video.
_BOTH = frozenset({"audio/ogg", "video/mp4", "video/webm", "audio/mp4"})


@dataclass(frozen=True, slots=True)
class Source:
    """Names the location of a file: an http(s) URL, a data: URL, or `file:<uuid>` of a File of the owner's."""

    kind: ContentKind
    src: str = field(repr=False)
    name: str | None = None

    @property
    def fingerprint(self) -> list[str | None]:
        """Returns the part of a request's fingerprint that stands for this file."""
        return [self.kind.value, hashlib.sha256(self.src.encode()).hexdigest(), self.name]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file with its content."""

    kind: ContentKind
    data: bytes = field(repr=False)
    mime: str
    name: str
    src: str | None  # a URL that may be shown

    def as_content(self) -> dict[str, str | int | None]:
        """Returns the entry of messenger_messages.content."""
        return {
            "type": self.kind.value,
            "src": self.src,
            "mime": self.mime,
            "name": self.name,
            "size": len(self.data),
        }

    def as_argument(self) -> dict[str, str]:
        """Returns the argument of the `send` call."""
        data = base64.b64encode(self.data).decode()
        return {"kind": self.kind.value, "data": data, "mime": self.mime, "name": self.name}


class MemoryBudget:
    """A memory budget for files, with a limit per user or account."""

    def __init__(self) -> None:
        self._reserved: Counter[UUID] = Counter()
        self._waiting: set[asyncio.Event] = set()

    def reserve(self, user_id: UUID) -> "Reservation":
        """Makes an empty reservation."""
        return Reservation(self, user_id)

    def exceeds_own_limit(self, user_id: UUID, size: int) -> bool:
        """Returns whether this user's own limit prevents the reservation."""
        return self._reserved[user_id] + size > BUDGET_BYTES_EACH

    async def acquire(self, user_id: UUID, size: int, seconds: float) -> bool:
        """Reserves bytes, waiting up to `seconds`. Returns False if there was no room."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._reserved.total() + size > BUDGET_BYTES or self.exceeds_own_limit(user_id, size):
                    self._waiting.add(freed := asyncio.Event())
                    try:
                        await freed.wait()
                    finally:
                        self._waiting.discard(freed)
                self._reserved[user_id] += size
                return True
        return False

    def give(self, user_id: UUID, size: int) -> None:
        """Returns bytes to the budget."""
        self._reserved[user_id] -= size
        if not self._reserved[user_id]:
            del self._reserved[user_id]
        for freed in self._waiting:
            freed.set()


class Reservation:
    """The reservation of one call, until the call ends."""

    def __init__(self, room: MemoryBudget, whose: UUID) -> None:
        self._budget, self._whose = room, whose
        self.size = 0

    async def acquire(self, size: int, seconds: float) -> bool:
        """Reserves more bytes, waiting up to `seconds`. Returns False if there was no room."""
        taken = await self._budget.acquire(self._whose, size, seconds)
        self.size += size if taken else 0
        return taken

    async def need(self, size: int) -> None:
        """Reserves more bytes, waiting if necessary.

        Raises RateLimited where other messages of the same user take the user's whole limit, and Unavailable.
        """
        if not await self.acquire(size, WAIT_SECONDS):
            raise _no_room(mine=self._budget.exceeds_own_limit(self._whose, size))

    def keep(self, size: int) -> None:
        """Reduces the reservation to `size`."""
        if size < self.size:
            self._budget.give(self._whose, self.size - size)
            self.size = size

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.keep(0)


BUDGET = MemoryBudget()
"""The budget of this process for files that are loaded to be sent."""


async def load(
    services: Services, owner_id: UUID, sources: Sequence[Source], reservation: Reservation
) -> list[Loaded]:
    """Loads the files; their bytes stay reserved in `share`.

    Raises BadRequest (`bad_media`, `media_unavailable`, `url_…`), TooLarge, and as `Share.need` does.
    """
    if len(sources) > MAX_FILES:
        raise BadRequest(
            f"A message may have at most {MAX_FILES} files; this one has {len(sources)}. Send fewer.",
            code="bad_media",
        )
    loaded: list[Loaded] = []
    left = MAX_MESSAGE_BYTES
    for source in sources:
        before = reservation.size
        file = await _load(services, owner_id, source, min(left, MAX_FILE_BYTES), reservation)
        reservation.keep(before + len(file.data))
        left -= len(file.data)
        loaded.append(file)
    return loaded


async def _load(
    services: Services, owner_id: UUID, source: Source, max_bytes: int, reservation: Reservation
) -> Loaded:
    src = source.src
    data: bytes
    declared: str | None
    name: str | None
    if src.startswith(_OWN):
        data, declared, name = await _load_own(
            services, owner_id, src.removeprefix(_OWN), max_bytes, reservation
        )
    elif src[:5].lower() == "data:":
        await reservation.need(min(len(src), max_bytes))
        data, declared, name = *_decode_data_url(src, max_bytes), None
    else:
        data, declared, name = await _fetch(services, src, max_bytes, reservation)
    if not data:
        raise BadRequest("A file of this message is empty. Send a file that has content.", code="bad_media")
    name = files.safe_name(source.name or name or source.kind.value)
    mime = sniff(data) or files.safe_mime(declared, name)
    _check_kind(source.kind, mime)
    public_src = src if src.startswith(("http://", "https://")) and len(src) <= MAX_SRC else None
    return Loaded(source.kind, data, mime, name, public_src)


async def _load_own(
    services: Services, owner_id: UUID, id: str, max_bytes: int, reservation: Reservation
) -> tuple[bytes, str, str]:
    try:
        file = await files.owned(services.db, owner_id, UUID(id))
    except ValueError:
        file = None
    if file is None:
        raise BadRequest(
            "src does not name a file of yours. Upload the file with POST /file-uploader and send file:"
            " followed by its uuid.",
            code="bad_media",
        )
    if file.size > max_bytes:
        raise _too_large()
    await reservation.need(file.size)
    return await services.files.read(file.id, max_bytes), file.mime, file.name


def _decode_data_url(src: str, max_bytes: int) -> tuple[bytes, str]:
    head = _DATA.match(src)
    if head is None:
        raise BadRequest(
            "src is not a valid data: URL. Write it like data:image/png;base64,…", code="bad_media"
        )
    encoded = src[head.end() :]
    if len(encoded) > max_bytes * 4 // 3 + 4:
        raise _too_large()
    if not head[2].lower().endswith(";base64"):
        return unquote_to_bytes(encoded), head[1]
    try:
        return base64.b64decode(encoded, validate=True), head[1]
    except (binascii.Error, ValueError):
        raise BadRequest(
            "The base64 of this data: URL (src) is not valid. Encode the file again.", code="bad_media"
        ) from None


async def _fetch(
    services: Services, src: str, max_bytes: int, reservation: Reservation
) -> tuple[bytes, str | None, str | None]:
    """Downloads a file from a public address; follows no redirect. Errors do not repeat the URL, which may hold a
    secret."""
    try:
        async with (
            Client(services.guard, seconds=FETCH_SECONDS, most=max_bytes) as client,
            client.stream("GET", src) as response,
        ):
            if response.status != 200:
                raise _unavailable(f"its server answered {response.status}")
            declared_length = response.headers.get("content-length", "")
            length = int(declared_length) if declared_length.isdigit() else 0
            if length > max_bytes:
                raise _too_large()
            await reservation.need(
                length
            )  # reserved at once: partial reservations of many downloads could block each other
            pieces: list[bytes] = []
            async for piece in response.pieces():
                length -= len(piece)
                if length < 0:
                    await reservation.need(-length)
                    length = 0
                pieces.append(piece)
            data = b"".join(pieces)
            if response.truncated:
                raise _too_large()
            return data, response.headers.get("content-type"), urlsplit(src).path.rpartition("/")[2]
    except UrlRefused as error:
        raise BadRequest(
            f"src can't be used: {error.reason}. Use another address.", code=error.code
        ) from None
    except CallFailed as error:
        if error.timed_out:
            raise _unavailable(f"it did not come within {FETCH_SECONDS:g} s") from None
        raise _unavailable("its server can't be reached") from None


def sniff(data: bytes) -> str | None:
    """Returns the type that the first bytes show, or None."""
    for offset, signature, mime in _SIGNATURES:
        if data.startswith(signature, offset):
            return mime
    return "text/html" if _HTML.match(data[:512]) else None


def _check_kind(kind: ContentKind, mime: str) -> None:
    """Checks that the content matches the kind: a picture that is a web page is a mistake or an attack. Raises
    BadRequest."""
    expected = {"voice": "audio", "file": None}.get(kind.value, kind.value)
    if expected is not None and not mime.startswith(f"{expected}/") and mime not in _BOTH:
        raise BadRequest(
            f"This file was sent as {kind.value}, but it is {mime}. Send it as its own kind, or as a file.",
            code="bad_media",
        )


def _no_room(*, mine: bool) -> AppError:
    if mine:
        return RateLimited(
            f"The files of your other messages already take the {BUDGET_BYTES_EACH >> 20} MiB that one user"
            " may send at once. Nothing was sent; try again when they have been sent.",
            details={"retryAfter": int(WAIT_SECONDS)},
            headers={"Retry-After": str(int(WAIT_SECONDS))},
        )
    return Unavailable("This server is sending too many files; nothing was sent. Try again in a moment.")


def _unavailable(cause: str) -> BadRequest:
    return BadRequest(
        f"A file of this message can't be fetched: {cause}. Check its src.", code="media_unavailable"
    )


def _too_large() -> TooLarge:
    return TooLarge(
        f"The files of a message may have {MAX_FILE_BYTES >> 20} MiB each and {MAX_MESSAGE_BYTES >> 20} MiB in all."
        " Send fewer or smaller files.",
        code="media_too_large",
    )
