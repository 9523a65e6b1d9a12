"""A person who enters gets the steps one after the other, each once, until something stops it."""

from uuid import UUID

import pytest

from engine.blocks import BlockReason
from tests.consent.made import contact
from tests.series.made import DAY, Made
from tests.support.people import Person
from tests.templates.test_version_files import upload

ANNA, BOB = "anna@example.com", "bob@example.com"
_REPLY = """
INSERT INTO message_records (id, project_id, owner_id, direction, channel, "to", status, queued_at)
VALUES (gen_random_uuid(), $1, $2, 'inbound', 'email', $3, 'delivered', now())
"""
_BLOCK = "INSERT INTO blocked_phones (id, owner_id, phone, reason) VALUES (gen_random_uuid(), $1, $2, $3)"
_MONEY = """
SELECT (SELECT sum(balance) FROM accounts) = (SELECT sum(amount) FROM ledger_entries)
  AND (SELECT -sum(amount) FROM ledger_entries WHERE kind <> 'credit') = (SELECT sum(price) FROM message_records)
"""


async def reply(made: Made, address: str) -> None:
    project = UUID((await made.row())["projectIds"][0])
    await made.execute(_REPLY, project, made.person.id, address)


async def segment(person: Person, locale: str = "de") -> str:
    condition = {"contact": {"locale": {"eq": locale}}}
    body = {"name": locale, "filter": {"all": [{"any": [condition]}]}}
    answer = await person.rest("POST", "/segments", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def test_a_person_who_subscribes_gets_the_steps(made: Made):
    await made.begin()
    await made.enter()
    await made.work()
    assert await made.sent() == [(1, ANNA)]
    assert await made.entries() == [("waiting", 1, None)]
    await made.later(DAY - 60)
    assert await made.sent() == [(1, ANNA)]
    await made.later(120)
    assert await made.sent() == [(1, ANNA), (2, ANNA)]
    await made.later(DAY)
    assert await made.entries() == [("finished", 2, None)]
    numbers = await made.numbers()
    assert (numbers["entered"], numbers["finished"], numbers["waiting"]) == (1, 1, 0)
    assert [(step["begun"], step["sent"], step["waiting"]) for step in numbers["steps"]] == [(1, 1, 0)] * 2
    for project in (await made.row())["projectIds"]:
        await made.projects.sound(UUID(project))
    assert await made.db.fetchval(_MONEY)


async def test_who_comes_again_does_not_begin_anew(made: Made):
    await made.begin()
    anna = await made.enter()
    await made.work()
    await made.withdraw(anna)
    assert await made.entries() == [("stopped", 1, "withdrawn")]
    await made.subscribe(anna)
    await made.later(2 * DAY)
    assert await made.sent() == [(1, ANNA)]
    assert await made.entries() == [("stopped", 1, "withdrawn")]


async def test_who_was_there_before_does_not_enter(made: Made):
    await made.begin(start=False)
    await made.enter()
    assert (await made.plan())["entersNow"] == 0
    assert (await made.plan())["membersNow"] == 1
    await made.start()
    await made.enter(BOB)
    await made.work()
    assert await made.sent() == [(1, BOB)]


async def test_who_was_there_before_enters_if_asked(made: Made):
    await made.begin(start=False, existing="enter")
    await made.enter()
    plan = await made.plan()
    assert (plan["entersNow"], plan["steps"][0]["price"]) == (1, plan["steps"][1]["price"])
    assert float(plan["costNow"]) == float(plan["pricePerPerson"]) > 0
    await made.start()
    await made.enter(BOB)
    await made.work()
    assert await made.sent() == [(1, ANNA), (1, BOB)]


async def test_a_withdrawal_stops_a_message_that_waits(made: Made):
    await made.begin()
    anna = await made.enter()
    window = {"timezone": "UTC", "from": "00:00", "to": "24:00"}
    closed = {
        **window,
        "days": [(await made.db.fetchval("SELECT extract(isodow FROM now() + interval '3 days')::int"))],
    }
    await made.act("pause")
    assert (await made.person.rest("PATCH", f"/series/{made.id}", json={"window": closed})).status_code == 200
    await made.start()
    await made.work()
    assert (await made.sent(), await made.entries()) == ([], [("waiting", 1, None)])
    await made.later(2 * DAY)  # the second step waits for the message of the first one
    assert await made.entries() == [("waiting", 1, None)]
    await made.withdraw(anna)
    await made.subscribe(anna)  # agrees again, and the series stays stopped
    await made.act("pause")
    await made.person.rest("PATCH", f"/series/{made.id}", json={"window": None})
    await made.start()
    await made.projects.hurry()
    await made.later(3 * DAY)
    assert await made.sent() == []
    assert await made.skipped() == {"series_stopped": 1}


async def test_an_answer_stops_it(made: Made):
    await made.begin()
    await made.enter()
    await made.enter(BOB)
    await made.work()
    await reply(made, ANNA)
    await made.later(2 * DAY)
    assert await made.sent() == [(1, ANNA), (1, BOB), (2, BOB)]
    assert await made.entries() == [("stopped", 1, "replied"), ("waiting", 2, None)]
    assert (await made.numbers())["stopReasons"] == [{"reason": "replied", "count": 1}]


async def test_an_answer_does_not_stop_it_if_so_asked(made: Made):
    await made.begin(stopOnReply=False)
    await made.enter()
    await made.work()
    await reply(made, ANNA)
    await made.later(2 * DAY)
    assert await made.sent() == [(1, ANNA), (2, ANNA)]


@pytest.mark.parametrize("reason", [BlockReason.optOut, BlockReason.hardBounce, BlockReason.complaint])
async def test_a_block_stops_it(made: Made, reason: BlockReason):
    await made.begin()
    await made.enter()
    await made.work()
    await made.execute(_BLOCK, made.person.id, ANNA, reason.value)
    await made.later(2 * DAY)
    assert await made.sent() == [(1, ANNA)]
    assert await made.entries() == [("stopped", 1, "blocked")]


async def test_delays_from_the_entry(made: Made):
    await made.begin([{"delay": 3600}, {"delay": 7200, "after": "entry"}, {"delay": 7200, "after": "entry"}])
    await made.enter()
    await made.work()
    assert await made.sent() == []
    await made.later(3660)
    assert await made.sent() == [(1, ANNA)]
    await made.later(3600)
    assert await made.sent() == [(1, ANNA), (2, ANNA)]
    await made.later(60)
    assert await made.sent() == [(1, ANNA), (2, ANNA), (3, ANNA)]


async def test_a_pause_and_the_way_on(made: Made):
    await made.begin()
    await made.enter()
    await made.work()
    await made.act("pause")
    await made.enter(BOB)
    await made.later(2 * DAY)
    assert await made.sent() == [(1, ANNA)]
    assert {(await made.projects.row(UUID(id)))["status"] for id in (await made.row())["projectIds"]} == {
        "stopped"
    }
    await made.start()
    await made.work()
    assert await made.sent() == [(1, ANNA), (1, BOB), (2, ANNA)]


async def test_an_archived_series_sends_nothing_more(made: Made):
    await made.begin()
    await made.enter()
    await made.work()
    await made.act("pause")
    await made.enter(BOB)
    await made.act("archive")
    assert (await made.act("archive"))["status"] == "archived"
    await made.enter("carl@example.com")
    await made.later(2 * DAY)
    assert await made.sent() == [(1, ANNA)]
    assert await made.entries() == [("stopped", 1, "archived"), ("stopped", 0, "archived")]
    statuses = {(await made.projects.row(UUID(id)))["status"] for id in (await made.row())["projectIds"]}
    assert statuses == {"finished"}
    await made.act("pause", 409)


async def test_messages_that_wait_are_not_sent_after_the_end(made: Made):
    await made.begin()
    await made.enter()
    async with made.db.reading() as db:
        from engine.series import stepping

        async with db.transaction():
            await stepping._step_page(made.projects.services, db, UUID(made.id))
    await made.act("archive")
    await made.work()
    assert (await made.sent(), await made.skipped()) == ([], {"series_stopped": 1})


async def test_a_segment(made: Made):
    german = await segment(made.person)
    await contact(made.person, ANNA, locale="de")
    bob = await contact(made.person, BOB, locale="en")
    await made.begin(
        [{}, {"delay": DAY}], topicId=None, segmentId=german, category="transactional", stopOnLeave=True
    )
    await made.work()
    assert await made.entries() == [("excluded", 0, None)]
    await made.person.rest("PATCH", f"/contacts/{bob}", json={"locale": "de"})
    await made.execute("UPDATE series SET read_due_at = now()")
    await made.work()
    assert await made.sent() == [(1, BOB)]
    await made.person.rest("PATCH", f"/contacts/{bob}", json={"locale": "en"})
    await made.later(2 * DAY)
    assert await made.sent() == [(1, BOB)]
    assert await made.entries(state="stopped") == [("stopped", 1, "left")]
    numbers = await made.numbers()
    assert (numbers["entered"], numbers["excluded"], numbers["stopped"]) == (1, 1, 1)


async def test_a_segment_of_subscribers(made: Made):
    german = await segment(made.person)
    await made.begin(segmentId=german, existing="enter", start=False)
    await made.enter(ANNA, locale="de")
    await made.enter(BOB, locale="en")
    carl = await contact(made.person, "carl@example.com", locale="de")
    await made.start()
    await made.work()
    assert await made.sent() == [(1, ANNA)]
    await made.subscribe(carl)
    await made.execute("UPDATE series SET read_due_at = now()")
    await made.work()
    assert await made.sent() == [(1, ANNA), (1, "carl@example.com")]


async def test_a_step_by_another_channel_needs_its_consent(made: Made):
    await made.begin([{}, {"channel": "sms", "delay": DAY}, {"delay": DAY}])
    phone = {"channel": "sms", "address": "+14155550100"}
    await made.enter(ANNA)
    both = await made.enter(BOB, addresses=[phone])
    await made.subscribe(both, channel="sms")
    await made.work()
    await made.later(DAY + 60)
    await made.later(DAY + 60)
    assert await made.sent() == [(1, ANNA), (1, BOB), (2, "+14155550100"), (3, ANNA), (3, BOB)]
    steps = (await made.numbers())["steps"]
    assert [(step["begun"], step["withoutMessage"]) for step in steps] == [(2, 0), (2, 1), (2, 0)]


async def test_two_contacts_with_one_address_get_one_message(made: Made):
    await made.begin()
    await made.enter()
    phone = {"channel": "sms", "address": "+14155550100"}
    other = await contact(made.person, BOB, addresses=[phone])
    await made.subscribe(other)
    await made.work()
    await made.execute("UPDATE contact_addresses SET address = $1 WHERE address = $2", BOB.upper(), BOB)
    assert await made.sent() == [(1, ANNA), (1, BOB)]


async def test_no_more_people_than_it_may_have(made: Made):
    await made.begin(maxEntries=2)
    for number in range(4):
        await made.enter(f"a{number}@example.com")
    await made.work()
    row = await made.row()
    assert (row["status"], row["statusReason"]) == ("paused", "full")
    assert len(await made.sent()) == 2
    assert (await made.person.rest("PATCH", f"/series/{made.id}", json={"maxEntries": 4})).status_code == 200
    await made.start()
    await made.work()
    assert len(await made.sent()) == 4


async def test_a_merged_contact_gets_no_step_twice(made: Made):
    await made.begin()
    anna = await made.enter()
    await made.work()
    bob = await made.enter(BOB)
    answer = await made.person.rest("POST", f"/contacts/{bob}/merge", json={"otherUuid": anna})
    assert answer.status_code == 200, answer.text
    await made.work()
    assert await made.sent() == [(1, ANNA)]
    assert await made.entries() == [("waiting", 1, None)]
    await made.later(2 * DAY)
    assert [step for step, _ in await made.sent()] == [1, 2]


async def test_a_contact_that_is_deleted_gets_nothing_more(made: Made):
    await made.begin()
    anna = await made.enter()
    await made.work()
    assert (await made.person.rest("DELETE", f"/contacts/{anna}")).status_code in (200, 204)
    await made.later(2 * DAY)
    assert await made.sent() == [(1, ANNA)]
    assert await made.entries() == []


async def test_each_person_gets_a_step_in_the_own_language_with_its_files(made: Made):
    person = made.person
    file = await upload(person)
    texts = [
        {"locale": locale, "subject": hello, "text": f"{hello} {{{{ name }}}}"}
        for locale, hello in (("en", "Hello"), ("de", "Hallo"))
    ]
    answer = await person.rest("POST", "/templates", json={"key": "both", "name": "both"})
    path = f"/templates/{answer.json()['id']}/versions"
    body = {"texts": texts, "attachmentUuids": [file]}
    draft = (await person.rest("POST", path, json=body)).json()["id"]
    assert (await person.rest("POST", f"/template-versions/{draft}/publish")).status_code == 200
    await made.begin([{"templateKey": "both", "locale": "en", "localeFrom": "locale"}], start=False)
    (step,) = (await made.plan())["steps"]
    assert (step["localeFrom"], step["locales"], step["files"]) == ("locale", ["en", "de"], 1)
    await made.start()
    assert (await made.row())["steps"][0]["localeFrom"] == "locale"
    await made.enter(ANNA, locale="de-AT")
    await made.enter(BOB)
    await made.work()
    (project,) = (await made.row())["projectIds"]
    listed = await person.rest("GET", "/message/list", params={"sendingProjectUuid": project, "limit": "20"})
    letters = {row["to"]: (row["locale"], row["body"]) for row in listed.json()["items"]}
    assert letters == {ANNA: ("de", "Hallo anna"), BOB: ("en", "Hello bob")}
    row = (await person.rest("GET", f"/sending-project/{project}")).json()
    assert row["attachmentUuids"] == [file]
    assert [text["locale"] for text in row["languages"]["texts"]] == ["en", "de"]
