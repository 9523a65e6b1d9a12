"""The HTML part of a mail in an owner's dress, beside its text. Mail programs know few rules of CSS, so each element
has its own.
"""

from collections.abc import Sequence
from typing import Any

from core.http.dress import FONTS, Dress, Palette, direction
from core.http.html import Child, Html, join, tag

_WIDTH = "36rem"
_LOGO_BOX = (240, 48)  # pixels
# Programs that know this rule show dark letters to readers who prefer them; the classes stand beside the styles.
_DARK = (
    "@media (prefers-color-scheme:dark){{"
    ".c{{background:{canvas}!important}}.b{{background:{background}!important;border-color:{line}!important}}"
    ".t{{color:{text}!important}}.m{{color:{muted}!important}}.a{{color:{accent}!important}}"
    ".q{{border-color:{line}!important}}.k{{background:{accent}!important;color:{button_text}!important}}"
    "}}"
)


def paragraph(dress: Dress, text: Child) -> Html:
    """Returns a paragraph of a letter."""
    return tag("p", text, style=f"margin:0 0 16px;color:{dress.light.text}", class_="t", dir="auto")


def bullets(dress: Dress, texts: Sequence[str]) -> Html:
    """Returns a list of a letter."""
    items = (tag("li", tag("bdi", text)) for text in texts)
    return tag("ul", *items, style=f"margin:0 0 16px;color:{dress.light.text}", class_="t")


def quote(dress: Dress, text: str) -> Html:
    """Returns a text that was shown elsewhere, with its lines."""
    colors = dress.light
    style = (
        f"margin:0 0 16px;padding:0 16px;border-left:3px solid {colors.line};border-right:3px solid {colors.line};"
        f"color:{colors.text};white-space:pre-line"
    )
    return tag("blockquote", text, style=style, class_="t q", dir="auto")


def button(dress: Dress, text: str, url: str) -> Html:
    """Returns a link that looks like a button, and the link as it is below, for programs that show no buttons."""
    colors = dress.light
    style = (
        f"display:inline-block;padding:12px 24px;border-radius:8px;background:{colors.accent};"
        f"color:{colors.button_text};font-weight:600;text-decoration:none"
    )
    plain = f"color:{colors.accent};word-break:break-all"
    return Html(
        tag("p", tag("a", text, href=url, style=style, class_="k"), style="margin:0 0 16px")
        + tag("p", tag("a", url, href=url, style=plain, class_="a", dir="ltr"), style="margin:0 0 16px")
    )


def metadata(dress: Dress, language: str, subject: str, *body: Child) -> dict[str, Any]:
    """Returns the metadata of an email: its subject, its HTML part, and the address to which answers go."""
    reply_to = {} if dress.reply_address is None else {"replyTo": dress.reply_address}
    return {"subject": subject, "html": _letter(dress, language, subject, *body), **reply_to}


def _letter(dress: Dress, language: str, subject: str, *body: Child) -> str:
    light = dress.light
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", subject),
        tag("style", _dark_rules(dress.dark)),
    )
    box = (
        f"max-width:{_WIDTH};margin:0 auto;padding:24px;background:{light.background};"
        f"border:1px solid {light.line};border-radius:12px"
    )
    content = tag(
        "div",
        _header(dress),
        tag("div", *body, style=box, class_="b"),
        _footer(dress, language),
        style=f"margin:0;padding:24px 16px;background:{light.canvas};font:16px/1.5 {FONTS[dress.font]}",
        class_="c",
        lang=language,
        dir=direction(language),
    )
    document = tag(
        "html",
        head,
        tag("body", content, style=f"margin:0;background:{light.canvas}", class_="c"),
        lang=language,
        dir=direction(language),
    )
    return f"<!doctype html>\n{document}\n"


def footer_text(dress: Dress, language: str) -> str:
    """Returns what stands below the text part of a mail."""
    links = "\n".join(f"{text}: {url}" for text, url in dress.links)
    parts = (dress.name, dress.footer(language), links, dress.address, dress.imprint)
    return "\n" + "\n\n".join(part for part in parts if part) + "\n"


def _dark_rules(dark: Palette) -> Html:
    return Html(
        _DARK.format(
            canvas=dark.canvas,
            background=dark.background,
            line=dark.line,
            text=dark.text,
            muted=dark.muted,
            accent=dark.accent,
            button_text=dark.button_text,
        )
    )


def _header(dress: Dress) -> Html:
    style = f"max-width:{_WIDTH};margin:0 auto 16px;font-size:20px;font-weight:600;color:{dress.light.text}"
    return tag("p", _name(dress), style=style, class_="t")


def _name(dress: Dress) -> Html:
    """Returns the logo on a background for which it is drawn, or the name. Many programs show a picture at the sides
    of its attributes, and its alternative until the reader wants pictures.
    """
    if dress.logo is None:
        return tag("bdi", dress.name)
    width, height = (str(side) for side in dress.logo.within(*_LOGO_BOX))
    style = f"border:0;border-radius:6px;padding:6px;background:{dress.light.background};max-width:100%"
    return tag("img", src=dress.logo.url, alt=dress.name, width=width, height=height, style=style, dir="auto")


def _footer(dress: Dress, language: str) -> Html | None:
    colors = dress.light
    style = f"margin:0 0 12px;font-size:13px;color:{colors.muted};white-space:pre-line"
    anchors = [
        join(" · " if number else None, tag("a", text, href=url, style=f"color:{colors.accent}", class_="a"))
        for number, (text, url) in enumerate(dress.links)
    ]
    parts = [
        tag("p", part, style=style, class_="m", dir="auto")
        for part in (dress.footer(language), join(*anchors), dress.address, dress.imprint)
        if part
    ]
    return tag("div", *parts, style=f"max-width:{_WIDTH};margin:16px auto 0") if parts else None
