"""Repeatable projects from templates: all runs have the texts with which they were saved, until it is saved again."""

from typing import Any

import pytest

from engine.projects import repeatable
from runtime.services import Services
from tests.repeatable.schedules import DAILY, PATH, Schedules
from tests.support.people import Person
from tests.templates.made import again, called, published, refused, text

TEMPLATE = {"channel": "sms", "templateKey": "welcome"}


@pytest.fixture
def schedules(services: Services) -> Schedules:
    return Schedules(services)


async def test_runs_have_the_version_that_was_saved(ada: Person, schedules: Schedules, services: Services):
    made = await published(ada, "welcome", text(text="Hi {{ name }}"), text("pt", text="Oi {{ name }}"))
    uuid = await schedules.make(ada, template={**TEMPLATE, "locale": "pt-BR"})
    shown = await called(ada, "GET", f"{PATH}/{uuid}")
    names = ("text", "templateId", "templateVersion", "templateLocale", "languages")
    assert [shown["template"][name] for name in names] == ["Oi {{ name }}", made["templateId"], 1, "pt", None]
    await again(ada, made["templateId"], text(text="New"))
    await called(ada, "POST", f"/templates/{made['templateId']}/archive")
    run = await _run(ada, schedules, services, uuid)
    names = ("text", "templateId", "templateVersion", "templateLocale")
    assert [run[name] for name in names] == ["Oi {{ name }}", made["templateId"], 1, "pt"]
    uses = await called(ada, "GET", f"/templates/{made['templateId']}/used-by")
    assert uses["repeatables"] == [
        {"repeatableUuid": uuid, "name": "Morning", "status": "active", "usedVersion": 1}
    ]
    assert [use["projectUuid"] for use in uses["projects"]] == [run["uuid"]]
    await called(ada, "POST", f"/templates/{made['templateId']}/unarchive")
    patched = await called(ada, "PATCH", f"{PATH}/{uuid}", {"template": TEMPLATE})
    assert (patched["template"]["text"], patched["template"]["templateVersion"]) == ("New", 2)
    own = await called(ada, "PATCH", f"{PATH}/{uuid}", {"template": {"channel": "sms", "text": "My own"}})
    assert (own["template"]["text"], own["template"]["templateId"]) == ("My own", None)
    uses = await called(ada, "GET", f"/templates/{made['templateId']}/used-by")
    assert uses["repeatables"] == []


async def _run(person: Person, schedules: Schedules, services: Services, uuid: str) -> dict[str, Any]:
    await schedules.due(uuid)
    async with services.db.transaction() as db:
        await repeatable.fire_next(db, services.render_pool)
    id = (await schedules.runs(uuid))[-1]["id"]
    shown: dict[str, Any] = await called(person, "GET", f"/sending-project/{id}")
    return shown


async def test_what_a_repeatable_can_not_name(ada: Person, bob: Person, schedules: Schedules):
    await published(ada, "welcome", text(text="Hi"))
    source = {"importUuid": await schedules.audience(ada)}
    body = {"name": "Morning", "schedule": DAILY, "source": source}
    for person, fields, error in (
        (bob, {}, (404, "template_not_found")),
        (ada, {"channel": "email"}, (400, "template_lacks_part")),
        (ada, {"templateVersion": 9}, (404, "template_version_not_found")),
        (ada, {"text": "Hi"}, (400, "validation_failed")),
        (ada, {"templateKey": None, "localeFrom": "locale"}, (400, "validation_failed")),
    ):
        assert await refused(person, "POST", PATH, {**body, "template": {**TEMPLATE, **fields}}) == error
