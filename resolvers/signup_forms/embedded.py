"""The HTML of a sign-up form for a page of the owner's: a plain form without a script, with or without a style.

It sends to the form's own address, where limits, the field for programs and the confirmation by mail are the same as
for the page there. It needs no token against forgery: it has no login, and a request only asks an address to confirm.
"""

from collections.abc import Sequence
from typing import Final

from core.http.dress import FONTS, NEUTRAL, Dress, direction
from core.http.html import Html, tag
from resolvers.signups.page_texts import SignupWords
from shapes.brands import BrandFont

_CLASS: Final = "postern-signup"
# Rules of this form alone, in the light colors of the brand: the page around it has its own colors.
_STYLE: Final = (
    ".{name}{{max-width:28rem;padding:1.25rem;border:1px solid {line};border-radius:.5rem;background:{background};"
    "color:{text};font:16px/1.5 {font}}}"
    ".{name} p{{margin:0 0 1rem}}.{name} label{{font-weight:500}}.{name} small{{display:block;color:{muted}}}"
    ".{name} [type=email],.{name} [type=text]{{display:block;box-sizing:border-box;width:100%;margin-top:.25rem;"
    "padding:.6rem .75rem;border:1px solid {field};border-radius:.5rem;background:{background};color:{text};"
    "font:inherit}}"
    ".{name} [type=checkbox]{{accent-color:{accent}}}"
    ".{name} button{{min-height:2.75rem;padding:.6rem 1.25rem;border:0;border-radius:.5rem;background:{accent};"
    "color:{button_text};font:inherit;font-weight:600;cursor:pointer}}"
    ".{name} :focus-visible{{outline:3px solid {accent};outline-offset:2px}}"
    ".{name} [hidden]{{display:none}}"
)


def form_html(
    action: str,
    words: SignupWords,
    locale: str | None,
    topics: Sequence[tuple[str, str, str | None]],
    text: str | None,
    style: Html | None,
) -> str:
    """Returns the form. `topics` are key, name and description of each that a person can choose; `locale` becomes that
    of the contact; `style`: the rules that stand before the form.
    """
    form = tag(
        "form",
        tag("input", type="hidden", name="locale", value=locale) if locale else None,
        "\n",
        _field(words.email, "email", kind="email", required=True, autocomplete="email"),
        _field(words.name, "name", autocomplete="name", maxlength="100"),
        *(_box(*topic) for topic in topics),
        tag("p", text, dir="auto") if text else None,
        "\n",
        tag("div", _field("Website", "website", autocomplete="off", tabindex="-1"), hidden=True),
        "\n",
        tag("button", words.sign_up, type="submit"),
        "\n",
        class_=_CLASS,
        method="post",
        action=action,
        accept_charset="utf-8",
        lang=words.language,
        dir=direction(words.language),
    )
    before = "" if style is None else f"{tag('style', style)}\n"
    return f"{before}{form}\n"


def style_of(dress: Dress | None) -> Html:
    """Returns the rules of a form in the dress of its owner, or in neutral colors."""
    colors = NEUTRAL if dress is None else dress.light
    return Html(
        _STYLE.format(
            name=_CLASS,
            background=colors.background,
            text=colors.text,
            accent=colors.accent,
            button_text=colors.button_text,
            line=colors.line,
            field=colors.field,
            muted=colors.muted,
            font=FONTS[BrandFont.system if dress is None else dress.font],
        )
    )


def _field(label: str, name: str, *, kind: str = "text", **attributes: str | bool) -> Html:
    return Html(tag("p", tag("label", f"{label} ", tag("input", type=kind, name=name, **attributes))) + "\n")


def _box(key: str, name: str, about: str | None) -> Html:
    box = tag("input", type="checkbox", name="topic", value=key)
    details = tag("small", about, dir="auto") if about else None
    return Html(tag("p", tag("label", box, " ", tag("bdi", name)), details) + "\n")
