"""What goes with a message: fetched from where the caller says, judged and bounded, before anything is written."""

import base64
import binascii
import hashlib
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes, urlsplit
from uuid import UUID

import httpx

from engine import files
from engine.messengers.bodies import LONGEST_SRC
from postern.errors import BadRequest, TooLarge
from postern.file_store import PIECE
from postern.outbound import UrlRefused, was_cut
from postern.services import Services
from schema.types.chats import ContentKind

MOST = 10  # of one message
LARGEST = 50 * 1024 * 1024  # bytes of one
LARGEST_ALL = 60 * 1024 * 1024  # bytes of one message
SECONDS = 30.0  # that one may take to fetch

_OWN = "file:"
_DATA = re.compile(r"data:([^;,]{0,255})((?:;[^;,]{0,255}){0,8}),", re.IGNORECASE)

# The first bytes, and what they are the beginning of. What is not known here is what it is declared to be.
_SIGNS: tuple[tuple[int, bytes, str], ...] = (
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
# Containers that hold sound as well as pictures, and the other way about.
_BOTH = frozenset({"audio/ogg", "video/mp4", "video/webm", "audio/mp4"})


@dataclass(frozen=True, slots=True)
class Source:
    """Where something is: an http(s) address, a data: URL, or `file:<uuid>` of a File of the owner's."""

    kind: ContentKind
    src: str = field(repr=False)
    name: str | None = None

    @property
    def mark(self) -> list[str | None]:
        """By which two requests are told apart."""
        return [self.kind.value, hashlib.sha256(self.src.encode()).hexdigest(), self.name]


@dataclass(frozen=True, slots=True)
class Loaded:
    kind: ContentKind
    data: bytes = field(repr=False)
    mime: str
    name: str
    src: str | None  # an address that may be shown

    def kept(self) -> dict[str, str | int | None]:
        """As it stands in messenger_messages.content."""
        return {
            "type": self.kind.value,
            "src": self.src,
            "mime": self.mime,
            "name": self.name,
            "size": len(self.data),
        }

    def asked(self) -> dict[str, str]:
        """As the live account is asked to send it."""
        data = base64.b64encode(self.data).decode()
        return {"kind": self.kind.value, "data": data, "mime": self.mime, "name": self.name}


async def load(services: Services, owner_id: UUID, sources: Sequence[Source]) -> list[Loaded]:
    """Each with its bytes. Raises BadRequest (`bad_media`, `media_unavailable`, `url_…`) and TooLarge."""
    if len(sources) > MOST:
        raise BadRequest(
            f"A message takes at most {MOST} files; this one has {len(sources)}.", code="bad_media"
        )
    loaded: list[Loaded] = []
    left = LARGEST_ALL
    for source in sources:
        one = await _load(services, owner_id, source, min(left, LARGEST))
        left -= len(one.data)
        loaded.append(one)
    return loaded


async def _load(services: Services, owner_id: UUID, source: Source, most: int) -> Loaded:
    src = source.src
    data: bytes
    declared: str | None
    name: str | None
    if src.startswith(_OWN):
        data, declared, name = await _own(services, owner_id, src.removeprefix(_OWN), most)
    elif src[:5].lower() == "data:":
        data, declared, name = *_inline(src, most), None
    else:
        data, declared, name = await _fetch(services, src, most)
    if not data:
        raise BadRequest("A file of this message is empty. Send one with bytes in it.", code="bad_media")
    name = files.safe_name(source.name or name or source.kind.value)
    mime = sniff(data) or files.safe_mime(declared, name)
    _fits(source.kind, mime)
    shown = src if src.startswith(("http://", "https://")) and len(src) <= LONGEST_SRC else None
    return Loaded(source.kind, data, mime, name, shown)


async def _own(services: Services, owner_id: UUID, id: str, most: int) -> tuple[bytes, str, str]:
    try:
        file = await files.owned(services.db, owner_id, UUID(id))
    except ValueError:
        file = None
    if file is None:
        raise BadRequest(
            "src names no file of yours. Upload it by POST /file-uploader, and write file: and its uuid.",
            code="bad_media",
        )
    if file.size > most:
        raise _too_large()
    return await services.files.read(file.id, most), file.mime, file.name


def _inline(src: str, most: int) -> tuple[bytes, str]:
    head = _DATA.match(src)
    if head is None:
        raise BadRequest("src is no valid data: URL; write data:image/png;base64,…", code="bad_media")
    said = src[head.end() :]
    if len(said) > most * 4 // 3 + 4:
        raise _too_large()
    if not head[2].lower().endswith(";base64"):
        return unquote_to_bytes(said), head[1]
    try:
        return base64.b64decode(said, validate=True), head[1]
    except (binascii.Error, ValueError):
        raise BadRequest("src is a data: URL whose base64 is not valid.", code="bad_media") from None


async def _fetch(services: Services, src: str, most: int) -> tuple[bytes, str | None, str | None]:
    """Public addresses alone, no redirect. What is wrong is said without the address: it may hold a secret."""
    try:
        async with (
            services.guard.client(timeout=SECONDS, max_bytes=most) as client,
            client.stream("GET", src) as response,
        ):
            if response.status_code != 200:
                raise _away(f"its server answered {response.status_code}")
            length = response.headers.get("content-length", "")
            if length.isdigit() and int(length) > most:
                raise _too_large()
            data = b"".join([piece async for piece in _pieces(response)])
            if was_cut(response):
                raise _too_large()
            return data, response.headers.get("content-type"), urlsplit(src).path.rpartition("/")[2]
    except UrlRefused as error:
        raise BadRequest(f"src can't be used: {error.reason}.", code=error.code) from None
    except httpx.TimeoutException:
        raise _away(f"it did not come within {SECONDS:g} s") from None
    except (httpx.HTTPError, httpx.InvalidURL):
        raise _away("its server can't be reached") from None


def _pieces(response: httpx.Response) -> AsyncIterator[bytes]:
    return response.aiter_bytes(PIECE)


def sniff(data: bytes) -> str | None:
    """What the first bytes say that it is."""
    for place, sign, mime in _SIGNS:
        if data.startswith(sign, place):
            return mime
    return "text/html" if _HTML.match(data[:512]) else None


def _fits(kind: ContentKind, mime: str) -> None:
    """A picture that is a web page is a mistake, or a trick."""
    wanted = {"voice": "audio", "file": None}.get(kind.value, kind.value)
    if wanted is not None and not mime.startswith(f"{wanted}/") and mime not in _BOTH:
        raise BadRequest(
            f"This is no {kind.value}: it is {mime}. Send it as what it is, or as a file.", code="bad_media"
        )


def _away(why: str) -> BadRequest:
    return BadRequest(f"A file of this message can't be fetched: {why}.", code="media_unavailable")


def _too_large() -> TooLarge:
    return TooLarge(
        f"The files of a message may have {LARGEST >> 20} MiB each and {LARGEST_ALL >> 20} MiB in all.",
        code="media_too_large",
    )
