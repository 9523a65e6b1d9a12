"""The pages that show a brand, and what stands in them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx

from channels.port import Outgoing
from channels.sandbox import box
from engine.direct.dispatch import Dispatcher
from engine.direct.withheld_links import OPT_IN, YOUR_DATA
from engine.texts import recipient_links
from runtime.services import Services
from tests.consent.made import contact, subscribe, topic
from tests.persons.test_self_service import BROWSER
from tests.support.people import Person
from tests.support.projects import Projects
from tests.unsubscribe.test_unsubscribe import path_of, record

AGREED = "Yes, send me news."


@dataclass
class Parsed(HTMLParser):
    """The elements and the texts of a page."""

    source: str
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def attributes(self, name: str) -> list[str]:
        return [each[name] or "" for _, each in self.elements if name in each]


async def set_brand(person: Person, **values: Any) -> dict[str, Any]:
    answer = await person.rest("PUT", "/brand", json={"name": "Example Shop", **values})
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def mailed(dispatcher: Dispatcher) -> list[Outgoing]:
    """Delivers the emails that are queued, and returns them."""
    box().outbox.clear()
    await dispatcher.drain("email")
    return [accepted.message for accepted in box().outbox]


@dataclass
class Site:
    """The pages of an owner's recipients, by paths that stay valid."""

    services: Services
    client: httpx.AsyncClient
    owner: Person
    gets: Mapping[str, str]
    form: str
    preferences: str
    verification: str

    async def pages(self) -> dict[str, httpx.Response]:
        """Returns every page that shows a brand: those that are opened, those that answer forms, and errors."""
        pages = {name: await self.client.get(path, headers=BROWSER) for name, path in self.gets.items()}
        posts: Mapping[str, tuple[str, dict[str, Any]]] = {
            "no topic": (self.form, {"email": "new@example.com"}),
            "signed up": (self.form, {"email": "new@example.com", "topic": "news"}),
            "no address": (self.form, {"email": "nothing", "topic": "news"}),  # an error
            "saved": (self.preferences, {"locale": "en"}),
            "own data": (f"{self.preferences}/your-data", {"request": "export"}),
            "not offered": (f"{self.preferences}/your-data", {"request": "erase"}),  # an error
            "wrong code": (self.verification, {"code": "1"}),
            "resent": (self.verification, {"resend": "1"}),
        }
        for name, (path, form) in posts.items():
            pages[name] = await self.client.post(path, data=form, headers=BROWSER)
        return pages


STATUSES = {"no topic": 400, "no address": 400, "not offered": 404}


async def build(
    services: Services, client: httpx.AsyncClient, dispatcher: Dispatcher, projects: Projects, owner: Person
) -> Site:
    """Makes an owner's form, contact, messages and verification, and returns the paths of their pages."""
    await owner.rest("PATCH", f"/users/{owner.id}", json={"selfService": ["export"]})
    news, offers = await topic(owner, optIn="double"), await topic(owner, "offers", optIn="double")
    body = {"name": "News", "topicUuids": [news, offers], "text": AGREED}
    form = f"/signup/{(await owner.rest('POST', '/signup-forms', json=body)).json()['id']}"
    await client.post(form, data={"email": "anna@example.com", "topic": ["news"]})
    (mail,) = await mailed(dispatcher)
    anna = (await owner.rest("GET", "/contacts")).json()["items"][0]["id"]
    links = recipient_links.of(services, [recipient_links.PREFERENCES], UUID(anna), UUID(anna))
    preferences = urlsplit(links[recipient_links.PREFERENCES]).path
    await client.post(f"{preferences}/your-data", data={"request": "export"})
    (data,) = await mailed(dispatcher)
    opt_in = OPT_IN.url(services.settings, services.key(OPT_IN.purpose), mail.id)
    your_data = YOUR_DATA.url(services.settings, services.key(YOUR_DATA.purpose), data.id)
    confirmed = await _confirmed(services, client, dispatcher, form)
    started = await owner.rest(
        "POST",
        "/verifications",
        json={"to": "+14155550100", "channel": "sms", "returnUrl": "https://shop.example/back"},
    )
    verification = urlsplit(started.json()["pageUrl"]).path
    gets = {
        "form": form,
        "opt-in": urlsplit(opt_in).path,
        "confirmed": confirmed,
        "preferences": preferences,
        "own data link": urlsplit(your_data).path,
        "unsubscribe": path_of(services, await record(services, owner)),
        "unsubscribe topics": await _of_topics(owner, projects),
        "code": verification,
    }
    return Site(services, client, owner, gets, form, preferences, verification)


async def _confirmed(services: Services, client: httpx.AsyncClient, dispatcher: Dispatcher, form: str) -> str:
    """Returns the path of an opt-in that is confirmed."""
    await client.post(form, data={"email": "bert@example.com", "topic": ["news"]})
    (mail,) = await mailed(dispatcher)
    path = urlsplit(OPT_IN.url(services.settings, services.key(OPT_IN.purpose), mail.id)).path
    assert (await client.post(path)).status_code == 200
    return path


async def _of_topics(owner: Person, projects: Projects) -> str:
    """Returns the unsubscribe page of an email to subscribers of a topic."""
    free = await topic(owner, "free")
    carl = await contact(owner, "carl@example.com")
    await subscribe(owner, [carl], [free])
    texts = {"name": "News", "channel": "email", "subject": "News", "text": "Hello"}
    answer = await owner.rest("POST", "/sending-project", json={**texts, "audience": {"topicUuids": [free]}})
    assert answer.status_code == 201, answer.text
    assert (await owner.rest("POST", f"/sending-project/start/{answer.json()['uuid']}")).status_code == 200
    box().outbox.clear()
    await projects.work()
    (accepted,) = box().outbox
    return urlsplit(accepted.message.headers["List-Unsubscribe"].strip("<>")).path
