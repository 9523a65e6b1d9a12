"""Somebody must be left who can let others in."""

import asyncio


async def test_the_last_administrator_stays(admin):
    path = f"/users/{admin.id}"
    for refused in (
        await admin.rest("PATCH", path, json={"roles": ["user"]}),
        await admin.rest("PATCH", path, json={"status": "suspended"}),
        await admin.rest("DELETE", path),
    ):
        assert (refused.status_code, refused.json()["code"]) == (409, "last_admin")
    assert (await admin.rest("GET", path)).json()["roles"] == ["admin", "user"]


async def test_of_two_that_leave_at_once_one_stays(people, admin):
    other = await people.make(admin=True)
    answers = await asyncio.gather(
        admin.rest("DELETE", f"/users/{admin.id}"), other.rest("DELETE", f"/users/{other.id}")
    )
    assert sorted(answer.status_code for answer in answers) == [204, 409]
