"""A project goes to those whom another one did not reach: by state, time and address, until that one is over."""

from collections import Counter
from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from engine.jobs import JobName, enqueue
from shapes.addresses import stored_key
from tests.support.people import Person
from tests.support.projects import Projects

_RECIPIENT = """
INSERT INTO recipients (id, project_id, address, address_key, name, variables, contact_id)
VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
_RECORD = """
INSERT INTO message_records (id, project_id, owner_id, recipient_id, channel, "to", status, sent_at, handed_at,
  failure_code, failure_reason, replied_at, complained_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, now() - $8 * interval '1 second', now() - $8 * interval '1 second', $9, $10,
  CASE WHEN $11 THEN now() END, CASE WHEN $12 THEN now() END)
"""
_NOW_DUE = "UPDATE sending_projects SET follow_due_at = now() WHERE follow_due_at IS NOT NULL"
WITHIN = 3600


class Followed:
    """A project with messages in all states, and one that follows it."""

    def __init__(self, projects: Projects, person: Person) -> None:
        self.projects, self.db, self.person = projects, projects.db, person
        self.first = self.second = UUID(int=0)

    async def begin(
        self,
        channel: str = "email",
        to: str = "sms",
        until: str = "delivered",
        status: str = "finished",
        **fields: Any,
    ) -> None:
        make = self.projects.make
        self.first = await make(self.person, [], channel=channel, status=status, preparation=None)
        audience = {
            "topicUuids": [],
            "follows": {"projectUuid": str(self.first), "until": until, "within": WITHIN},
        }
        values = {"audience": audience, "follows_uuid": self.first, **fields}
        self.second = await make(self.person, [], channel=to, preparation=None, **values)

    async def message(
        self,
        address: str,
        status: str,
        variables: dict[str, Any] | None = None,
        *,
        contact: UUID | None = None,
        channel: str = "email",
        **state: Any,
    ) -> UUID:
        """Makes a message. `state`: ago (seconds), code, reason, replied, complained."""
        recipient, id = uuid7(), uuid7()
        state = {"ago": 0, "code": None, "reason": None, "replied": False, "complained": False, **state}
        async with self.db.reading() as db:
            await db.execute(
                _RECIPIENT,
                recipient,
                self.first,
                address,
                stored_key(address),
                None,
                variables or {},
                contact,
            )
            await db.execute(
                _RECORD, id, self.first, self.person.id, recipient, channel, address, status, *state.values(),
            )  # fmt: skip
        return id

    async def execute(self, sql: str, *arguments: Any) -> None:
        async with self.db.reading() as db:
            await db.execute(sql, *arguments)

    async def follow(self, rounds: int = 2) -> None:
        """Follows all that is due now, and sends it."""
        for _ in range(rounds):
            await self.execute(
                "UPDATE sending_projects SET follow_due_at = now() WHERE id = $1 AND audience_read_at IS NULL",
                self.second,
            )
            async with self.db.reading() as db:
                await enqueue(db, JobName.follow_project, self.second)
            await self.execute("DELETE FROM leases WHERE name LIKE 'projects.follow%'")
            await self.projects.work()

    async def written_to(self) -> list[str]:
        rows = await self.db.fetch(
            "SELECT address FROM recipients WHERE project_id = $1 ORDER BY seq", self.second
        )
        return [row["address"] for row in rows]


@pytest.fixture
def followed(projects: Projects, ada: Person) -> Followed:
    return Followed(projects, ada)


def expected(state: dict[str, Any], until: str) -> bool:
    """Returns whether a message is followed, as docs/follow-ups.md says."""
    if (
        state.get("replied")
        or state.get("complained")
        or state["status"] in ("queued", "sending", "canceled")
    ):
        return False
    goals = {
        "accepted": {"sent", "delivered", "read"}, "delivered": {"delivered", "read"}, "read": {"read"},
    }[until]  # fmt: skip
    if state["status"] in goals:
        return False
    if state["status"] == "skipped" and state["code"] in (
        "blocked",
        "not_subscribed",
        "changed_after_plan",
        "superseded",
    ):
        return bool(state.get("reason") == "The address is blocked (hardBounce).")
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
        for code in (
            "missing_variable",
            "no_price",
            "not_subscribed",
            "changed_after_plan",
            "superseded",
            "invalid_recipient",
        )
    ),
    {"status": "skipped", "ago": 0, "code": "blocked", "reason": "The address is blocked (reply)."},
    {"status": "skipped", "ago": 0, "code": "blocked", "reason": "The address is blocked (hardBounce)."},
]


@pytest.mark.parametrize("until", ["accepted", "delivered", "read"])
async def test_each_state_is_followed_or_not(followed: Followed, until: str):
    await followed.begin(until=until)
    for number, state in enumerate(STATES):
        await followed.message(
            f"a{number}@example.com", variables={"Phone": f"+14155550{number:03}"}, **state
        )
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


CONTACT = """
WITH made AS (INSERT INTO contacts (id, owner_id, name) VALUES ($1, $2, 'x'))
INSERT INTO contact_addresses (id, owner_id, contact_id, channel, address, address_key, "primary")
SELECT gen_random_uuid(), $2, $1, a.channel, a.address, a.key, true
FROM unnest($3::text[], $4::text[], $5::text[]) AS a (channel, address, key)
"""


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


async def test_two_people_with_one_address_get_one_message(followed: Followed):
    await followed.begin()
    for number in range(3):
        await followed.message(
            f"a{number}@example.com", "failed", code="x", variables={"phone": "+14155550100"}
        )
    await followed.follow(3)
    assert await followed.projects.states(followed.second) == Counter(sent=1)


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


async def test_an_erased_person_is_not_written_to_by_a_follow_up(followed: Followed, ada: Person):
    await followed.begin()
    await followed.message("ann@example.com", "failed", {"phone": "+14155550100"}, code="x")
    await followed.message("bob@example.com", "failed", {"phone": "+14155550101"}, code="x")
    pause = "UPDATE sending_projects SET status = $2, status_reason = $3 WHERE id = $1"
    await followed.execute(pause, followed.second, "paused", "tariff_used_up")
    await followed.follow()
    await followed.projects.work()
    erased = await ada.rest("POST", "/persons/erase", json={"channel": "email", "address": "ann@example.com"})
    assert erased.status_code == 202
    for _ in range(3):
        await followed.projects.hurry()
        await followed.projects.work()
    await followed.execute(pause, followed.second, "running", None)
    async with followed.db.reading() as db:
        await enqueue(db, JobName.run_project, followed.second)
    await followed.projects.work()
    sent = [row["to"] for row in await followed.projects.records(followed.second) if row["status"] == "sent"]
    assert sent == ["+14155550101"]
    left = "SELECT count(*) FROM recipients WHERE variables::text LIKE '%0100%' OR address = '+14155550100'"
    assert await followed.db.fetchval(left) == 0
