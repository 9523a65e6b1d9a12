"""An erased person is not followed, and two people may have one number."""

from collections import Counter

from core.ids import uuid7
from engine.jobs import JobName, enqueue
from tests.follow_ups.made import CONTACT, WITHIN, Followed
from tests.support.people import Person


async def test_an_erased_person_is_not_written_to_by_a_follow_up(followed: Followed):
    await followed.begin()
    await followed.message("ann@example.com", "failed", {"phone": "+14155550100"}, code="x")
    await followed.message("bob@example.com", "failed", {"phone": "+14155550101"}, code="x")
    pause = "UPDATE sending_projects SET status = $2, status_reason = $3 WHERE id = $1"
    await followed.execute(pause, followed.second, "paused", "tariff_used_up")
    await followed.follow()
    await followed.projects.work()
    await followed.erase("ann@example.com")
    await followed.execute(pause, followed.second, "running", None)
    async with followed.db.reading() as db:
        await enqueue(db, JobName.run_project, followed.second)
    await followed.projects.work()
    sent = [row["to"] for row in await followed.projects.records(followed.second) if row["status"] == "sent"]
    assert sent == ["+14155550101"]
    left = "SELECT count(*) FROM recipients WHERE variables::text LIKE '%0100%' OR address = '+14155550100'"
    assert await followed.db.fetchval(left) == 0


async def test_who_is_being_erased_is_not_followed(followed: Followed, ada: Person):
    await followed.begin()
    await followed.message("ann@example.com", "failed", {"phone": "+14155550100"}, code="x")
    body = {"channel": "email", "address": "ann@example.com"}
    assert (await ada.rest("POST", "/persons/erase", json=body)).status_code == 202
    async with followed.db.reading() as db:
        await db.execute("DELETE FROM pgqueuer WHERE entrypoint = 'persons.erase'")  # no worker has begun
    await followed.follow()
    assert await followed.written_to() == []


async def test_an_erasure_leaves_another_person_with_the_number(followed: Followed, ada: Person):
    await followed.begin()
    values = [["sms"], ["+14155550100"], [None]]
    await followed.execute(CONTACT, uuid7(), ada.id, *values)  # Bob
    await followed.message(
        "ann@example.com", "failed", {"phone": "+14155550100", "secret": "of Ann"}, code="x"
    )
    await followed.follow(3)
    await followed.erase("ann@example.com")
    assert await followed.db.fetchval("SELECT count(*) FROM contact_addresses") == 1
    assert (
        await followed.db.fetchval("SELECT count(*) FROM recipients WHERE variables::text LIKE '%of Ann%'")
        == 0
    )


async def test_of_two_people_with_one_number_both_have_to_be_reached(followed: Followed):
    await followed.begin()
    ann = await followed.message("ann@example.com", "sent", {"phone": "+14155550100"}, ago=2 * WITHIN)
    await followed.message("bob@example.com", "failed", {"phone": "+14155550100"}, code="x")
    await followed.pause()
    await followed.follow()
    await followed.execute("UPDATE message_records SET status = 'delivered' WHERE id = $1", ann)
    await followed.resume()
    assert await followed.projects.states(followed.second) == Counter(sent=1)


async def test_two_people_with_one_address_get_one_message(followed: Followed):
    await followed.begin()
    for number in range(3):
        await followed.message(
            f"a{number}@example.com", "failed", code="x", variables={"phone": "+14155550100"}
        )
    await followed.follow(3)
    assert await followed.projects.states(followed.second) == Counter(sent=1)
