"""Finds the links of an HTML text whose addresses are the same for everybody, in one pass over the source.

What braces enclose is Liquid, and varies: it is blanked out first, so that neither a tag in a condition nor one in the
string of a filter is taken for a link. Every search goes forward from where the one before ended, so a text that was
written to be slow takes no longer than another one of its length.
"""

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Final, NamedTuple
from urllib.parse import quote, urlsplit

LONGEST: Final = 2048  # characters of an address

_BLANK: Final = "\0"
_OPEN = re.compile(r"\{\{|\{%")
_BLOCK = re.compile(r"\{%-?\s*(raw|comment)\s*-?%\}")
_END = {name: re.compile(rf"\{{%-?\s*end{name}\s*-?%\}}") for name in ("raw", "comment")}
# What they enclose is no markup.
_NO_MARKUP = re.compile(r"<(script|style|title|textarea)\b", re.IGNORECASE)
_ANCHOR = re.compile(r"""<a(?=[\s/])((?:[^<>"']|"[^"]*"|'[^']*')*+)>""", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=\0][^\s"'<>/=\0]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+))?""")
# A reference without its semicolon is one only outside of attributes, or before no letter, digit or equals sign.
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SAFE: Final = "".join(map(chr, range(33, 127)))


class Link(NamedTuple):
    """The address of a link: where it stands in the source, and its target."""

    start: int
    end: int
    url: str


def links_in(source: str) -> Iterator[Link]:
    """Yields the links to http and https whose address has no Liquid, in their order."""
    masked = _masked(source)
    if masked is None:
        return
    for anchor in _ANCHOR.finditer(masked):
        for attribute in _ATTRIBUTE.finditer(masked, anchor.start(1), anchor.end(1)):
            if attribute[1].lower() != "href":
                continue
            value = attribute[2]
            if value is not None and _BLANK not in value:
                quoted = value[0] in "\"'"
                url = target(value[1:-1] if quoted else value)
                if url is not None:
                    yield Link(attribute.start(2) + quoted, attribute.end(2) - quoted, url)
            break  # browsers take the first one


def target(written: str) -> str | None:
    """Returns the target of an `href` as it is written in HTML; None if it is no address of the web that a browser
    would open as it stands.
    """
    url = _REFERENCE.sub(lambda match: unescape(match[0]), written).strip(" \t\r\n\f")
    if len(url) > LONGEST or not url.isprintable() or any(char.isspace() or char in "\\<>" for char in url):
        return None
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return None
    # Browsers write other hosts in ASCII by rules of their own.
    if parts.scheme.lower() not in ("http", "https") or not host or not host.isascii():
        return None
    return url


def location(url: str) -> str:
    """Returns a target for the header Location: what is not ASCII is written in percents, as browsers do."""
    return url if url.isascii() else quote(url, safe=_SAFE)


def _masked(source: str) -> str | None:
    """Returns the source with blanks in place of Liquid and of what is no markup, at the same positions; None if it
    has a brace that does not close.
    """
    liquid = _blanked(source, _OPEN, _end_of_liquid)
    return None if liquid is None else _blanked(liquid, _NO_MARKUP, _end_of_raw_text)


def _blanked(source: str, begins: re.Pattern[str], end_of: Callable[[str, re.Match[str]], int]) -> str | None:
    pieces: list[str] = []
    at = 0
    while (match := begins.search(source, at)) is not None:
        end = end_of(source, match)
        if end < 0:
            return None
        pieces += [source[at : match.start()], _BLANK * (end - match.start())]
        at = end
    return "".join((*pieces, source[at:])) if pieces else source


def _end_of_liquid(source: str, match: re.Match[str]) -> int:
    if (block := _BLOCK.match(source, match.start())) is not None:
        end = _END[block[1]].search(source, block.end())
        return -1 if end is None else end.end()
    close = "}}" if match[0] == "{{" else "%}"
    at = source.find(close, match.end())
    return -1 if at < 0 else at + 2


def _end_of_raw_text(source: str, match: re.Match[str]) -> int:
    end = re.compile(f"</{match[1]}", re.IGNORECASE).search(source, match.end())
    return len(source) if end is None else end.start()
