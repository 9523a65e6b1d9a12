"""Builds HTML in Python, so that no text reaches a page unescaped."""

import re
from html import escape

_VOID = {"meta", "link", "br", "hr"}


class Html(str):
    """Text that is HTML already and is not escaped again."""

    __slots__ = ()


Child = str | None


def tag(kind: str, /, *children: Child, **attributes: str | bool | None) -> Html:
    """Returns an element: `tag("a", "text", href="#x")`. Text is escaped, None is left out; `class_` becomes `class`,
    `a_b` becomes `a-b`.
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value not in (None, False)
    )
    if kind in _VOID:
        return Html(f"<{kind}{written}>")
    return Html(f"<{kind}{written}>{join(*children)}</{kind}>")


def join(*children: Child) -> Html:
    """Returns the children one after another, text escaped."""
    return Html(
        "".join(
            child if isinstance(child, Html) else escape(child, quote=False)
            for child in children
            if child is not None
        )
    )


def prose(text: str) -> Html:
    """Returns one line of a description. Of Markdown it supports only `code`."""
    parts = re.split(r"`([^`]+)`", re.sub(r"\s+", " ", text))
    return join(*(tag("code", part) if index % 2 else part for index, part in enumerate(parts)))


def paragraphs(text: str) -> Html:
    """Returns the text as paragraphs, which are separated by empty lines."""
    return join(*(tag("p", prose(part)) for part in re.split(r"\n\s*\n", text.strip()) if part))


def page(title: str, *body: Child, class_: str | None = None) -> bytes:
    """Returns a whole document. It loads only our own style sheet."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("link", rel="stylesheet", href="/docs/style.css"),
    )
    return f"<!doctype html>\n{tag('html', head, tag('body', *body, class_=class_), lang='en')}\n".encode()
