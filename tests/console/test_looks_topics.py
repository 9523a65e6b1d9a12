"""The pages of topics, sign-up forms and consent as people see them: see looks.py."""

import pytest

from tests.console.looks import Look, Looks, Sizes, every_look
from tests.console.steps import Tab
from tests.console.test_topics import new_topic
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

pytestmark = pytest.mark.rotating

_UPSERT = "mutation ($i: UpsertContacts!) { upsertContacts(input: $i) { uuids } }"
_SUBSCRIBE = "mutation ($i: SubscribeContacts!) { subscribeContacts(input: $i) { active } }"
_WITHDRAW = "mutation ($i: UnsubscribeContacts!) { unsubscribeContacts(input: $i) { withdrawn } }"
_FORM = "mutation ($i: NewSignupForm!) { createSignupForm(input: $i) { uuid } }"
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_LONG = "Bartholomew-Maximilian " * 3


def _to_the_end(tab: Tab, width: int) -> None:
    tab.page.wait("document.querySelector('main ol li') !== null")
    tab.page.evaluate("document.querySelector('main ol').scrollIntoView()")


def _subscribe(tab: Tab, width: int) -> None:
    tab.page.click("main .mantine-Paper-root button:has(.tabler-icon-plus)")


PAGES: Looks = [
    ("topics", "/console/contacts/topics", None, "main table td"),
    ("topic-add", "/console/contacts/topics?add=1", None, "[role=dialog] input"),
    ("topic-edit", "/console/contacts/topics?edit={topic}", None, "[role=dialog] input"),
    ("topics-preview", "/console/contacts/topics?preview=1", None, "[role=dialog] iframe"),
    ("topic", "/console/contacts/topics/{topic}", None, "main table td"),
    ("topic-nobody", "/console/contacts/topics/{topic}?state=pending", None, "main [role=status] p"),
    ("forms", "/console/contacts/forms", None, "main table td"),
    ("form-edit", "/console/contacts/forms?edit={form}", None, "[role=dialog] input"),
    ("consent", "/console/contacts/{contact}", None, "main ol li"),
    ("consent-entries", "/console/contacts/{contact}", _to_the_end, "main ol li"),
    ("subscribe", "/console/contacts/{contact}", _subscribe, "[role=dialog] input[type=radio]"),
    ("audience", "/console/projects/new?project={draft}", None, "main .mantine-SimpleGrid-root input"),
    ("audience-plan", "/console/projects/new?project={draft}&step=check", None, "main dl"),
    ("audience-project", "/console/projects/{draft}", None, "main dl a"),
    ("form-code", "/console/contacts/forms?code={form}", None, "[role=dialog] pre"),
]


@pytest.fixture(scope="module")
def owner(live: Live) -> Person:
    return new_user(live)


@pytest.fixture(scope="module")
def ids(live: Live, owner: Person) -> dict[str, str]:
    """Topics with long names and translations, subscribers in each state, and a form."""
    long = {"locale": "de", "name": "Unser Newsletter " * 5, "description": "Einmal im Monat " * 20}
    topic = new_topic(
        live,
        owner,
        "newsletter",
        "Our newsletter",
        description="News from our shop, once a month. " * 6,
        translations=[long, {"locale": "pt-BR", "name": "Novidades"}],
    )
    other = new_topic(live, owner, "a-long-key-" * 5, "Offers " * 12, optIn="none", public=False)
    new_topic(live, owner, "terms", "Changes of our terms", category="transactional")
    contacts = [
        {
            "externalId": f"customer-{n}",
            "name": "Anna Berg" if n else _LONG,
            "addresses": [
                {"channel": "email", "address": f"a-long-address-{n}@example.com"},
                {"channel": "sms", "address": f"+1415555011{n}"},
            ],
        }
        for n in range(4)
    ]
    people = call(live, owner, _UPSERT, i={"contacts": contacts})["upsertContacts"]["uuids"]
    proof = {"evidence": "signed form no. 17, in the shop", "text": "Yes, send me news once a month. " * 8}
    for channel in ("email", "sms"):
        subscribed = {"contactUuids": people, "topicUuids": [topic, other], "channel": channel}
        call(live, owner, _SUBSCRIBE, i=subscribed | proof)
    withdrawn = {"contactUuids": people[:2], "topicUuids": [topic], "reason": "asked for it by phone"}
    call(live, owner, _WITHDRAW, i=withdrawn)
    form = {"name": "Join us " * 10, "topicUuids": [topic, other], "text": "Yes, send me news. " * 20}
    made = call(live, owner, _FORM, i=form)["createSignupForm"]["uuid"]
    project = {
        "name": "January",
        "channel": "email",
        "subject": "News",
        "text": "Hello {{ name }}",
        "audience": {"topicUuids": [topic], "exceptTopicUuids": [other]},
    }
    draft = call(live, owner, _MAKE, i=project)["createSendingProject"]["uuid"]
    return {"draft": str(draft), "topic": topic, "contact": str(people[0]), "form": str(made)}


@every_look
def test_pages(page: Tab, owner: Person, ids: dict[str, str], language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(owner, PAGES, ids)
