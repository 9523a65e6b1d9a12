"""Finds in the source of a letter where its readers would stumble. It is sent all the same."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

GMAIL_BYTES: Final = 102 * 1024
"""The bytes of HTML after which Gmail cuts a letter."""
MOST: Final = 50
"""The most problems of one text."""
_LONGEST: Final = 200  # characters of a detail
_LINKS: Final = ("unsubscribe_url", "preferences_url")

# None of them looks past the next tag, so that reading takes time by the length alone.
_TAG = re.compile(r"<(a|area|img)\b([^<>]*)>", re.IGNORECASE)
_END = re.compile(r"</a\b", re.IGNORECASE)
_ALT = re.compile(r"(?:^|\s)alt(?:\s|=|/|$)", re.IGNORECASE)
_TARGET = re.compile(r"""(?:^|\s)(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])", re.IGNORECASE)
_MARKUP = re.compile(r"<[^<>]*>")
_PLAIN_LINK = re.compile(r"http://[^\s<>\"']{1,200}", re.IGNORECASE)
_FINE: Final = ("https:", "mailto:", "tel:", "sms:", "#", "{{", "{%", "cid:", "data:image/")


def problems_in(text: Mapping[str, Any], *, promotional: bool) -> list[dict[str, Any]]:
    """Returns the problems of a text as it is sent, at most `MOST`: `kind`, `part` and `detail` of each.

    `text` has `text` and `html`, with layout and partials. `promotional`: its readers must be able to unsubscribe.
    """
    problems: list[dict[str, Any]] = []
    for problem in _each(text.get("text"), text.get("html"), promotional=promotional):
        if problem not in problems:
            problems.append(problem)
        if len(problems) == MOST:
            break
    return problems


def too_large(html: str) -> bool:
    """Returns whether HTML is so long that Gmail cuts it."""
    return len(html) > GMAIL_BYTES or len(html.encode(errors="replace")) > GMAIL_BYTES


def problem(kind: str, part: str | None = None, detail: str | None = None) -> dict[str, Any]:
    """Returns a problem as it is stored."""
    return {"kind": kind, "part": part, "detail": detail and detail[:_LONGEST]}


def _each(text: str | None, html: str | None, *, promotional: bool) -> Iterator[dict[str, Any]]:
    if promotional:
        if html and not _offers(html):
            yield problem("no_unsubscribe", "html")
        if text and not any(name in text for name in _LINKS):
            yield problem("no_unsubscribe", "text")
    if html:
        if too_large(html):
            yield problem("too_large", "html")
        yield from _of_tags(html)
    if text:
        yield from (problem("insecure_link", "text", link[0]) for link in _PLAIN_LINK.finditer(text))


def _of_tags(html: str) -> Iterator[dict[str, Any]]:
    for tag in _TAG.finditer(html):
        target = _target(tag[2])
        if tag[1].lower() == "img" and not _ALT.search(tag[2]):
            yield problem("image_without_alt", "html", target)
        if target and not target.lower().startswith(_FINE):
            yield problem("insecure_link", "html", target)


def _target(attributes: str) -> str | None:
    match = _TARGET.search(attributes)
    return None if match is None else (match[1] or match[2] or match[3] or "").strip()


def _offers(html: str) -> bool:
    """Returns whether a link to unsubscribe, or to the preferences, is there to be seen."""
    end = 0
    for tag in _TAG.finditer(html):
        if tag[1].lower() == "img" or not any(name in (_target(tag[2]) or "") for name in _LINKS):
            continue
        if end < tag.end():
            closing = _END.search(html, tag.end())
            end = len(html) if closing is None else closing.start()
        if not _HIDDEN.search(tag[2]) and _is_visible(html[tag.end() : min(end, tag.end() + 2_000)]):
            return True
    return False


def _is_visible(label: str) -> bool:
    return "<img" in label.lower() or bool(_MARKUP.sub("", label).replace("&nbsp;", " ").strip())
