"""Segments: whom their conditions choose, and the projects that are sent to them."""

from datetime import timedelta
from typing import Any

import pytest

from engine.contacts import segments
from engine.contacts.upsert import field_types
from engine.projects import audience_sizes, contact_audience
from engine.projects.repeatable import copy, fire_due
from resolvers import segments as resolvers
from runtime.services import Services
from shapes.segments import SegmentFilter
from tests.consent.made import contact, subscribe, topic, withdraw
from tests.consent.test_audience import outcome, project, start
from tests.repeatable.conftest import schedules
from tests.repeatable.schedules import DAILY, PATH, Schedules
from tests.support.people import Person
from tests.support.projects import Projects

__all__ = ["schedules"]


def where(*groups: Any) -> dict[str, Any]:
    """A filter of groups; a group is a list of conditions, or one."""
    return {"all": [{"any": group if isinstance(group, list) else [group]} for group in groups]}


def field(key: str, **compared: Any) -> dict[str, Any]:
    return {"contact": {"fields": [{"key": key, **compared}]}}


async def segment(person: Person, filter: Any, name: str = "some", expected: int = 201) -> Any:
    answer = await person.rest("POST", "/segments", json={"name": name, "filter": filter})
    assert answer.status_code == expected, answer.text
    return answer.json()


async def chosen(person: Person, services: Services, filter: Any) -> set[str]:
    """The names of the contacts that a filter chooses, asked at once, and looked up one by one."""
    answer = await person.rest("POST", "/segments/preview", json={"filter": filter})
    assert answer.status_code == 200, answer.text
    at_once = {each["name"] for each in answer.json()["sample"]}
    assert len(at_once) == answer.json()["size"]
    db, owner = services.db, person.id
    selection = segments.Selection(await field_types(db, owner), db.now(), "$1", 2, at_once=False)
    condition = selection.meets_any([SegmentFilter.model_validate(filter)])
    rows = await db.fetch(
        f"SELECT name FROM contacts AS c WHERE owner_id = $1 AND {condition}", owner, *selection.arguments
    )
    assert {row["name"] for row in rows} == at_once
    return at_once


@pytest.fixture
async def three(ada: Person) -> dict[str, str]:
    """Three contacts with fields."""
    fields = {
        "anna": {"city": "Bonn", "points": 10, "tags": ["vip", "new"]},
        "bert": {"city": "Berlin", "points": 30},
        "carl": {},
    }
    return {
        name: await contact(ada, f"{name}@example.com", name=name, fields=of, createFields=True)
        for name, of in fields.items()
    }


async def test_conditions_on_contacts(services: Services, ada: Person, three: dict[str, str]):
    assert await chosen(ada, services, where(field("city", eq="Bonn"))) == {"anna"}
    assert await chosen(ada, services, where(field("city", **{"in": ["Bonn", "Berlin"]}))) == {"anna", "bert"}
    assert await chosen(ada, services, where({"not": True, **field("city", eq="Bonn")})) == {"bert", "carl"}
    assert await chosen(ada, services, where({"not": True, **field("points", gt=20)})) == {"anna", "carl"}
    assert await chosen(ada, services, where(field("points", gte=10), field("tags", eq="vip"))) == {"anna"}
    assert await chosen(ada, services, where([field("points", gt=20), field("city", isSet=False)])) == {
        "bert",
        "carl",
    }
    assert await chosen(ada, services, where({"contact": {"name": {"contains": "an"}}})) == {"anna"}
    assert await chosen(ada, services, where({"contact": {"channel": {"eq": "email"}}})) == {*three}
    assert await chosen(ada, services, where({"contact": {"channel": {"notIn": ["email"]}}})) == set()
    assert await chosen(ada, services, where({"contact": {"createdWithinDays": 1}})) == {*three}
    assert (
        await chosen(ada, services, where({"contact": {"createdAt": {"lt": "2020-01-01T00:00:00Z"}}}))
        == set()
    )


async def test_conditions_on_subscriptions(services: Services, ada: Person, three: dict[str, str]):
    news = await topic(ada)
    await subscribe(ada, [three["anna"], three["bert"]], [news])
    await withdraw(ada, [three["bert"]])
    subscribed = {"subscription": {"topicUuid": news}}
    assert await chosen(ada, services, where(subscribed)) == {"anna"}
    assert await chosen(ada, services, where({"not": True, **subscribed})) == {"bert", "carl"}
    gone = {"subscription": {"topicUuid": news, "states": ["withdrawn"], "changedWithinDays": 1}}
    assert await chosen(ada, services, where(gone)) == {"bert"}
    assert await chosen(ada, services, where([subscribed, gone])) == {"anna", "bert"}
    assert (
        await chosen(ada, services, where({"subscription": {"topicUuid": news, "channel": "sms"}})) == set()
    )


async def test_conditions_on_what_was_sent(
    services: Services, projects: Projects, ada: Person, three: dict[str, str]
):
    news, offers = await topic(ada), await topic(ada, "offers")
    await subscribe(ada, [three["anna"], three["bert"]], [news])
    await subscribe(ada, [three["carl"]], [offers])
    first, second = await project(ada, [news]), await project(ada, [offers])
    for id in (first, second):
        await start(ada, id)
        await projects.work()
    sent = {"history": {"event": "sent", "withinDays": 30}}
    assert await chosen(ada, services, where(sent)) == {"anna", "bert", "carl"}
    of_project = {"history": {"event": "sent", "projectUuids": [str(first)]}}
    assert await chosen(ada, services, where(of_project)) == {"anna", "bert"}
    assert await chosen(ada, services, where({"not": True, **of_project})) == {"carl"}
    assert await chosen(ada, services, where({"history": {"event": "sent", "topicUuids": [offers]}})) == {
        "carl"
    }
    assert await chosen(ada, services, where({"history": {"event": "sent", "channel": "sms"}})) == set()
    replied = {"history": {"event": "replied"}}
    assert await chosen(ada, services, where(replied)) == set()
    await projects.db.fetch(
        """UPDATE message_records SET replied_at = now() WHERE "to" = 'anna@example.com' RETURNING id"""
    )
    assert await chosen(ada, services, where(replied)) == {"anna"}
    await projects.db.fetch("UPDATE message_records SET queued_at = now() - interval '40 days' RETURNING id")
    assert await chosen(ada, services, where(sent)) == set()


async def test_a_segment_is_made_counted_changed_and_deleted(ada: Person, bob: Person, three: dict[str, str]):
    made = await segment(ada, where(field("city", eq="Bonn")))
    assert (made["size"], made["filter"]) == (1, where(field("city", eq="Bonn")))
    assert (await segment(ada, where(field("city", eq="Bonn")), expected=409))["code"] == "segment_exists"
    await contact(ada, "dora@example.com", fields={"city": "Bonn"})
    counted = await ada.rest("POST", f"/segments/{made['id']}/count")
    assert (counted.json()["size"], counted.json()["updatedAt"]) == (2, made["updatedAt"])
    changed = await ada.rest(
        "PATCH",
        f"/segments/{made['id']}",
        json={"name": "others", "filter": where(field("city", eq="Berlin"))},
    )
    assert (changed.json()["name"], changed.json()["size"]) == ("others", 1)
    for how, path in (("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/count")):
        answer = await bob.rest(how, f"/segments/{made['id']}{path}", json={} if how == "PATCH" else None)
        assert (answer.status_code, answer.json()["code"]) == (404, "segment_not_found")
    assert (await ada.rest("DELETE", f"/segments/{made['id']}")).status_code == 204
    assert (await ada.rest("GET", "/segments")).json()["items"] == []


async def test_what_a_segment_refuses(ada: Person, bob: Person, three: dict[str, str], monkeypatch: Any):
    foreign = await topic(bob)
    for filter, status, code in (
        (where(field("nothing", eq=1)), 400, "unknown_field"),
        (where(field("city", gt=1)), 400, "bad_field"),
        (where({"subscription": {"topicUuid": foreign}}), 404, "topic_not_found"),
        (where({"history": {"event": "sent", "projectUuids": [foreign]}}), 404, "sending_project_not_found"),
        (where({}), 400, "validation_failed"),
        ({"all": []}, 400, "validation_failed"),
        (where(*[[field("city", eq="x")] * 20] * 4), 400, "validation_failed"),
    ):
        assert (await segment(ada, filter, expected=status))["code"] == code, filter
    slow = resolvers._MEETING.replace("SELECT c.id", "SELECT c.id, pg_sleep(9)")
    monkeypatch.setattr(resolvers, "_MEETING", slow)
    monkeypatch.setattr(resolvers, "SECONDS", 0.1)
    assert (await segment(ada, where(field("city", eq="Bonn")), expected=400))[
        "code"
    ] == "segment_too_expensive"
    assert (await ada.rest("GET", "/segments")).json()["items"] == []


async def test_what_a_segment_names_stays(ada: Person):
    news = await topic(ada)
    added = await ada.rest("POST", "/contact-fields", json={"key": "city", "type": "text"})
    made = await segment(ada, where([field("city", eq="Bonn"), {"subscription": {"topicUuid": news}}]))
    refused = await ada.rest("DELETE", f"/contact-fields/{added.json()['id']}")
    assert (refused.status_code, refused.json()["code"]) == (409, "field_in_use")
    assert (await ada.rest("DELETE", f"/topics/{news}")).json()["code"] == "topic_in_use"
    await ada.rest("DELETE", f"/segments/{made['id']}")
    assert (await ada.rest("DELETE", f"/contact-fields/{added.json()['id']}")).status_code == 204
    assert (await ada.rest("DELETE", f"/topics/{news}")).status_code == 204


async def test_an_audience_is_narrowed_down_by_segments(
    projects: Projects, ada: Person, three: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(contact_audience, "PAGE", 2)
    news = await topic(ada)
    await subscribe(ada, [*three.values()], [news])
    rich = await segment(ada, where(field("points", gte=10)))
    vip = await segment(ada, where(field("tags", eq="vip")), "vip")
    names = {"segmentUuids": [rich["id"]], "exceptSegmentUuids": [vip["id"]]}
    narrowed = await project(ada, [news], audience=names)
    plan = (await ada.rest("POST", f"/sending-project/{narrowed}/plan", json={})).json()
    assert (plan["recipients"], plan["examined"]) == (1, 1)
    await start(ada, narrowed)
    # What is changed now has no effect on a project that was started.
    await ada.rest("PATCH", f"/segments/{rich['id']}", json={"filter": where(field("city", isSet=False))})
    in_use = await ada.rest("DELETE", f"/segments/{rich['id']}")
    assert (in_use.status_code, in_use.json()["code"]) == (409, "segment_in_use")
    await projects.work()
    assert await outcome(projects, narrowed) == {"bert": "sent"}
    assert (await ada.rest("DELETE", f"/segments/{vip['id']}")).status_code == 204
    await projects.sound(narrowed)
    again = await project(ada, [news], audience={"segmentUuids": [rich["id"]]})
    await start(ada, again)
    await projects.work()
    assert await outcome(projects, again) == {"carl": "sent"}


async def test_segments_alone_are_for_what_needs_no_consent(
    projects: Projects, ada: Person, three: dict[str, str]
):
    rich = await segment(ada, where(field("points", gte=10)))
    promotional = await project(ada, [], audience={"segmentUuids": [rich["id"]]})
    assert (await start(ada, promotional, 400))["code"] == "no_topic"
    terms = await project(ada, [], audience={"segmentUuids": [rich["id"]]}, category="transactional")
    await start(ada, terms)
    await projects.work()
    assert await outcome(projects, terms) == {"anna": "sent", "bert": "sent"}
    nobody = {"topicUuids": [], "segmentUuids": []}
    answer = await ada.rest(
        "POST", "/sending-project", json={"name": "x", "channel": "email", "audience": nobody}
    )
    assert answer.status_code == 400


async def test_a_segment_that_can_not_be_read_any_more_waits_for_its_owner(
    projects: Projects, ada: Person, three: dict[str, str]
):
    news = await topic(ada)
    await subscribe(ada, [*three.values()], [news])
    rich = await segment(ada, where(field("points", gte=10)))
    id = await project(ada, [news], audience={"segmentUuids": [rich["id"]]})
    await start(ada, id)
    await projects.db.fetch("DELETE FROM contact_fields RETURNING id")
    await projects.work()
    row = await projects.row(id)
    assert (row["status"], row["status_reason"]) == ("paused", "recipients_failed")
    assert "points" in row["recipients_error"]


async def test_birthdays_are_those_of_the_day_of_the_start(projects: Projects, ada: Person):
    today = projects.services.db.now()
    news = await topic(ada, "birthdays")
    await ada.rest("POST", "/contact-fields", json={"key": "birthday", "type": "date"})
    people = []
    for name, day in (("anna", today), ("bert", today + timedelta(days=3))):
        fields = {"birthday": f"1990-{day:%m-%d}" if f"{day:%m-%d}" != "02-29" else "1988-02-29"}
        people.append(await contact(ada, f"{name}@example.com", name=name, timezone="UTC", fields=fields))
    await subscribe(ada, people, [news])
    born = await segment(ada, where(field("birthday", inDays=0)))
    id = await project(
        ada,
        [news],
        audience={"segmentUuids": [born["id"]]},
        text="Happy birthday {{ name }}, {{ run.date }}!",
    )
    await start(ada, id)
    await projects.work()
    assert await outcome(projects, id) == {"anna": "sent"}
    (record,) = await projects.records(id)
    seen = await ada.data(f'{{messageRecord(id:"{record["id"]}"){{body}}}}')
    row = await projects.db.fetchrow("SELECT started_at FROM sending_projects WHERE id = $1", id)
    assert seen["messageRecord"]["body"] == f"Happy birthday anna, {row['started_at']:%Y-%m-%d}!"


async def test_a_run_with_nobody_in_its_audience_is_finished(
    projects: Projects, schedules: Schedules, ada: Person, three: dict[str, str]
):
    news = await topic(ada)
    await subscribe(ada, [*three.values()], [news])
    born = await segment(ada, where(field("city", eq="Rome")))
    audience = {"topicUuids": [news], "segmentUuids": [born["id"]]}
    template = {"channel": "email", "subject": "Hello", "text": "Hello {{ name }}"}
    made = await ada.rest(
        "POST",
        PATH,
        json={"name": "Daily", "template": template, "schedule": DAILY, "source": {"audience": audience}},
    )
    assert made.status_code == 201, made.text
    uuid = made.json()["uuid"]
    await ada.rest("POST", f"{PATH}/{uuid}/start")
    for city in (None, "Rome"):
        if city:
            await ada.rest("PATCH", f"/contacts/{three['carl']}", json={"fields": {"city": city}})
        await schedules.due(uuid, "60 seconds" if city is None else "1 second")
        await fire_due(projects.services)
        for run in await schedules.jobs("repeatable.copy"):
            await copy(projects.services, run)
        await projects.work()
    first, second = sorted(await schedules.runs(uuid), key=lambda run: run["fire_at"])
    assert (first["status"], first["recipients"], await outcome(projects, first["id"])) == ("finished", 0, {})
    assert await outcome(projects, second["id"]) == {"carl": "sent"}
    assert (await schedules.row(uuid))["last_error"] is None


async def test_an_audience_that_takes_long_to_count_is_started_all_the_same(
    projects: Projects, ada: Person, three: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    news = await topic(ada)
    await subscribe(ada, [*three.values()], [news])
    rich = await segment(ada, where(field("points", gte=10)))
    id = await project(ada, [news], audience={"segmentUuids": [rich["id"]]})
    slow = "count(*) + length(pg_sleep(2)::text) AS contacts"
    monkeypatch.setattr(contact_audience, "SIZE", contact_audience.SIZE.replace("count(*) AS contacts", slow))
    monkeypatch.setattr(audience_sizes, "_SECONDS", 1)
    await start(ada, id)
    await projects.work()
    assert await outcome(projects, id) == {"anna": "sent", "bert": "sent"}


async def test_a_page_that_takes_long_becomes_smaller(
    projects: Projects, ada: Person, three: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    news = await topic(ada)
    await subscribe(ada, [*three.values()], [news])
    id = await project(ada, [news])
    await start(ada, id)
    read, sizes = contact_audience._read_page, []

    async def slow(db: Any, project: Any, most: int) -> bool:
        sizes.append(most)
        if most > 50:
            await db.execute("SET LOCAL statement_timeout = '10ms'")
            await db.execute("SELECT pg_sleep(1)")
        return await read(db, project, most)

    monkeypatch.setattr(contact_audience, "_read_page", slow)
    await projects.work()
    assert sizes == [5000, 500, 50]
    assert sorted((await outcome(projects, id)).values()) == ["sent", "sent", "sent"]


async def test_a_preview_goes_on_after_a_contact(ada: Person):
    for number in range(45):
        await contact(ada, f"p{number}@example.com", name=f"p{number}")
    body: dict[str, Any] = {"filter": where({"contact": {"createdWithinDays": 7}})}
    names: list[str] = []
    while True:
        answer = (await ada.rest("POST", "/segments/preview", json=body)).json()
        assert answer["size"] == 45
        names += [each["name"] for each in answer["sample"]]
        if len(answer["sample"]) < 20:
            break
        body["after"] = answer["sample"][-1]["id"]
    assert names == [f"p{number}" for number in reversed(range(45))]
