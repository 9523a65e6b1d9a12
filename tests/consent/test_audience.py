"""Projects that are sent to the subscribers of topics: who is in, who is left out, and who withdraws meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest

from engine.projects import batches, contact_audience
from runtime.services import Services
from tests.consent.made import contact, subscribe, topic, withdraw
from tests.support.people import Person
from tests.support.projects import Projects

TEXTS = {"name": "News", "channel": "email", "subject": "News", "text": "Hello {{ name }} of {{ city }}"}


async def project(person: Person, topics: list[str], **values: Any) -> UUID:
    """Makes a project for the subscribers of topics, a draft."""
    audience = {"topicUuids": topics, **values.pop("audience", {})}
    answer = await person.rest("POST", "/sending-project", json={**TEXTS, "audience": audience, **values})
    assert answer.status_code == 201, answer.text
    return UUID(answer.json()["uuid"])


async def start(person: Person, id: UUID, expected: int = 200) -> Any:
    answer = await person.rest("POST", f"/sending-project/start/{id}")
    assert answer.status_code == expected, answer.text
    return answer.json()


async def outcome(projects: Projects, id: UUID) -> dict[str, str]:
    """The end of the message to each address."""
    return {
        row["to"].partition("@")[0]: row["failure_code"] or row["status"]
        for row in await projects.records(id)
    }


async def test_each_subscriber_gets_one_message_with_the_fields(projects: Projects, ada: Person):
    news, offers = await topic(ada), await topic(ada, "offers")
    fields = {"fields": {"city": "Bonn"}, "createFields": True}
    anna = await contact(ada, "anna@example.com", name="Anna", **fields)
    bert, carl, dora = [await contact(ada, f"{name}@example.com") for name in ("bert", "carl", "dora")]
    await subscribe(ada, [anna, bert], [news])
    await subscribe(ada, [anna, carl], [offers])
    await subscribe(ada, [dora], [news])
    await withdraw(ada, [dora])
    id = await project(ada, [news, offers])
    started = await start(ada, id)
    assert (started["statusReason"], started["recipientsPending"]) == (
        "recipients_pending",
        1,
    )  # a worker counts
    await projects.work()
    assert await outcome(projects, id) == {"anna": "sent", "bert": "sent", "carl": "sent"}
    row = await projects.row(id)
    assert (row["status"], row["recipients_pending"]) == ("finished", 0)
    (record,) = [row for row in await projects.records(id) if row["to"] == "anna@example.com"]
    seen = await ada.data(f'{{messageRecord(id:"{record["id"]}"){{body}}}}')
    assert seen["messageRecord"]["body"] == "Hello Anna of Bonn"
    await projects.sound(id)


async def test_topics_and_projects_are_left_out(projects: Projects, ada: Person):
    news, staff = await topic(ada), await topic(ada, "staff")
    people = {name: await contact(ada, f"{name}@example.com") for name in ("anna", "bert", "carl")}
    await subscribe(ada, [*people.values()], [news])
    await subscribe(ada, [people["anna"]], [staff])
    first = await project(ada, [news], audience={"exceptTopicUuids": [staff]})
    await withdraw(ada, [people["carl"]], [news], channel="email")
    await start(ada, first)
    await projects.work()
    assert await outcome(projects, first) == {"bert": "sent"}
    await subscribe(ada, [people["carl"]], [news], evidence="by phone")
    second = await project(ada, [news], audience={"exceptProjectUuids": [str(first)]})
    await start(ada, second)
    await projects.work()
    assert await outcome(projects, second) == {"anna": "sent", "carl": "sent"}


async def test_who_withdraws_before_the_hand_over_is_skipped(projects: Projects, ada: Person):
    news = await topic(ada)
    people = [await contact(ada, f"{name}@example.com") for name in ("anna", "bert")]
    await subscribe(ada, people, [news])
    id = await project(ada, [news])
    await start(ada, id)
    await projects.step()  # the audience is read
    await projects.step()  # the messages are made
    await withdraw(ada, people[:1])
    await projects.work()
    assert await outcome(projects, id) == {"anna": "not_subscribed", "bert": "sent"}
    await projects.sound(id)


async def _withdraws(ada: Person, contact_id: str) -> None:
    await withdraw(ada, [contact_id])


async def _leaves_this_channel(ada: Person, contact_id: str) -> None:
    await withdraw(ada, [contact_id], channel="email")


async def _is_blocked(ada: Person, contact_id: str) -> None:
    assert (await ada.rest("POST", "/block/anna@example.com", json={})).is_success


@pytest.mark.parametrize("price", [True, False], ids=["small groups", "whole batches"])
@pytest.mark.parametrize(
    ("leave", "code"),
    [(_withdraws, "not_subscribed"), (_leaves_this_channel, "not_subscribed"), (_is_blocked, "blocked")],
)
async def test_who_leaves_while_the_message_is_prepared_is_not_written_to(
    projects: Projects,
    ada: Person,
    monkeypatch: pytest.MonkeyPatch,
    price: bool,
    leave: Callable[[Person, str], Awaitable[None]],
    code: str,
):
    """The rows were read, and the answer comes before the transaction that records the intents begins."""
    news = await topic(ada)
    people = [
        await contact(
            ada, f"{name}@example.com", addresses=[{"channel": "sms", "address": f"+1415555010{n}"}]
        )
        for n, name in enumerate(("anna", "bert", "carl"))
    ]
    for channel in ("email", "sms"):
        await subscribe(ada, people, [news], channel=channel)
    if not price:
        await projects.db.fetch("""UPDATE tariffs SET prices = jsonb_set(prices, '{USD,email}', '0')""")
    id = await project(ada, [news])
    await start(ada, id)
    messages = batches.messages
    left = [*people[:1]]

    async def and_then_one_leaves(*arguments: Any) -> Any:
        rows = await messages(*arguments)
        if rows and left:
            await leave(ada, left.pop())
        return rows

    monkeypatch.setattr(batches, "messages", and_then_one_leaves)
    await projects.work()
    assert await outcome(projects, id) == {"anna": code, "bert": "sent", "carl": "sent"}
    await projects.sound(id)


async def test_an_audience_is_read_in_pages_and_goes_on_after_a_stop(
    projects: Projects, ada: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(contact_audience, "PAGE", 2)
    news, offers = await topic(ada), await topic(ada, "offers")
    people = [await contact(ada, f"c{number}@example.com") for number in range(7)]
    await subscribe(ada, people[:5], [news])
    await subscribe(ada, people[3:], [offers])
    id = await project(ada, [news, offers])
    await start(ada, id)
    assert await contact_audience._count(projects.services, id)
    assert (await projects.row(id))["recipients_pending"] == 7
    async with projects.db.transaction() as db:
        assert not await contact_audience._read_page(db, id)
    row = await projects.row(id)
    assert (row["recipients_pending"], str(row["audience_to"])) == (5, people[1])
    await ada.rest("POST", f"/sending-project/stop/{id}")
    await projects.work()
    assert (await projects.row(id))["recipients_pending"] == 0
    assert (await start(ada, id))["recipientsPending"] == 1
    await projects.work()
    assert await outcome(projects, id) == dict.fromkeys([f"c{number}" for number in range(7)], "sent")


async def test_what_a_start_refuses(ada: Person, bob: Person):
    news, terms = await topic(ada), await topic(ada, "terms", category="transactional")
    assert (await start(ada, await project(ada, [news]), 400))["code"] == "no_recipients"
    await subscribe(ada, [await contact(ada)], [news, terms])
    assert (await start(ada, await project(ada, [news, terms]), 400))["code"] == "category_differs"
    foreign = {**TEXTS, "audience": {"topicUuids": [await topic(bob)]}}
    assert (await ada.rest("POST", "/sending-project", json=foreign)).json()["code"] == "topic_not_found"
    id = await project(ada, [news])
    added = await ada.rest("POST", f"/recipient/{id}", json={"recipients": [{"address": "x@example.com"}]})
    assert (added.status_code, added.json()["code"]) == (409, "has_audience")
    assert (await ada.rest("DELETE", f"/topics/{news}")).json()["code"] == "topic_in_use"


async def test_a_list_that_has_outgrown_the_tariff_waits_for_its_owner(projects: Projects, ada: Person):
    news = await topic(ada)
    people = [await contact(ada, f"c{number}@example.com") for number in range(3)]
    await subscribe(ada, people[:2], [news])
    await projects.db.fetch("UPDATE tariffs SET max_recipients_per_project = 2")
    id = await project(ada, [news])
    await start(ada, id)
    await subscribe(ada, people[2:], [news])
    await projects.work()
    row = await projects.row(id)
    assert (row["status"], row["status_reason"]) == ("paused", "recipients_failed")
    assert "2 recipients" in row["recipients_error"]
    await ada.rest("POST", f"/sending-project/stop/{id}")
    assert (await start(ada, id, 409))["code"] == "too_many_recipients"
    await withdraw(ada, people[:1])
    await start(ada, id)
    await projects.work()
    assert sorted((await outcome(projects, id)).values()) == ["sent", "sent"]


async def test_a_contact_that_is_merged_meanwhile_is_still_subscribed(projects: Projects, ada: Person):
    news = await topic(ada)
    anna, other = await contact(ada, "anna@example.com"), await contact(ada, "other@example.com")
    await subscribe(ada, [other], [news])
    id = await project(ada, [news])
    await start(ada, id)
    await projects.step()
    await projects.step()
    await ada.rest("POST", f"/contacts/{anna}/merge", json={"otherUuid": other})
    await projects.work()
    assert await outcome(projects, id) == {"other": "sent"}


async def test_a_project_for_topics_is_no_source_of_recipients(ada: Person):
    id = await project(ada, [await topic(ada)])
    body = {
        "name": "Weekly", "template": {k: v for k, v in TEXTS.items() if k != "name"},
        "schedule": {"cron": "0 9 * * mon"}, "source": {"sendingProjectUuid": str(id)},
    }  # fmt: skip
    refused = await ada.rest("POST", "/repeatable-sending-project", json=body)
    assert (refused.status_code, refused.json()["code"]) == (409, "has_audience")


async def test_an_audience_can_be_changed_until_the_first_start(projects: Projects, ada: Person):
    news, offers = await topic(ada), await topic(ada, "offers")
    await subscribe(ada, [await contact(ada)], [news])
    id = await project(ada, [offers])
    path = f"/sending-project/{id}"
    changed = await ada.rest("PATCH", path, json={"audience": {"topicUuids": [news]}})
    assert changed.json()["audience"]["topicUuids"] == [news]
    await start(ada, id)
    await ada.rest("POST", f"/sending-project/stop/{id}")
    refused = await ada.rest("PATCH", path, json={"audience": None})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_editable")


async def test_a_repeatable_project_reads_the_subscribers_of_its_time(
    projects: Projects, ada: Person, services: Services
):
    from engine.projects import repeatable

    news = await topic(ada)
    await subscribe(ada, [await contact(ada, "anna@example.com")], [news])
    body = {
        "name": "Weekly", "template": {k: v for k, v in TEXTS.items() if k != "name"},
        "schedule": {"cron": "0 9 * * mon"}, "source": {"audience": {"topicUuids": [news]}},
    }  # fmt: skip
    made = (await ada.rest("POST", "/repeatable-sending-project", json=body)).json()
    assert made["source"]["audience"]["topicUuids"] == [news], made
    await ada.rest("POST", f"/repeatable-sending-project/{made['uuid']}/start")
    await subscribe(ada, [await contact(ada, "bert@example.com")], [news])
    await projects.db.fetch("UPDATE repeatable_projects SET next_run_at = now()")
    await repeatable.fire_due(services)
    await projects.work()
    (run,) = await projects.db.fetch("SELECT id, status FROM sending_projects")
    assert await outcome(projects, run["id"]) == {"anna": "sent", "bert": "sent"}


async def test_concurrent_withdrawals_leave_no_message_behind(projects: Projects, ada: Person):
    news = await topic(ada)
    people = [await contact(ada, f"c{number}@example.com") for number in range(40)]
    await subscribe(ada, people, [news])
    id = await project(ada, [news])
    await start(ada, id)
    await asyncio.gather(projects.work(), *(withdraw(ada, [person]) for person in people[::2]))
    await projects.work()
    assert set((await outcome(projects, id)).values()) <= {"sent", "not_subscribed"}
    await projects.sound(id)
