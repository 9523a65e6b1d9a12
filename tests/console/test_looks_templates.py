"""The pages of templates as people see them: see looks.py."""

import pytest

from tests.console.looks import Look, Looks, Sizes, every_look
from tests.console.steps import Tab
from tests.console.test_segments import new_contact
from tests.console.test_templates import LETTER, new_template, new_version
from tests.console.test_topics import ANNA
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

pytestmark = pytest.mark.rotating

_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_BAD = (
    '<img src="https://example.com/a.png"><a href="http://example.com/a-long-path-without-a-space">Shop</a>'
)


def _dark_phone(tab: Tab, width: int) -> None:
    tab.sees_element("main iframe")
    tab.press("Phone" if tab.has("Phone") else "Телефон")
    tab.press("Dark" if tab.has("Dark") else "Тёмный")


PAGES: Looks = [
    ("templates", "/console/templates", None, "main table td"),
    ("template-new", "/console/templates/{empty}", None, "main textarea"),
    ("template-draft", "/console/templates/{template}", None, "main iframe"),
    ("template-dark", "/console/templates/{template}", _dark_phone, "main iframe[data-dark]"),
    ("template-published", "/console/templates/{template}?version={published}", None, "main pre"),
    ("template-project", "/console/projects/new?project={project}&step=text", None, "main [role=status] a"),
    ("template-of-project", "/console/projects/{project}", None, "main a[href*='/templates/']"),
]


@pytest.fixture(scope="module")
def owner(live: Live) -> Person:
    return new_user(live)


@pytest.fixture(scope="module")
def ids(live: Live, owner: Person) -> dict[str, str]:
    """Templates with long names, one with a draft that has every problem, and a project with the texts of one."""
    new_contact(live, owner, ANNA)
    frame = new_template(live, owner, "frame", "The frame of every letter " * 4)
    new_version(live, owner, frame, {"locale": "en", "html": "<div>{{ content }}</div>"})
    template = new_template(
        live, owner, "a-key-that-is-as-long-as-keys-may-be-so-that-it-needs-some-room", "Winter sale"
    )
    published = new_version(live, owner, template, LETTER, LETTER | {"locale": "pt-BR"}, layoutKey="frame")
    new_version(
        live,
        owner,
        template,
        LETTER | {"html": f"<h1>Dear {{{{ name }}}}</h1>{_BAD}", "preheader": "Up to half off, until Sunday"},
        LETTER | {"locale": "pt-BR"},
        publish=False,
        testData={"name": "Ada"},
    )
    with_subject = new_template(live, owner, "plain", "A plain letter")
    new_version(live, owner, with_subject, LETTER)
    project = call(live, owner, _MAKE, i={"name": "Spring", "channel": "email", "templateKey": "plain"})
    return {
        "template": template,
        "published": published,
        "empty": new_template(live, owner, "empty", "Nothing yet"),
        "project": str(project["createSendingProject"]["uuid"]),
    }


@every_look
def test_pages(page: Tab, owner: Person, ids: dict[str, str], language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(owner, PAGES, ids)
