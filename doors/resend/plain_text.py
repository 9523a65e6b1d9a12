"""Makes the text of an email that has HTML alone, as Resend does, for readers that show no HTML."""

import re
from html.parser import HTMLParser
from typing import Final

_HIDDEN: Final = frozenset({"head", "script", "style", "template", "title"})
_BLOCKS: Final = frozenset(
    {
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
    }
)
_SPACES: Final = re.compile(r"[ \t\r\f\v\n]+")
_EMPTY_LINES: Final = re.compile(r"\n{3,}")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden = 0
        self._link: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag in _BLOCKS:
            self.pieces.append("\n- " if tag == "li" else "\n")
        elif tag == "a":
            self._link = values.get("href")
        elif tag == "img" and values.get("alt"):
            self.handle_data(values["alt"] or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(self._hidden - 1, 0)
        elif tag in _BLOCKS:
            self.pieces.append("\n")
        elif tag in ("td", "th"):
            self.pieces.append(" ")
        elif tag == "a" and self._link and self._link.startswith(("http:", "https:", "mailto:")):
            if self.pieces and self.pieces[-1].strip() != self._link:
                self.pieces.append(f" ({self._link})")
            self._link = None

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(_SPACES.sub(" ", data))


def text_of(html: str) -> str:
    """Returns the text that a reader of the HTML sees, with its links."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = [line.strip() for line in "".join(reader.pieces).split("\n")]
    return _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip()
