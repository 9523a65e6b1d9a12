"""The size of the audience of a follow-up: of a finished project those who are left, with those not reached first."""

import pytest

from engine.projects import audience_sizes
from tests.follow_ups.made import BLOCK, WITHIN, Followed


async def counted(followed: Followed, until: str = "accepted") -> tuple[int, list[str]]:
    """Returns the size of the audience of an SMS that follows, and its sample."""
    rule = {"projectUuid": str(followed.first), "until": until, "within": WITHIN}
    asked = (followed.person.id, "sms", {"topicUuids": [], "follows": rule})
    async with followed.db.reading() as db:
        size, _ = await audience_sizes.size(db, *asked, category="transactional")
        rows = await audience_sizes.sample(db, "US", *asked, "transactional", 10)
    return size, [row["address"] for row in rows]


async def _four(followed: Followed) -> None:
    for number, (status, ago) in enumerate(
        (("sent", 2 * WITHIN), ("sent", 0), ("delivered", 0), ("failed", 0))
    ):
        await followed.message(f"p{number}@example.com", status, {"phone": f"+1415555010{number}"}, ago=ago)


async def test_of_a_finished_project_only_those_who_are_left_are_counted(followed: Followed):
    await followed.begin()
    await _four(followed)
    # The one that failed is due, and comes first; the one that was just accepted may come back.
    assert await counted(followed) == (2, ["+14155550103", "+14155550101"])
    assert (await counted(followed, "delivered"))[0] == 3
    await followed.execute(BLOCK, followed.person.id, "p3@example.com", "manual")
    assert await counted(followed) == (1, ["+14155550101"])


@pytest.mark.parametrize("status", ["running", "stopped"])
async def test_of_another_project_all_are_counted(followed: Followed, status: str):
    await followed.begin(status=status)
    await _four(followed)
    assert (await counted(followed))[0] == 4
