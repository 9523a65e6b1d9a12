"""The HTML of the page on which a person enters a code. It works without its script, which only counts seconds down."""

from typing import Final
from urllib.parse import urlsplit

from fastapi import Response

from core.http import html
from core.http.html import Html, tag
from resolvers.verification_pages import VerificationPage
from shapes.verifications import VerificationStatus

# The server refuses what comes too early, so a browser without the script loses only the countdown.
_SCRIPT: Final = Html(
    "for(const line of document.querySelectorAll('[data-wait]')){"
    "const button=document.getElementById('resend'),until=Date.now()+line.dataset.wait*1000;"
    "const show=()=>{const left=Math.ceil((until-Date.now())/1000);"
    "button.disabled=left>0;line.hidden=left<=0;"
    "if(left>0){line.textContent=line.dataset.text.replace('{seconds}',left);setTimeout(show,250)}};"
    "show()}"
)


def answer(page: VerificationPage) -> Response:
    """Returns the page, or after the right code the way to the owner's page."""
    if page.leaves:
        return Response(status_code=303, headers={"Location": page.return_url, **_headers(page)})
    words = page.words
    body = _form(page) if page.status is VerificationStatus.pending else _end(page)
    text = html.page(
        words.title,
        tag("h1", words.title),
        *body,
        language=words.language,
        script=_SCRIPT,
        dress=page.dress,
    )
    return Response(text, headers=_headers(page), media_type="text/html")


def _headers(page: VerificationPage) -> dict[str, str]:
    """Returns the headers. Browsers ask its policy for the page to which the answer to the form leads, too."""
    parts = urlsplit(page.return_url)
    form_action = f"'self' {parts.scheme}://{parts.netloc}"
    headers = html.public_headers(page.dress, form_action=form_action, script=_SCRIPT)
    return {**headers, "Referrer-Policy": "no-referrer"}


def _form(page: VerificationPage) -> list[Html]:
    words = page.words
    notice = tag("p", page.notice, role="alert" if page.is_alert else "status") if page.notice else Html()
    field = tag(
        "input",
        type="text",
        name="code",
        inputmode="numeric",
        autocomplete="one-time-code",
        pattern=f"[0-9]{{{page.length}}}",
        maxlength=str(page.length),
        required=True,
        autofocus=True,
    )
    wait = tag(
        "p", words.wait.format(seconds=page.wait), data_wait=str(page.wait), data_text=words.wait
    ) if page.wait else Html()  # fmt: skip
    return [
        _sent_to(words.sent_to, page.to),
        notice,
        tag(
            "form",
            tag("p", tag("label", f"{words.label} ", field)),
            tag("button", words.button, type="submit"),
            method="post",
        ),
        wait,
        tag(
            "form",
            tag(
                "button", words.resend, type="submit", name="resend", value="1", id="resend", class_="second"
            ),
            method="post",
        ),
    ]


def _sent_to(sentence: str, to: str) -> Html:
    """Returns the sentence with the address, which is written from left to right in every language."""
    before, _, after = sentence.partition("{to}")
    return tag("p", before, tag("bdi", to, dir="ltr"), after)


def _end(page: VerificationPage) -> list[Html]:
    words = page.words
    texts = {
        VerificationStatus.approved: words.approved,
        VerificationStatus.expired: words.expired,
        VerificationStatus.too_many: words.too_many,
        VerificationStatus.canceled: words.canceled,
    }
    is_good = page.status is VerificationStatus.approved
    return [
        tag("p", texts[page.status], role="status" if is_good else "alert"),
        tag("p", tag("a", words.back, href=page.return_url)),
    ]
