"""The HTML of the page of preferences; `resolvers.signups.page_texts` has its texts."""

from collections.abc import Sequence

from core.http import html
from core.http.html import Html, tag
from engine.persons.self_service_texts import self_service_words
from resolvers.preferences.model import PreferencesPage
from resolvers.signups.page_texts import LANGUAGES, signup_words
from shapes.described import DescribedEnum


class _Channel(DescribedEnum):
    """The channels, as people call them."""

    sms = "sms", "SMS"
    email = "email", "Email"
    push = "push", "Push"
    telegram = "telegram", "Telegram"
    whatsapp = "whatsapp", "WhatsApp"


def preferences_html(page: PreferencesPage) -> str:
    """Returns the page of preferences."""
    words = signup_words(page.locale)
    several = len({choice.channel for choice in page.choices}) > 1
    boxes = [
        box(
            "topic",
            f"{choice.topic_id}:{choice.channel}",
            f"{choice.name} ({_Channel(choice.channel).description})" if several else choice.name,
            choice.description,
            checked=choice.subscribed,
        )
        for choice in page.choices
    ]
    languages = tag(
        "select",
        *(
            tag("option", each.own_name, value=each.language, selected=each.language == words.language)
            for each in LANGUAGES.values()
        ),
        name="locale",
    )
    seen = [
        tag("input", type="hidden", name="shown", value=f"{choice.topic_id}:{choice.channel}")
        for choice in page.choices
    ]
    form = tag(
        "form",
        *seen,
        *boxes,
        tag("p", tag("label", f"{words.language_label} ", languages)),
        tag("button", words.save, type="submit"),
        " ",
        tag("button", words.nothing, type="submit", name="nothing", value="1", class_="second"),
        method="post",
    )
    return html.page(
        words.preferences_title,
        tag("h1", words.preferences_title),
        tag("p", words.saved if page.saved else words.preferences, role="status" if page.saved else None),
        form,
        *_requests(page),
        language=words.language,
        dress=page.dress,
    )


def _requests(page: PreferencesPage) -> Sequence[Html]:
    """Returns the part of the page by which the person asks for the own data."""
    if not page.self_service:
        return ()
    words = self_service_words(page.locale)
    buttons = [
        tag("button", words.name(kind), type="submit", name="request", value=kind.value, class_="second")
        for kind in page.self_service
    ]
    form = tag("form", *buttons, method="post", action=f"{page.token}/your-data")
    return tag("h2", words.title), tag("p", words.offer), form


def box(name: str, value: str, label: str, about: str | None, *, checked: bool = False) -> Html:
    """Returns a box to tick, with what it is about."""
    box = tag("input", type="checkbox", name=name, value=value, checked=checked)
    # The owner's texts may be of another direction than the page.
    details = tag("span", tag("bdi", about), class_="about") if about else None
    return tag("p", tag("label", box, " ", tag("bdi", label)), details)
