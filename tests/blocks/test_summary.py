"""The summary of the block list, by reason and scope, through both doors."""

from datetime import datetime
from typing import Any

from tests.support.people import Person

FIELD = "{blockedPhoneSummary{items{reason scope count newestAt}}}"


async def summary(person: Person) -> list[dict[str, Any]]:
    """Returns the groups, which are the same through both doors."""
    answer = await person.rest("GET", "/block/summary")
    assert answer.status_code == 200, answer.text
    assert await person.data(FIELD) == {"blockedPhoneSummary": answer.json()}
    return list(answer.json()["items"])


async def block(person: Person, phone: str, **input: str) -> str:
    answer = await person.rest("POST", f"/block/{phone}", json=input)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["createdAt"])


async def test_each_reason_and_scope_is_counted_and_the_most_frequent_comes_first(ada: Person):
    first = await block(ada, "+14155550100", reason="unsubscribed", scope="promotional")
    await block(ada, "+14155550101", reason="complaint")
    newest = await block(ada, "anna@example.com", reason="complaint")
    whole = await block(ada, "+14155550102", reason="unsubscribed")
    assert await summary(ada) == [
        {"reason": "complaint", "scope": "all", "count": 2, "newestAt": newest},
        {"reason": "unsubscribed", "scope": "all", "count": 1, "newestAt": whole},
        {"reason": "unsubscribed", "scope": "promotional", "count": 1, "newestAt": first},
    ]
    assert datetime.fromisoformat(newest).tzinfo is not None


async def test_a_block_counts_for_its_present_reason_and_not_after_it_is_removed(ada: Person):
    since = await block(ada, "+14155550100")
    assert await block(ada, "+14155550100", reason="hardBounce") == since
    assert await summary(ada) == [{"reason": "hardBounce", "scope": "all", "count": 1, "newestAt": since}]
    await ada.rest("POST", "/block/unblock/+14155550100")
    assert await summary(ada) == []


async def test_the_blocks_of_others_are_counted_for_administrators_alone(
    ada: Person, bob: Person, admin: Person
):
    await block(ada, "+14155550100", reason="optOut")
    newest = await block(bob, "+14155550100", reason="optOut")
    for person in (ada, bob):
        (group,) = await summary(person)
        assert group["count"] == 1
    (group,) = await summary(admin)
    assert group == {"reason": "optOut", "scope": "all", "count": 2, "newestAt": newest}
