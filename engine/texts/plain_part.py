"""Makes the text part of an email that has HTML alone: for readers who see no HTML, and for filters that distrust mail
without a text.

    HTML with Liquid ──► tags are replaced by tokens ──► html.parser ──► text ──► the tags are put back

The result is a source like any text, so it is made once for all recipients. Every `{% … %}` is kept in its order, also
from an attribute or a hidden element, so that blocks stay closed and assignments stay made. It runs in a render
process: the HTML is its author's, and the parser's time is bounded there.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from html.parser import HTMLParser
from typing import Any, Final

from engine.texts.liquid_rules import TextError, parse
from shapes.project_settings import LONGEST_TEXT

_TAG = re.compile(
    r"\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}|\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}"
    r"|\{\{.*?\}\}|\{%.*?%\}",
    re.DOTALL,
)
_OPEN, _BLOCK, _CLOSE = (
    "\ue000",
    "\ue001",
    "\ue002",
)  # private characters: a token is `open or block, number, close`
_PRIVATE = re.compile(f"[{_OPEN}{_BLOCK}{_CLOSE}]")
_TOKEN = re.compile(f"[{_OPEN}{_BLOCK}](\\d+){_CLOSE}")
_BLOCK_TOKEN = re.compile(f"({_BLOCK}\\d+{_CLOSE})")
_SPACE = re.compile(r"[ \t\r\n\f\u00a0]+")
_HIDDEN = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all", re.IGNORECASE)
_NAME = re.compile(r"\{%-?\s*(\w+)")
_ESCAPING = re.compile(r"\|\s*(?:escape|escape_once|newline_to_br)\b")
_RAW = re.compile(r"\|\s*(?:raw|safe)\b")

_SKIPPED: Final = frozenset({"head", "style", "script", "template", "title", "object", "svg"})
_PARAGRAPHS: Final = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "blockquote", "pre", "hr"}
)
_LINES: Final = frozenset(
    {
        "address",
        "article",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "figure",
        "footer",
        "header",
        "li",
        "main",
    }
    | {"nav", "section", "tr", "tbody", "thead"}
)
_CELLS: Final = frozenset({"td", "th"})
_CONTAINERS: Final = frozenset({"ul", "ol", "dl", "table", "tbody", "thead", "div", "body"})
_VOID: Final = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"})
_ADDRESSES: Final = ("mailto:", "tel:", "sms:")
_IMPLIED: Final = frozenset({"p", "li", "dt", "dd", "td", "th", "tr"})
"""Elements whose end tag may be left out (HTML standard, 13.1.2.4)."""
_PRINTING: Final = frozenset({"raw", "echo", "cycle", "increment", "decrement"})
"""Tags that print where they stand, which readers must not see if that is hidden."""
_END_TAG = re.compile(rf"</([A-Za-z][^\s>{_OPEN}{_BLOCK}]*)([^>]*)>")
_BRACES = re.compile(r"\{\{|\{%")
_ENDS: Final = ("else", "elsif", "when")


def lacks_text(content: Mapping[str, Any]) -> bool:
    """Returns whether a text part of a content is to be made from its HTML: its own, or that of a language."""
    languages = content.get("languages") or {}
    return _lacks_text(content) or any(_lacks_text(text) for text in languages.get("texts", ()))


def _lacks_text(content: Mapping[str, Any]) -> bool:
    return bool(
        content.get("html")
        and not (content.get("text") or "").strip()
        and not content.get("variants")
        and not content.get("template")
    )


def with_text(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the content with a text part, also in each of its languages."""
    if not lacks_text(content):
        return content
    made = _with_text(content)
    if languages := content.get("languages"):
        made = {
            **made,
            "languages": {**languages, "texts": [_with_text(text) for text in languages["texts"]]},
        }
    return made


def _with_text(content: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**content, "text": text_of(content["html"])} if _lacks_text(content) else content


@lru_cache(64)
def text_of(html: str) -> str:
    """Returns the text of an HTML source, with the addresses of its links; "" if it has none, or can't be read."""
    tags: list[str] = []

    def token(match: re.Match[str]) -> str:
        tags.append(_in_text(match.group()))
        return f"{_OPEN if tags[-1].startswith('{{') else _BLOCK}{len(tags) - 1}{_CLOSE}"

    reader = _Reader(tags)
    source = _TAG.sub(token, _PRIVATE.sub("", html))
    # The parser drops what stands behind the name of an end tag.
    reader.feed(_END_TAG.sub(lambda end: f"</{end[1]}>{''.join(_BLOCK_TOKEN.findall(end[2]))}", source))
    reader.close()
    # Braces that the HTML has as references or beside tags are no Liquid.
    plain = _BRACES.sub(lambda braces: f'{{{{ "{braces[0]}" }}}}', reader.text)
    text = _TOKEN.sub(lambda match: tags[int(match[1])], plain)
    try:
        parse(text)
    except TextError:
        return ""
    return text


def _in_text(tag: str) -> str:
    """Returns a tag as it is written in a text: nothing is escaped, and spaces around it stay."""
    name = _NAME.match(tag)
    if name is not None and name[1] == "comment":
        return "{% comment %}{% endcomment %}"
    if name is not None and name[1] == "raw":
        return tag
    inner = tag[2:-2].removeprefix("-").removesuffix("-")
    if tag.startswith("{{"):
        inner = _RAW.sub("| strip_html", _ESCAPING.sub("", inner))
    return f"{tag[:2]}{inner}{tag[-2:]}"


class _Reader(HTMLParser):
    """Collects the text of HTML whose Liquid is tokens."""

    def __init__(self, tags: list[str]) -> None:
        super().__init__(convert_charrefs=True)
        self._tags = tags
        self._out: list[str] = []
        self._size = 0
        self._has_words = False
        self._breaks = 0  # line breaks before the next text
        self._space = False  # a space before the next text
        self._skipping: list[str] = []  # open elements, from a hidden one on
        self._links: list[tuple[str, int]] = []  # address, and where the text of the link begins
        self._lists: list[int | None] = []  # the number of the last item; None: a list without numbers
        self._blocks: list[int] = []  # line breaks before each open block

    @property
    def text(self) -> str:
        return "".join(self._out).strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._keep_blocks(tag)  # a tag right behind the name
        tag = _TOKEN.sub("", tag)
        self._end_implied(tag)
        values = {name: value or "" for name, value in attrs}
        if [name for name, _ in attrs].count("href") > 1:  # a condition chooses; the text can't name both
            for name, value in attrs:
                self._keep_blocks(value or "" if name == "href" else "")
            values["href"] = ""
        visible = ("href",) if tag == "a" else ("alt",) if tag == "img" else ()
        for name, value in attrs:
            self._keep_blocks(name if name in visible else f"{name} {value or ''}")
        hidden = "hidden" in values or _HIDDEN.search(values.get("style", "")) is not None
        if self._skipping or tag in _SKIPPED or hidden:
            if tag not in _VOID:
                self._skipping.append(tag)
            self._keep_blocks(" ".join(values.get(name, "") for name in visible))
            return
        self._begin(tag)
        if tag == "a":
            self._begin_link(values.get("href", "").strip())
        elif tag == "img":
            self._say(values.get("alt", ""))
        elif tag == "li":
            self._say(self._bullet())
            self._space = True

    def _begin(self, tag: str) -> None:
        if tag == "br":
            self._breaks += 1
            self._breaks = min(self._breaks, 2)
        elif tag in _PARAGRAPHS:
            self._break(2)
            if tag in ("ul", "ol"):
                self._lists.append(0 if tag == "ol" else None)
        elif tag in _LINES:
            self._break(1)
        elif tag in _CELLS:
            self._space = True

    def _end_implied(self, tag: str) -> None:
        """Ends hidden elements whose end tag was left out before this one begins."""
        if tag == "body":
            self._skipping.clear()
        while self._skipping and (
            (self._skipping[-1] == tag and tag in _IMPLIED)
            or (self._skipping[-1] == "p" and (tag in _PARAGRAPHS or tag in _LINES))
        ):
            self._skipping.pop()

    def handle_endtag(self, tag: str) -> None:
        tag = _TOKEN.sub("", tag)
        if (
            self._skipping
            and tag not in self._skipping
            and self._skipping[0] in _IMPLIED
            and tag in _CONTAINERS
        ):
            self._skipping.clear()
        if self._skipping:
            if tag in self._skipping:
                while self._skipping.pop() != tag:
                    pass
            return
        if tag == "a" and self._links:
            self._end_link()
        elif tag in _PARAGRAPHS:
            self._break(2)
            if tag in ("ul", "ol") and self._lists:
                self._lists.pop()
        elif tag in _LINES:
            self._break(1)

    def handle_data(self, data: str) -> None:
        if self._skipping:
            self._keep_blocks(data)
            return
        self._say(data)

    def handle_comment(self, data: str) -> None:
        self._keep_blocks(data)

    def unknown_decl(self, data: str) -> None:
        self._keep_blocks(data)

    def handle_decl(self, decl: str) -> None:
        self._keep_blocks(decl)

    def handle_pi(self, data: str) -> None:
        self._keep_blocks(data)

    def _say(self, data: str) -> None:
        for piece in _BLOCK_TOKEN.split(data):
            if piece.startswith(_BLOCK):
                self._put_block(piece)
            elif piece:
                self._put(_SPACE.sub(" ", piece))

    def _put(self, piece: str) -> None:
        self._space = self._space or piece[0] == " "
        if piece == " " or self._size > LONGEST_TEXT:
            return
        if self._breaks:
            self._write("\n" * self._breaks if self._has_words else "")
        elif self._space and self._has_words:
            self._write(" ")
        self._breaks, self._has_words = 0, True
        self._write(piece.strip(" "))
        self._space = piece[-1] == " "

    def _put_block(self, token: str) -> None:
        """Writes a token of a tag. Line breaks stay behind it, so that they are of the text that needs them."""
        if self._space and self._has_words and not self._breaks:
            self._write(" ")
            self._space = False
        name = _NAME.match(self._tags[int(token[1:-1])])
        word = name[1] if name else ""
        if word in _ENDS or word.startswith("end"):
            self._break(self._blocks[-1] if self._blocks else 0)
            if word.startswith("end") and self._blocks:
                self._blocks.pop()
        elif word in ("if", "unless", "case", "for", "tablerow"):
            self._blocks.append(self._breaks)
        self._write(token)

    def _keep_blocks(self, hidden: str) -> None:
        for token in _BLOCK_TOKEN.findall(hidden):
            name = _NAME.match(self._tags[int(token[1:-1])])
            if name is None or name[1] not in _PRINTING:
                self._write(token)

    def _write(self, piece: str) -> None:
        self._out.append(piece)
        self._size += len(piece)

    def _break(self, lines: int) -> None:
        self._breaks = max(self._breaks, lines)

    def _bullet(self) -> str:
        if not self._lists or (last := self._lists[-1]) is None:
            return "-"
        self._lists[-1] = last + 1
        return f"{last + 1}."

    def _begin_link(self, address: str) -> None:
        self._links.append((address, len(self._out)))

    def _end_link(self) -> None:
        address, begins = self._links.pop()
        if not address or address.startswith("#") or address.lower().startswith(_ADDRESSES):
            self._keep_blocks(address)
            return
        text = "".join(self._out[begins:]).strip()
        if not text:
            self._say(address)
        elif text != address and self._size <= LONGEST_TEXT:
            self._write(f" ({address})")
        else:
            self._keep_blocks(address)
