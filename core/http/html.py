"""Builds small HTML pages in Python, so that no text reaches a page unescaped. They load nothing but a logo."""

import base64
import re
from hashlib import sha256
from html import escape

from core.http.dress import LOGO_BOX, NEUTRAL, NEUTRAL_DARK, Dress, direction, dressing
from shapes.brands import BrandFont

_VOID = {"meta", "link", "br", "hr", "input", "img"}


class Html(str):
    """Text that is HTML already and is not escaped again."""

    __slots__ = ()


Child = str | None

_STYLE = (
    ":root{color-scheme:light dark}"
    "*{box-sizing:border-box}"
    "body{margin:0;padding:clamp(1rem,6vh,4rem) 1rem;background:var(--canvas);color:var(--text);"
    "font:1.0625rem/1.55 var(--font);overflow-wrap:break-word}"
    ".brand,main,footer{max-width:44rem;margin-inline:auto}"
    "main{background:var(--background);border:1px solid var(--line);border-radius:.75rem;"
    "padding:clamp(1.25rem,5vw,2.5rem)}"
    ".brand{margin-block:0 1.25rem;font-size:1.25rem;font-weight:600}"
    "footer{margin-top:1.25rem;padding-inline:.25rem;color:var(--muted);font-size:.875rem}"
    "footer p,address{margin:0 0 .75rem;font-style:normal;white-space:pre-line}"
    "footer ul{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;list-style:none;margin:0 0 .75rem;padding:0}"
    "h1{margin:0 0 1rem;font-size:1.6rem;line-height:1.25}"
    "h2{margin:2.5rem 0 .5rem;font-size:1.15rem}"
    "p{margin:0 0 1rem}"
    "ul{margin:0 0 1rem;padding-inline-start:1.5rem}"
    "main>:last-child,form>:last-child{margin-bottom:0}"
    "form+form,form+p{margin-top:1rem}"
    ".about{display:block;margin-inline-start:1.6rem;color:var(--muted);font-size:.95rem}"
    "a{color:var(--accent);text-underline-offset:.15em}"
    "pre{font-size:.9rem;white-space:pre-wrap;overflow-wrap:anywhere}"
    "button{min-height:2.75rem;margin:0;margin-inline-end:.5rem;margin-bottom:.5rem;padding:.6rem 1.25rem;"
    "border:1px solid var(--accent);border-radius:.5rem;background:var(--accent);color:var(--button-text);"
    "font:inherit;font-weight:600;cursor:pointer}"
    "button:hover{filter:brightness(1.08)}"
    "button.second{background:transparent;color:var(--accent)}"
    "button:disabled{border-color:var(--line);background:transparent;color:var(--muted);cursor:default;filter:none}"
    ":focus-visible{outline:3px solid var(--accent);outline-offset:2px}"
    "input,select{font:inherit;color:inherit}"
    "[type=email],[type=text],select{min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--field);"
    "border-radius:.5rem;background:var(--background)}"
    "[type=email],[type=text]{display:block;width:100%;max-width:24rem;margin-top:.25rem}"
    "[type=checkbox]{width:1.25rem;height:1.25rem;margin:0;margin-inline-end:.35rem;vertical-align:-.25rem;"
    "accent-color:var(--accent)}"
    "label{font-weight:500}"
    "[role=alert],[role=status]{border-inline-start:.25rem solid var(--accent);padding-inline-start:.75rem}"
    "table{border-collapse:collapse;width:100%;font-size:.95rem}"
    "th,td{text-align:start;vertical-align:top;padding:.3rem 0;padding-inline-end:.75rem;"
    "border-bottom:1px solid var(--line);overflow-wrap:anywhere}"
    "th{font-weight:500;overflow-wrap:normal}"
    ".n{text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums}"
    "@media print{body{padding:0;font-size:.9rem}main{max-width:none;border:0;padding:0}tr{break-inside:avoid}}"
)
_NEUTRAL = Html(_STYLE + dressing(NEUTRAL, NEUTRAL_DARK, BrandFont.system))


def _style(dress: Dress | None) -> Html:
    return _NEUTRAL if dress is None else Html(_STYLE + dress.css)


def _hash(text: str) -> str:
    return base64.b64encode(sha256(text.encode()).digest()).decode()


def policy(form_action: str, *, script: Html | None = None, dress: Dress | None = None) -> str:
    """Returns the Content-Security-Policy of a `page`, whose forms may be sent to these addresses, and which may run
    this script and no other, in the style of this dress. The only picture is its logo.
    """
    scripts = "" if script is None else f"script-src 'sha256-{_hash(script)}'; "
    images = "" if dress is None or dress.logo is None else f"img-src {dress.logo.source}; "
    return (
        f"default-src 'none'; style-src 'sha256-{_hash(_style(dress))}'; {images}{scripts}"
        f"form-action {form_action}; base-uri 'none'; frame-ancestors 'none'"
    )


POLICY = policy("'none'")


def public_headers(
    dress: Dress | None = None, *, form_action: str = "'self'", script: Html | None = None
) -> dict[str, str]:
    """Returns the headers of pages for recipients, whose forms go to this service."""
    return {
        "Content-Security-Policy": policy(form_action, script=script, dress=dress),
        "Cache-Control": "no-store",
        "X-Robots-Tag": "noindex",
    }


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
    dress: Dress | None = None,
) -> str:
    """Returns a whole document. Send it with `policy`. `reload_after`: seconds until the browser loads it again;
    `script`: it runs at the end of the page, if the policy has it, too; so it is with `dress`.
    """
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="refresh", content=str(reload_after)) if reload_after else None,
        tag("title", title),
        tag("style", _style(dress)),
    )
    content = [
        None if dress is None else _header(dress),
        tag("main", *body),
        None if dress is None else _footer(dress, language),
        None if script is None else tag("script", script),
    ]
    document = tag("html", head, tag("body", *content), lang=language, dir=direction(language))
    return f"<!doctype html>\n{document}\n"


def _header(dress: Dress) -> Html:
    return tag("header", _name(dress), class_="brand")


def _name(dress: Dress) -> Html:
    """Returns the logo, or the name without one. A logo that can't be loaded shows the name, too."""
    if dress.logo is None:
        return tag("bdi", dress.name)
    width, height = (str(side) for side in dress.logo.within(*LOGO_BOX))
    return tag("img", src=dress.logo.url, alt=dress.name, width=width, height=height, dir="auto")


def _footer(dress: Dress, language: str) -> Html | None:
    """Returns what stands below the page. The owner's texts may be of another direction than the page."""
    links = [tag("li", tag("a", text, href=url, rel="noreferrer", dir="auto")) for text, url in dress.links]
    footer = dress.footer(language)
    parts = (
        tag("p", footer, dir="auto") if footer else None,
        tag("ul", *links) if links else None,
        tag("address", dress.address, dir="auto") if dress.address else None,
        tag("p", dress.imprint, dir="auto") if dress.imprint else None,
    )
    return tag("footer", *parts) if any(parts) else None
