"""Makes a text of the HTML of an email that another program has written, for readers that show no HTML.

It passes over the HTML once, whatever that is: Python's own parser takes 32 s for `<a ` written 20,000 times (60 kB),
this one 26 ms, and a sender could stop the service with such a text. Texts with Liquid, which run in a process of
their own, have a reader that keeps its tags: engine/texts/plain_part.py.
"""

import re
from html import unescape
from typing import Final

_HIDDEN: Final = frozenset({"head", "script", "style", "template", "title"})
_CLOSING: Final = {name: re.compile(f"</{name}[^<>]*>", re.IGNORECASE) for name in _HIDDEN}
_BLOCKS: Final = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tr",
        "ul",
    ]
)
_TOKEN: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)([^<>]*)>|<[!?/][^<>]*>")
_VALUE: Final = r"""\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
_LINK: Final = re.compile(f"href{_VALUE}", re.IGNORECASE)
_ALT: Final = re.compile(f"alt{_VALUE}", re.IGNORECASE)
_SPACES: Final = re.compile(r"\s+")
_EMPTY_LINES: Final = re.compile(r"\n{3,}")
_SCHEMES: Final = ("http:", "https:", "mailto:")


class _Reader:
    """Collects the text between tags."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._link: str | None = None

    def text(self, html: str) -> None:
        """Adds what stands between two tags."""
        self.pieces.append(_SPACES.sub(" ", unescape(html)))

    def begin(self, name: str, attributes: str) -> None:
        """Adds what a tag shows at its beginning."""
        if name in _BLOCKS:
            self.pieces.append("\n- " if name == "li" else "\n")
        elif name == "a":
            self._link = _attribute(_LINK, attributes)
        elif name == "img":
            self.pieces.append(_attribute(_ALT, attributes) or "")

    def end(self, name: str) -> None:
        """Adds what a tag shows at its end."""
        if name in _BLOCKS:
            self.pieces.append("\n")
        elif name in ("td", "th"):
            self.pieces.append(" ")
        elif name == "a" and self._link is not None:
            if self._link.startswith(_SCHEMES) and (not self.pieces or self.pieces[-1].strip() != self._link):
                self.pieces.append(f" ({self._link})")
            self._link = None


def text_of(html: str) -> str:
    """Returns the text that a reader of the HTML sees, with its links."""
    reader, position = _Reader(), 0
    while position < len(html):
        begin = html.find("<", position)
        if begin < 0:
            begin = len(html)
        if begin > position:
            reader.text(html[position:begin])
        if html.startswith("<!--", begin):
            end = html.find("-->", begin)
            position = len(html) if end < 0 else end + 3
        elif (token := _TOKEN.match(html, begin)) is None:
            if begin < len(html):
                reader.pieces.append("<")
            position = begin + 1
        elif token[2] is None:
            position = token.end()
        elif token[1]:
            reader.end(token[2].lower())
            position = token.end()
        elif (name := token[2].lower()) in _HIDDEN and not token[3].endswith("/"):
            closing = _CLOSING[name].search(html, token.end())
            position = len(html) if closing is None else closing.end()
        else:
            reader.begin(name, token[3])
            position = token.end()
    lines = [line.strip() for line in "".join(reader.pieces).split("\n")]
    return _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip()


def _attribute(pattern: re.Pattern[str], attributes: str) -> str | None:
    match = pattern.search(attributes)
    return (
        None if match is None else _SPACES.sub(" ", unescape(match[1] or match[2] or match[3] or "")).strip()
    )
