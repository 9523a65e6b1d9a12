"""Since when messages of projects wait: no retry, breaker, rate or window moves it."""

from datetime import timedelta
from typing import Any

from channels.port import Outcome, Result
from engine.sending.backlogs import backlogs, route_backlogs
from tests.sending_projects.engine.test_breakers import SILENT, opened
from tests.support.fake_channels import Fake, use

FIRST = "SELECT min(first_due_at) FROM sending_units"
AGO = timedelta(minutes=10)


async def age(services: Any) -> None:
    await services.db.fetchval("UPDATE sending_units SET first_due_at = first_due_at - $1::interval", AGO)
    await services.db.fetchval("UPDATE message_records SET queued_at = queued_at - $1::interval", AGO)


async def test_a_batch_of_messages_that_are_tried_again_waits_since_they_were_queued(ada, services, projects):
    fake = Fake(lambda _: Outcome(Result.transient, code="busy", reason="busy"))
    use(services, fake)
    await projects.make(ada, [f"u{n}@example.com" for n in range(5)])
    await projects.step()  # the messages are made
    await age(services)
    first = await services.db.fetchval(FIRST)
    batches = {row["id"] for row in await services.db.fetch("SELECT id FROM sending_units")}
    for _ in range(2):
        await projects.hurry()
        await projects.work()
    rows = await services.db.fetch("SELECT id, first_due_at, due_at > now() AS later FROM sending_units")
    assert len(fake.took) == 10
    assert rows and not batches & {row["id"] for row in rows}  # they are in batches of their own by now
    assert {(row["first_due_at"], row["later"]) for row in rows} == {(first, True)}


async def test_messages_of_projects_wait_for_a_route_that_is_open(ada, services, projects):
    use(services, Fake(lambda _: SILENT), breakers=True)
    await projects.make(ada, [f"u{n}@example.com" for n in range(18)])
    await projects.step()
    await age(services)
    first = await services.db.fetchval(FIRST)
    await opened(services, "email-1")
    for _ in range(3):
        await projects.hurry()
        await projects.step()
    waiting = await backlogs(services.db)
    (route,) = await route_backlogs(services.db, services.routes, waiting)
    assert (route.name, route.channel, route.whole) == ("email-1", "email", True)
    assert route.waiting is not None and route.waiting.number == 18
    assert route.waiting.since == waiting.all_projects.since == first


async def test_a_window_that_opens_begins_the_wait(ada, services, projects):
    """The owner wanted the window: messages that have waited for it for a night are not late."""
    use(services, Fake())
    await projects.make(ada, ["u@example.com"], window={"start": "00:00", "end": "00:01", "timezone": "UTC"})
    await projects.step()
    await services.db.fetchval(
        "UPDATE sending_units SET for_window = true, due_at = now() + interval '1 hour', claim_id = NULL"
    )
    await age(services)
    assert (await backlogs(services.db)).all_projects.since is None
    await services.db.fetchval("UPDATE sending_units SET due_at = now() - interval '10 seconds'")
    waits = (await backlogs(services.db)).all_projects.seconds(services.db.now())
    assert 9 < waits < 60
