"""Makes data of the answers of the old service behind the legacy bridge: always data that can be stored and sent on
as JSON. `warnings` lists the parts that were left out or changed for that.
"""

import json
import math
import re
import zlib
from dataclasses import dataclass
from typing import Any

MAX_TEXT = 64 * 1024  # characters of an answer that is text, not JSON
MAX_DEPTH = 100  # levels; JSON encoders fail between 250 and 1000, and the data is wrapped in further levels
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL accepts neither NUL nor half a surrogate pair
_CHARSET = re.compile(
    r"utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d|cp125\d|koi8-[ru]|big5|gb\w*|euc-\w\w|shift_jis"
)


@dataclass(frozen=True, slots=True)
class LegacyAnswer:
    """`data` is JSON data, or None if there was none or it can't be passed on (then `warnings` says why)."""

    legacy_status: int
    data: Any
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """Holds an answer as it was sent."""

    status: int
    content_type: str
    encoding: str
    body: bytes | None  # None: larger than allowed


def rewrapped(raw: RawAnswer, max_bytes: int) -> LegacyAnswer:
    """Returns the data of an answer, and warnings. `max_bytes`: of a body that is decompressed."""
    if 300 <= raw.status < 400:
        note = f"The legacy service answered with a redirect ({raw.status}), which is not followed."
        return LegacyAnswer(raw.status, None, [note])
    try:
        body = _plain(raw, max_bytes)
    except _NotPassedOn as error:
        return LegacyAnswer(raw.status, None, [str(error)])
    if not body.strip():
        return LegacyAnswer(raw.status, None, [])
    media, charset = _media(raw.content_type)
    if _may_be_json(media, body):
        notes: dict[str, None] = {}  # a set that keeps its order
        try:
            data = _storable(_parsed(body, charset), notes, MAX_DEPTH)
            return LegacyAnswer(raw.status, data, list(notes))
        except (ValueError, RecursionError) as error:
            reason = str(error)[:200]
    else:
        reason = f"its type is {media}"
    if b"\0" in body or not _is_text(media):
        return LegacyAnswer(
            raw.status, None, [f"The legacy answer is neither JSON nor text ({reason}); data is null."]
        )
    return _as_text(raw.status, body, charset, reason)


class _NotPassedOn(Exception):
    pass


def _plain(raw: RawAnswer, max_bytes: int) -> bytes:
    """Returns the body without its content coding. Raises _NotPassedOn."""
    too_large = f"The legacy answer is larger than {max_bytes} bytes; data is null."
    if raw.body is None:
        raise _NotPassedOn(too_large)
    coding = raw.encoding.strip().lower()
    if coding in ("", "identity"):
        return raw.body
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise _NotPassedOn("The legacy answer has a content coding that was not asked for; data is null.")
    inflater = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # 32: detects gzip or zlib by the header
    try:
        body = inflater.decompress(raw.body, max_bytes + 1)
    except zlib.error:
        body = b""
    if len(body) > max_bytes:
        raise _NotPassedOn(too_large)
    if not inflater.eof or inflater.unused_data:
        raise _NotPassedOn("The legacy answer is compressed and damaged; data is null.")
    return body


def _media(content_type: str) -> tuple[str, str]:
    """Returns the media type ("" if there is none), and a charset that is safe to decode with."""
    media, _, parameters = content_type.lower().partition(";")
    media = media.strip()
    if media and not re.fullmatch(r"[\w.+-]{1,60}/[\w.+-]{1,60}", media, re.ASCII):
        media = "unknown/unknown"
    match = re.search(r"charset\s*=\s*[\"']?([\w-]+)", parameters, re.ASCII)
    charset = match[1] if match and _CHARSET.fullmatch(match[1]) else "utf-8"
    return media, "utf-8-sig" if charset in ("utf-8", "utf8") else charset


def _may_be_json(media: str, body: bytes) -> bool:
    # Old services send JSON as text/html, so the first character decides; but `12` as text/plain is just text.
    return (
        not media
        or media.endswith(("/json", "+json"))
        or body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    )


def _is_text(media: str) -> bool:
    return (
        not media
        or media.startswith("text/")
        or bool(re.search("json|xml|javascript|urlencoded|yaml", media))
    )


def _parsed(body: bytes, charset: str) -> Any:
    return json.loads(_decoded(body, charset, "strict"), parse_float=_finite, parse_constant=_finite)


def _decoded(body: bytes, charset: str, errors: str) -> str:
    try:
        return body.decode(charset, errors)
    except LookupError:  # the name matches _CHARSET, but Python has no such codec
        return body.decode("utf-8", errors)


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"it holds the number {number[:20]}")
    return value


def _storable(value: Any, notes: dict[str, None], depth: int) -> Any:
    """Returns JSON data that every encoder and the database accept. Raises ValueError if deeper than `depth`."""
    if isinstance(value, str):
        clean = _UNSTORABLE.sub("\ufffd", value)
        if clean != value:
            notes["Characters that can't be stored (NUL, half surrogate pairs) were replaced by U+FFFD."] = (
                None
            )
        return clean
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        notes["Integers beyond 64 bits are given as text."] = None
        return str(value)
    if not isinstance(value, (dict, list)):
        return value
    if depth == 0:
        raise ValueError(f"it is nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, list):
        return [_storable(item, notes, depth - 1) for item in value]
    return {
        _storable(key, notes, depth - 1): _storable(item, notes, depth - 1) for key, item in value.items()
    }


def _as_text(status: int, body: bytes, charset: str, reason: str) -> LegacyAnswer:
    start = body[: 4 * MAX_TEXT]
    text = _UNSTORABLE.sub("\ufffd", _decoded(start, charset, "replace"))
    note = f"The legacy answer is not JSON that can be passed on ({reason}); data is its text"
    truncated = len(text) > MAX_TEXT or len(start) < len(body)
    return LegacyAnswer(
        status, text[:MAX_TEXT], [f"{note}, cut after {MAX_TEXT} characters." if truncated else f"{note}."]
    )
