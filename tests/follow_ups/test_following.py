"""A project goes to those whom another one did not reach: by state, time and address, until that one is over."""

from collections import Counter
from typing import Any

import pytest

from core.ids import uuid7
from engine.jobs import JobName, enqueue
from engine.projects import follow_ups
from shapes.addresses import stored_key
from tests.follow_ups.made import BLOCK, CONTACT, WITHIN, Followed

DECIDED = ("opted_out", "replied", "not_subscribed", "changed_after_plan", "superseded")


def expected(state: dict[str, Any], until: str) -> bool:
    """Returns whether a message is followed, as docs/follow-ups.md says."""
    if (
        state.get("replied")
        or state.get("complained")
        or state["status"] in ("queued", "sending", "canceled")
    ):
        return False
    if state.get("code") in DECIDED or state.get("block") in ("unsubscribed", "manual"):
        return False
    goals = {
        "accepted": {"sent", "delivered", "read"}, "delivered": {"delivered", "read"}, "read": {"read"},
    }[until]  # fmt: skip
    if state["status"] in goals:
        return False
    return state["status"] in ("failed", "skipped") or state["ago"] > WITHIN


STATES: list[dict[str, Any]] = [
    *(
        {"status": status, "ago": ago}
        for status in ("queued", "sending", "canceled")
        for ago in (0, 2 * WITHIN)
    ),
    *({"status": s, "ago": ago} for s in ("sent", "delivered", "read", "unknown") for ago in (0, 2 * WITHIN)),
    *({"status": s, "ago": 2 * WITHIN, "replied": True} for s in ("sent", "delivered", "unknown")),
    {"status": "sent", "ago": 2 * WITHIN, "complained": True},
    {"status": "failed", "ago": 0, "code": "bounced"},
    {"status": "failed", "ago": 0, "code": "x", "replied": True},
    *(
        {"status": "skipped", "ago": 0, "code": code}
        for code in ("missing_variable", "no_price", "invalid_recipient")
    ),
    *(
        {"status": s, "ago": 2 * WITHIN, "code": code}
        for s in ("skipped", "failed", "unknown")
        for code in DECIDED
    ),
    *(
        {
            "status": status,
            "ago": 2 * WITHIN,
            "code": "blocked" if status == "skipped" else None,
            "block": reason,
        }
        for status in ("skipped", "sent", "unknown")
        for reason in ("unsubscribed", "manual", "hardBounce", "softBounce")
    ),
]


@pytest.mark.parametrize("until", ["accepted", "delivered", "read"])
async def test_each_state_is_followed_or_not(followed: Followed, until: str):
    await followed.begin(until=until)
    for number, state in enumerate(STATES):
        address, block = f"a{number}@example.com", state.get("block")
        rest = {name: value for name, value in state.items() if name != "block"}
        await followed.message(address, variables={"Phone": f"+14155550{number:03}"}, **rest)
        if block:
            await followed.execute(BLOCK, followed.person.id, address, block)
    await followed.follow()
    wanted = [f"+14155550{number:03}" for number, state in enumerate(STATES) if expected(state, until)]
    assert await followed.written_to() == wanted
    assert {row["to"] for row in await followed.projects.records(followed.second)} == {*wanted}
    await followed.projects.sound(followed.second)


async def test_a_message_is_followed_when_its_time_is_over(followed: Followed):
    await followed.begin(status="running")
    late = await followed.message("a@example.com", "sent", ago=10, variables={"phone": "+14155550100"})
    await followed.message("b@example.com", "queued", variables={"phone": "+14155550101"})
    await followed.follow()
    assert await followed.written_to() == []
    assert (await followed.projects.row(followed.second))["status"] == "running"
    await followed.execute(
        "UPDATE message_records SET sent_at = sent_at - interval '2 hours' WHERE id = $1", late
    )
    await followed.follow()
    assert await followed.written_to() == ["+14155550100"]
    # The other message still waits, and so does the end.
    await followed.execute("UPDATE sending_projects SET status = 'finished' WHERE id = $1", followed.first)
    await followed.follow()
    assert (await followed.projects.row(followed.second))["status"] == "running"
    await followed.execute(
        "UPDATE message_records SET status = 'failed', failure_code = 'x' WHERE project_id = $1 AND status = 'queued'",
        followed.first,
    )
    await followed.follow(3)
    assert await followed.written_to() == ["+14155550100", "+14155550101"]
    second = await followed.projects.row(followed.second)
    assert (second["status"], second["follow_due_at"]) == ("finished", None)
    assert await followed.projects.states(followed.second) == Counter(sent=2)


async def test_a_late_delivery_saves_the_message_that_waits(followed: Followed):
    await followed.begin()
    first = await followed.message(
        "a@example.com", "sent", ago=2 * WITHIN, variables={"phone": "+14155550100"}
    )
    await followed.message("b@example.com", "sent", ago=2 * WITHIN, variables={"phone": "+14155550101"})
    await followed.execute("UPDATE sending_projects SET status = 'paused', status_reason = 'tariff_used_up'"
                           " WHERE id = $1", followed.second)  # fmt: skip
    await followed.follow()
    assert len(await followed.written_to()) == 2
    await followed.execute(
        "UPDATE message_records SET status = 'delivered', delivered_at = now() WHERE id = $1", first
    )
    await followed.execute("UPDATE sending_projects SET status = 'running', status_reason = NULL"
                           " WHERE id = $1", followed.second)  # fmt: skip
    async with followed.db.reading() as db:
        await enqueue(db, JobName.run_project, followed.second)
    await followed.projects.work()
    records = await followed.projects.records(followed.second)
    assert [(row["status"], row["failure_code"]) for row in records] == [
        ("skipped", "superseded"),
        ("sent", None),
    ]
    assert records[0]["price"] == 0
    await followed.projects.sound(followed.second)


@pytest.mark.parametrize(
    ("channel", "to", "address", "contact", "variables", "wanted"),
    [
        ("email", "sms", "a@example.com", {}, {"phone": "(415) 555-0100"}, "+14155550100"),
        ("email", "sms", "a@example.com", {}, {"Telefon": "+49 151 12345678"}, "+4915112345678"),
        ("email", "sms", "a@example.com", {}, {"manager_phone": "+14155550100"}, None),
        ("email", "sms", "a@example.com", {}, {"phone": "none"}, None),
        ("email", "sms", "a@example.com", {"sms": "+14155550102"}, {"phone": "+14155550100"}, "+14155550102"),
        ("email", "whatsapp", "a@example.com", {"sms": "+14155550102"}, {}, "+14155550102"),
        (
            "email",
            "whatsapp",
            "a@example.com",
            {"sms": "+14155550102", "whatsapp": "+14155550103"},
            {},
            "+14155550103",
        ),
        ("email", "push", "a@example.com", {"push": "token-1"}, {}, "token-1"),
        ("email", "telegram", "+a@example.com", {}, {}, None),
        ("sms", "email", "+14155550100", {}, {"E-Mail": "Ann@Example.com"}, "Ann@example.com"),
        ("sms", "whatsapp", "+14155550100", {}, {}, "+14155550100"),
        ("sms", "push", "+14155550100", {}, {}, None),
        ("telegram", "sms", "@anna_b", {}, {}, None),
        ("telegram", "push", "@anna_b", {}, {}, None),
        ("email", "email", "a@example.com", {"email": "b@example.com"}, {}, "a@example.com"),
    ],
)
async def test_the_address_for_the_channel(
    followed: Followed,
    channel: str,
    to: str,
    address: str,
    contact: dict,
    variables: dict,
    wanted: str | None,
):
    await followed.begin(channel=channel, to=to, status="finished")
    id = uuid7() if contact else None
    if contact:
        values = [*contact], [*contact.values()], [stored_key(each) for each in contact.values()]
        await followed.execute(CONTACT, id, followed.person.id, *values)
    await followed.message(address, "failed", code="x", variables=variables, contact=id, channel=channel)
    await followed.execute("UPDATE sending_projects SET status = 'paused', status_reason = 'no_sender_online'"
                           " WHERE id = $1", followed.second)  # fmt: skip
    await followed.follow()
    assert await followed.written_to() == ([] if wanted is None else [wanted])


async def test_a_page_that_is_read_again_adds_nobody_twice(
    followed: Followed, monkeypatch: pytest.MonkeyPatch
):
    await followed.begin(status="running")
    await followed.message("w@example.com", "queued")
    for number in range(5):
        await followed.message(
            f"a{number}@example.com", "failed", code="x", variables={"phone": f"+1415555010{number}"}
        )
    await followed.follow(4)
    assert len(await followed.written_to()) == 5
    row = await followed.projects.row(followed.second)
    assert row["follow_settled_to"] == 0  # the first message waits


async def test_more_than_the_plan_allows_are_not_written_to(followed: Followed):
    plan = uuid7()
    await followed.begin()
    for number in range(4):
        await followed.message(
            f"a{number}@example.com", "failed", code="x", variables={"phone": f"+1415555010{number}"}
        )
    await followed.execute(
        "INSERT INTO project_plans (id, project_id, owner_id, number, hash, document, at_most_recipients, expires_at)"
        " VALUES ($1, $2, $3, 1, 'x', '{}', 3, now() + interval '1 day')",
        plan, followed.second, followed.person.id,
    )  # fmt: skip
    await followed.execute("UPDATE sending_projects SET plan_id = $2 WHERE id = $1", followed.second, plan)
    await followed.follow(1)
    row = await followed.projects.row(followed.second)
    assert (row["status"], row["status_reason"]) == ("paused", "over_approved")
    assert await followed.written_to() == []


async def test_a_bounce_after_the_acceptance_is_followed(followed: Followed):
    await followed.begin(until="accepted")
    bounced = await followed.message("a@example.com", "sent", {"phone": "+14155550100"}, ago=60)
    await followed.follow()
    assert await followed.written_to() == []
    assert (await followed.projects.row(followed.second))["status"] == "running"
    await followed.execute(
        "UPDATE message_records SET status = 'failed', failure_code = 'bounced' WHERE id = $1", bounced
    )
    await followed.follow()
    assert await followed.written_to() == ["+14155550100"]


@pytest.mark.parametrize("what", ["delivered", "unsubscribed"])
async def test_a_message_two_steps_before_that_arrives_saves_the_last_one(followed: Followed, what: str):
    await followed.begin()
    first = await followed.message("ann@example.com", "failed", {"phone": "+14155550100"}, code="x")
    await followed.follow(3)
    second, until = followed.second, {"until": "delivered", "within": WITHIN}
    await followed.execute(
        "UPDATE message_records SET status = 'failed', failure_code = 'x' WHERE project_id = $1", second
    )
    audience = {"topicUuids": [], "follows": {"projectUuid": str(second), **until}}
    followed.second = await followed.projects.make(
        followed.person, [], channel="whatsapp", preparation=None, audience=audience, follows_uuid=second
    )
    await followed.pause()
    await followed.follow()
    assert await followed.written_to() == ["+14155550100"]
    if what == "delivered":
        await followed.execute("UPDATE message_records SET status = 'delivered' WHERE id = $1", first)
    else:
        await followed.execute(BLOCK, followed.person.id, "ann@example.com", "unsubscribed")
    await followed.resume()
    (record,) = await followed.projects.records(followed.second)
    assert (record["status"], record["failure_code"]) == ("skipped", "superseded")


async def test_a_retry_of_the_first_project_is_read_again(followed: Followed):
    await followed.begin(status="running")
    skipped = await followed.message("a@example.com", "delivered", {"phone": "+14155550100"})
    await followed.follow()
    async with followed.db.reading() as db:
        await db.execute(
            "UPDATE message_records SET status = 'failed', failure_code = 'x' WHERE id = $1", skipped
        )
        await follow_ups.read_again(db, followed.first)
    await followed.follow()
    assert await followed.written_to() == ["+14155550100"]
