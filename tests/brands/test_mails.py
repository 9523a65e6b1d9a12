"""The mail that asks for a confirmation, in the dress of its owner."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from urllib.parse import urlsplit

import httpx
import pytest

from channels.mailbox import Mailbox
from channels.port import Outgoing
from channels.smtp.mail import Composer
from engine.consent import expiry
from engine.direct.dispatch import Dispatcher
from engine.direct.withheld_links import OPT_IN, YOUR_DATA
from runtime.services import Services
from tests.brands.pages import AGREED, Parsed, mailed, set_brand
from tests.brands.test_dressed_pages import ELEMENTS, EVIL, FIELDS
from tests.consent.made import contact, topic
from tests.persons.test_self_service import ask, offer, preferences
from tests.support.people import People, Person


@pytest.fixture
async def owner(people: People) -> Person:
    return await people.make(credit="10")


async def sign_up(client: httpx.AsyncClient, owner: Person, key: str = "news", **values: object) -> None:
    news = await topic(owner, key, optIn="double", **values)
    body = {"name": "News", "topicUuids": [news], "text": AGREED}
    form = (await owner.rest("POST", "/signup-forms", json=body)).json()["id"]
    answer = await client.post(f"/signup/{form}", data={"email": "anna@example.com"})
    assert answer.status_code == 200


def composed(message: Outgoing) -> EmailMessage:
    mail = Composer(Mailbox.parse("gateway@example.com")).compose(message)
    return message_from_bytes(mail.content.replace(b"\r\n..", b"\r\n."), policy=default)


async def test_without_a_brand_it_is_plain_text(
    client: httpx.AsyncClient, dispatcher: Dispatcher, owner: Person
):
    await sign_up(client, owner)
    (mail,) = await mailed(dispatcher)
    assert (mail.html, mail.reply_to, AGREED in mail.body) == (None, None, False)


async def test_both_parts_have_the_link_and_the_text_that_was_agreed_to(
    services: Services, client: httpx.AsyncClient, dispatcher: Dispatcher, owner: Person
):
    await set_brand(
        owner,
        address="1 High Street",
        imprint="No. 0123",
        links=[{"text": "Privacy", "url": "https://example.com/privacy"}],
        footers=[{"locale": "en", "text": "Nice to have you"}],
        replyAddress="help@example.com",
        colors={"accent": "#0b6e4f"},
    )
    await sign_up(client, owner, name="Our news")
    (mail,) = await mailed(dispatcher)
    assert mail.html is not None and mail.reply_to == "help@example.com"
    link = OPT_IN.url(services.settings, services.key(OPT_IN.purpose), mail.id)
    page = Parsed(mail.html)
    for text in (page.text, mail.body):
        for part in (
            AGREED,
            "Our news",
            link,
            "Example Shop",
            "1 High Street",
            "No. 0123",
            "Nice to have you",
        ):
            assert part in text
    assert set(page.attributes("href")) == {link, "https://example.com/privacy"}
    assert page.attributes("src") == [] and {tag for tag, _ in page.elements} <= ELEMENTS - {"script", "form"}
    assert "#0b6e4f" in mail.html
    # A reader of the list of messages sees an example in both parts, which confirms nothing.
    (stored,) = await services.db.fetch("SELECT body, metadata FROM messages WHERE id = $1", mail.id)
    example = OPT_IN.example(services.settings)
    for text in (stored["body"], stored["metadata"]["html"]):
        assert example in text and link not in text
    assert (await client.post(urlsplit(link).path)).status_code == 200


async def test_the_reminder_has_it_too(
    services: Services, client: httpx.AsyncClient, dispatcher: Dispatcher, owner: Person
):
    await sign_up(client, owner)
    await mailed(dispatcher)
    await set_brand(owner, replyAddress="help@example.com")
    await services.db.fetch("UPDATE opt_ins SET created_at = created_at - interval '4 days'")
    await expiry.remind_and_forget(services)
    (mail,) = await mailed(dispatcher)
    assert mail.html is not None and AGREED in Parsed(mail.html).text and AGREED in mail.body
    assert mail.reply_to == "help@example.com"


async def test_another_owner_s_brand_is_in_no_mail(
    client: httpx.AsyncClient, dispatcher: Dispatcher, owner: Person, people: People
):
    await set_brand(await people.make(), name="Bob's Secret")
    await sign_up(client, owner)
    (mail,) = await mailed(dispatcher)
    assert mail.html is None and "Secret" not in mail.body


@pytest.mark.parametrize("field", [*FIELDS, "topic"])
async def test_nothing_of_a_brand_is_html_or_a_header(
    client: httpx.AsyncClient, dispatcher: Dispatcher, owner: Person, field: str
):
    await set_brand(owner, **({} if field == "topic" else {field: FIELDS[field]}))
    await sign_up(client, owner, name=EVIL[:100] if field == "topic" else "News")
    (mail,) = await mailed(dispatcher)
    page = Parsed(mail.html or "")
    assert {tag for tag, _ in page.elements} <= ELEMENTS - {"script", "form"}
    assert not [each for _, attributes in page.elements for each in attributes if each.startswith("on")]
    assert all(url.startswith(("http://", "https://")) for url in page.attributes("href"))
    assert all("alert" not in style for style in page.attributes("style"))
    parsed = composed(mail)
    assert parsed.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in parsed.iter_parts()] == ["text/plain", "text/html"]
    assert set(parsed.keys()) <= {"Message-ID", "X-Postern-Key", "From", "To", "Subject", "Date", "MIME-Version",
        "Content-Type", "Feedback-ID", "X-Postern-Ref"}  # fmt: skip


async def test_the_reply_address_is_one_header(
    client: httpx.AsyncClient, dispatcher: Dispatcher, owner: Person
):
    await set_brand(owner, name="a, b <eve@example.com>", replyAddress="hilfe@bücher.example")
    await sign_up(client, owner)
    (mail,) = await mailed(dispatcher)
    parsed = composed(mail)
    assert len(parsed.get_all("Reply-To")) == 1
    assert "eve@" not in str(parsed["Reply-To"]) and "eve@" not in str(parsed["From"])


async def test_metadata_of_a_caller_can_be_anything(dispatcher: Dispatcher, owner: Person):
    for channel, to in (("sms", "+14155550100"), ("push", "token")):
        for html in (5, ["a"], "text"):
            body = {"channel": channel, "to": to, "body": "hi", "metadata": {"optIn": True, "html": html}}
            answer = await owner.rest("POST", "/messages", json=body)
            assert answer.status_code == 202, answer.text
        await dispatcher.drain(channel)
    states = [item["status"] for item in (await owner.rest("GET", "/messages")).json()["items"]]
    assert states == ["sent"] * 6


async def test_the_link_to_the_own_data_comes_in_the_dress(
    services: Services, client: httpx.AsyncClient, dispatcher: Dispatcher, owner: Person
):
    await set_brand(owner, name=EVIL[:100], replyAddress="help@example.com")
    await offer(owner, ["export"])
    await ask(client, await preferences(services, await contact(owner)), "export")
    (mail,) = await mailed(dispatcher)
    link = YOUR_DATA.url(services.settings, services.key(YOUR_DATA.purpose), mail.id)
    page = Parsed(mail.html or "")
    assert link in mail.body and set(page.attributes("href")) == {link}
    assert {tag for tag, _ in page.elements} <= ELEMENTS - {"script", "form"}
    assert EVIL[:100] in page.text and mail.reply_to == "help@example.com"
