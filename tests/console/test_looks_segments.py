"""The page of segments and their builder as people see them: see looks.py."""

import pytest

from tests.console.looks import Look, Looks, Sizes, every_look
from tests.console.steps import Tab
from tests.console.test_segments import BEN, new_contact, new_segment
from tests.console.test_topics import ANNA, new_topic
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

pytestmark = pytest.mark.rotating

_FIELD = "mutation ($i: NewContactField!) { createContactField(input: $i) { uuid } }"
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_SIZE = "[role=dialog] [role=status][aria-busy=false]"


def _end_of_dialog(tab: Tab, width: int) -> None:
    tab.sees_element(_SIZE)
    tab.page.evaluate(f"document.querySelector({_SIZE!r}).scrollIntoView()")


PAGES: Looks = [
    ("segments", "/console/contacts/segments", None, "main table td"),
    ("segment-add", "/console/contacts/segments?add=1", None, "[role=dialog] fieldset"),
    ("segment-edit", "/console/contacts/segments?edit={segment}", None, _SIZE),
    ("segment-size", "/console/contacts/segments?edit={segment}", _end_of_dialog, _SIZE),
    ("segment-json", "/console/contacts/segments?edit={json}", None, _SIZE),
    (
        "segment-audience",
        "/console/projects/new?project={draft}",
        None,
        "main .mantine-SimpleGrid-root input",
    ),
    ("segment-alone", "/console/projects/new?project={bills}", None, "main .mantine-SimpleGrid-root input"),
    ("segment-project", "/console/projects/{draft}", None, "main dl a[href$=segments]"),
]


@pytest.fixture(scope="module")
def owner(live: Live) -> Person:
    return new_user(live)


@pytest.fixture(scope="module")
def ids(live: Live, owner: Person) -> dict[str, str]:
    """Segments with every kind of condition and with long names, and projects for them."""
    for type in ("text", "date"):
        call(live, owner, _FIELD, i={"key": f"of_{type}", "type": type, "label": f"A field of {type} " * 4})
    new_contact(live, owner, ANNA, of_text="Berlin", of_date="1990-02-28")
    new_contact(live, owner, BEN | {"name": "Bartholomew-Maximilian " * 3}, of_text="Berlin")
    topic = new_topic(live, owner, "newsletter", "Our newsletter " * 6, optIn="none")
    project = {"channel": "email", "subject": "News", "text": "Hello {{ name }}"}

    def made(name: str, **values: object) -> str:
        made = call(live, owner, _MAKE, i=project | {"name": name} | values)
        return str(made["createSendingProject"]["uuid"])

    earlier = made("January for all of our customers in Berlin " * 3)
    segment = new_segment(
        live,
        owner,
        "Readers in Berlin " * 5,
        {"contact": {"fields": [{"key": "of_text", "eq": "Berlin"}]}},
        {"not": True, "contact": {"fields": [{"key": "of_date", "inDays": 0}]}},
        {"contact": {"channel": {"in": ["email", "sms", "telegram"]}}},
        {"subscription": {"topicUuid": topic, "states": ["active", "withdrawn"], "changedWithinDays": 7}},
        {"history": {"event": "replied", "projectUuids": [earlier], "topicUuids": [topic]}},
    )
    between = {"contact": {"fields": [{"key": "of_date", "gte": "1990-01-01", "lt": "2000-01-01"}]}}
    json = new_segment(live, owner, "Born in the nineties", between)
    audience = {"topicUuids": [topic], "segmentUuids": [segment], "exceptSegmentUuids": [json]}
    alone = {"segmentUuids": [segment, json]}
    return {
        "segment": segment,
        "json": json,
        "draft": made("February", audience=audience),
        "bills": made("Bills", category="transactional", audience=alone),
    }


@every_look
def test_pages(page: Tab, owner: Person, ids: dict[str, str], language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(owner, PAGES, ids)
