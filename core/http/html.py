"""Builds small HTML pages in Python, so that no text reaches a page unescaped. They load nothing."""

import base64
import re
from hashlib import sha256
from html import escape

_VOID = {"meta", "link", "br", "hr", "input"}


class Html(str):
    """Text that is HTML already and is not escaped again."""

    __slots__ = ()


Child = str | None

_STYLE = Html(
    ":root{color-scheme:light dark}"
    "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:12vh auto;padding:0 1.5rem}"
    "h2{font-size:1.1rem}"
    "pre{font-size:.9rem;white-space:pre-wrap;overflow-wrap:anywhere}"
    "button{font:inherit;padding:.5rem 1.5rem;margin:0 .5rem .5rem 0;cursor:pointer}"
    "input,select{font:inherit}"
    "[type=email],[type=text]{display:block;box-sizing:border-box;width:100%;max-width:24rem;padding:.4rem}"
    "[type=checkbox]{width:1.1rem;height:1.1rem;vertical-align:-.1rem}"
    "table{border-collapse:collapse;width:100%;font-size:.95rem}"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-bottom:1px solid #8886;"
    "overflow-wrap:anywhere}"
    "th{font-weight:500;overflow-wrap:normal}"
    ".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"
    "@media print{body{margin:0;max-width:none;font-size:.9rem}tr{break-inside:avoid}}"
)


def _hash(text: str) -> str:
    return base64.b64encode(sha256(text.encode()).digest()).decode()


_HASH = _hash(_STYLE)


def policy(form_action: str, *, script: Html | None = None) -> str:
    """Returns the Content-Security-Policy of a `page`, whose forms may be sent to these addresses, and which may run
    this script and no other.
    """
    scripts = "" if script is None else f"script-src 'sha256-{_hash(script)}'; "
    return (
        f"default-src 'none'; style-src 'sha256-{_HASH}'; {scripts}form-action {form_action}; "
        "base-uri 'none'; frame-ancestors 'none'"
    )


POLICY = policy("'none'")
PUBLIC_HEADERS = {
    "Content-Security-Policy": policy("'self'"),
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
}
"""The headers of pages for recipients, whose forms go to this service."""


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
    """Returns one line of text. Of Markdown it supports only `code`."""
    parts = re.split(r"`([^`]+)`", text)
    return join(*(tag("code", part) if index % 2 else part for index, part in enumerate(parts)))


def page(
    title: str,
    *body: Child,
    language: str = "en",
    reload_after: int | None = None,
    script: Html | None = None,
) -> str:
    """Returns a whole document. Send it with `policy`. `reload_after`: seconds until the browser loads it again;
    `script`: it runs at the end of the page, if the policy has it, too.
    """
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="refresh", content=str(reload_after)) if reload_after else None,
        tag("title", title),
        tag("style", _STYLE),
    )
    end = None if script is None else tag("script", script)
    return f"<!doctype html>\n{tag('html', head, tag('body', *body, end), lang=language)}\n"
