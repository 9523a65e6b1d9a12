"""The HTML of the pages on which people sign up, confirm, choose, and ask for their data."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from fastapi import Response

from core.http import html
from core.http.dress import Dress
from core.http.html import Html, tag
from resolvers.preferences.model import PreferencesPage
from resolvers.preferences.page_html import box, preferences_html
from resolvers.self_service import RequestPage, SentPage
from resolvers.signups import OptInPage, SignupPage
from resolvers.signups.page_texts import signup_words
from shapes.self_service import SelfService

# A form may stand on a page of another origin, which reads the answer. No cookie is sent with it.
_NONE: Mapping[str, str] = {}
_RELOAD = 2  # seconds, while a file is being written
_ANY_ORIGIN = {"Access-Control-Allow-Origin": "*"}


def signup(page: SignupPage) -> Response:
    """Returns the page of a form, which asks to tick a topic if the person has not."""
    words = signup_words(page.locale)
    topics = page.topics if len(page.topics) > 1 else ()
    form = tag(
        "form",
        tag("input", type="hidden", name="locale", value=words.language),
        _field(words.email, "email", kind="email", required=True, autocomplete="email"),
        _field(words.name, "name", autocomplete="name"),
        tag("p", words.preferences, role="alert") if page.lacks_topic else None,
        *(box("topic", key, name, about) for key, name, about in topics),
        tag("p", page.text, dir="auto") if page.text else None,
        # People don't see it, and leave it empty.
        tag("div", _field("Website", "website", autocomplete="off", tabindex="-1"), hidden=True),
        tag("button", words.sign_up, type="submit"),
        method="post",
    )
    return _page(
        page.name,
        words.language,
        form,
        dress=page.dress,
        status=400 if page.lacks_topic else 200,
        headers=_headers_of(page),
    )


def _headers_of(page: SignupPage) -> Mapping[str, str]:
    """Returns the headers of a form. Browsers ask its policy for the page to which the answer leads, too."""
    if page.redirect_url is None:
        return _ANY_ORIGIN
    parts = urlsplit(page.redirect_url)
    policy = html.policy(f"'self' {parts.scheme}://{parts.netloc}", dress=page.dress)
    return {**_ANY_ORIGIN, "Content-Security-Policy": policy}


def signed_up(page: SignupPage) -> Response:
    """Returns the answer to a form: its own page, or one that asks to look into the mailbox, or the form again."""
    if page.lacks_topic:
        return signup(page)
    if page.redirect_url is not None:
        return Response(status_code=303, headers={"Location": page.redirect_url, **_ANY_ORIGIN})
    words = signup_words(page.locale)
    return _page(
        words.sent_title, words.language, tag("p", words.sent), dress=page.dress, headers=_ANY_ORIGIN
    )


def opt_in(page: OptInPage) -> Response:
    """Returns the page that asks for a confirmation, or the one that thanks for it."""
    words = signup_words(page.locale)
    names = tag("ul", *(tag("li", tag("bdi", name)) for name in page.topics))
    if page.confirmed:
        return _page(
            words.confirmed_title, words.language, tag("p", words.confirmed), names, dress=page.dress
        )
    form = tag("form", tag("button", words.confirm_button, type="submit"), method="post")
    return _page(words.confirm_title, words.language, tag("p", words.confirm), names, form, dress=page.dress)


def preferences(page: PreferencesPage) -> Response:
    """Returns the page of preferences."""
    return Response(preferences_html(page), headers=html.public_headers(page.dress), media_type="text/html")


def self_service_sent(page: SentPage) -> Response:
    """Returns the page that asks to look into the mailbox."""
    words = page.words
    return _page(words.title, words.language, tag("p", words.sent, role="status"), dress=page.dress)


def self_service(page: RequestPage) -> Response:
    """Returns the page of a link for the own data: with its button, or with what has become of the request."""
    words = page.words
    erases = page.kind is SelfService.erase
    if not page.used:
        title, ask, button = (
            (words.erase_title, words.erase_ask, words.erase_button)
            if erases
            else (words.title, words.export_ask, words.export_button)
        )
        form = tag("form", tag("button", button, type="submit"), method="post")
        return _page(title, words.language, tag("p", ask), form, dress=page.dress)
    texts: Sequence[Html] = [tag("p", words.ready, role="status")]
    if erases:
        texts = [tag("p", words.erasing, role="status")]
    elif page.is_failed:
        texts = [tag("p", words.failed, role="alert")]
    elif page.file_url is None:
        texts = [tag("p", words.writing, role="status")]
    else:
        texts = [*texts, tag("p", tag("a", words.download, href=page.file_url))]
    is_written = erases or page.is_failed or page.file_url is not None
    reload_after = None if is_written else _RELOAD
    return _page(words.title, words.language, *texts, dress=page.dress, reload_after=reload_after)


def _page(
    title: str,
    language: str,
    *body: html.Child,
    dress: Dress | None,
    status: int = 200,
    headers: Mapping[str, str] = _NONE,
    reload_after: int | None = None,
) -> Response:
    heading = tag("h1", tag("bdi", title))
    text = html.page(title, heading, *body, language=language, reload_after=reload_after, dress=dress)
    return Response(
        text, status_code=status, headers={**html.public_headers(dress), **headers}, media_type="text/html"
    )


def _field(label: str, name: str, *, kind: str = "text", **attributes: str | bool) -> Html:
    return tag("p", tag("label", f"{label} ", tag("input", type=kind, name=name, **attributes)))
