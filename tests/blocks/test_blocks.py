"""Blocked phones and addresses, through both doors."""

import asyncio
from uuid import UUID

import pytest

from engine import blocks
from shapes.blocks import BlockReason
from tests.support.people import Person

LISTED = """query($q:String,$r:BlockReason){
  blockedPhones(where:{text:{contains:$q},reason:{eq:$r}}){nodes{uuid phone reason} totalCount}}"""


async def listed(person: Person, **query: str) -> list[str]:
    answer = await person.rest("GET", "/block/list", params=query)
    assert answer.status_code == 200, answer.text
    return [row["phone"] for row in answer.json()["items"]]


async def test_a_phone_in_any_spelling_is_blocked_once(ada: Person):
    first = await ada.rest("POST", "/block/(415) 555-0100", json={})
    assert first.status_code == 200
    assert first.json() == {
        "uuid": first.json()["uuid"],
        "phone": "+14155550100",
        "reason": "manual",
        "scope": "all",
        "expiresAt": None,
        "createdAt": first.json()["createdAt"],
    }
    again = await ada.rest("POST", "/block/+1-415-555-0100")
    assert again.json() == first.json()
    third = await ada.data('mutation{blockPhone(phone:"4155550100"){uuid phone reason}}')
    assert third["blockPhone"]["uuid"] == first.json()["uuid"]
    assert await listed(ada) == ["+14155550100"]


async def test_another_reason_takes_the_old_one_s_place_and_none_keeps_it(ada: Person):
    await ada.rest("POST", "/block/+14155550100", json={"reason": "complaint"})
    block = await ada.rest("POST", "/block/+14155550100", json={})
    assert block.json()["reason"] == "complaint"
    changed = await ada.data('mutation{blockPhone(phone:"+14155550100",input:{reason:hardBounce}){reason}}')
    assert changed["blockPhone"]["reason"] == "hardBounce"


async def test_an_email_is_blocked_in_its_normal_form(ada: Person):
    made = await ada.rest("POST", "/block/Anna@EXAMPLE.com")
    assert made.json()["phone"] == "Anna@example.com"
    gone = await ada.rest("POST", "/block/unblock/Anna@example.COM")
    assert gone.status_code == 204
    assert await listed(ada) == []


async def test_unblocking_again_is_no_error(ada: Person):
    await ada.rest("POST", "/block/+14155550100")
    for _ in range(2):
        answer = await ada.rest("POST", "/block/unblock/+14155550100")
        assert (answer.status_code, answer.content) == (204, b"")
    assert await ada.data('mutation{unblockPhone(phone:"+14155550100")}') == {"unblockPhone": True}
    assert (await ada.rest("GET", "/block/count")).json() == {"count": 0}


@pytest.mark.parametrize(
    "text", ["unblock", "list", "12", "a@b@c", "+1 415 555 0100 ext. 7", "%E2%80%AE", "x" * 400]
)
async def test_what_is_no_address_is_refused(ada: Person, text: str):
    for path in (f"/block/{text}", f"/block/unblock/{text}"):
        answer = await ada.rest("POST", path)
        assert answer.status_code == 400, answer.text
        assert answer.json()["code"] in ("invalid_recipient", "validation_failed")


async def test_bad_bodies_are_refused(ada: Person):
    for body in ({"reason": "because"}, {"reasons": "manual"}, []):
        answer = await ada.rest("POST", "/block/+14155550100", json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")
    assert await listed(ada) == []


async def test_the_search_is_literal(ada: Person):
    for address in (
        "a_b@example.com",
        "acb@example.com",
        "100%25@example.com",
        "+14155550100",
        "+442071838750",
    ):
        assert (await ada.rest("POST", f"/block/{address}")).status_code == 200
    assert await listed(ada, q="a_b") == ["a_b@example.com"]
    assert await listed(ada, q="%") == ["100%@example.com"]
    assert await listed(ada, q="A_B@EXAMPLE") == ["a_b@example.com"]
    assert await listed(ada, q="\\") == []
    plus = await ada.rest("GET", "/block/list?q=+1415")  # nobody escaped the +
    assert [row["phone"] for row in plus.json()["items"]] == ["+14155550100"]
    data = await ada.data(LISTED, {"q": "+44"})
    assert [row["phone"] for row in data["blockedPhones"]["nodes"]] == ["+442071838750"]


async def test_filters_pages_and_counts(ada: Person):
    for number in range(5):
        reason = "optOut" if number % 2 else "manual"
        await ada.rest("POST", f"/block/+1415555010{number}", json={"reason": reason})
    page = (await ada.rest("GET", "/block/list?page=2&limit=2")).json()
    assert [row["phone"] for row in page["items"]] == ["+14155550102", "+14155550101"]
    assert page["meta"] == {"page": 2, "limit": 2, "total": 5, "totalPages": 3}
    assert await listed(ada, reason="optOut") == ["+14155550103", "+14155550101"]
    assert (await ada.rest("GET", "/block/count?reason=optOut")).json() == {"count": 2}
    counted = await ada.data("{blockedPhoneCount(reason:optOut){count}}")
    assert counted == {"blockedPhoneCount": {"count": 2}}
    for bad in ("reason=never", "limit=101", "page=0", "nonsense=1", f"q={'x' * 400}"):
        assert (await ada.rest("GET", f"/block/list?{bad}")).status_code == 400


async def test_everybody_has_his_own(ada: Person, bob: Person, admin: Person):
    mine = (await ada.rest("POST", "/block/+14155550100")).json()
    his = (await bob.rest("POST", "/block/+14155550100")).json()
    assert mine["uuid"] != his["uuid"]
    for person, count in ((ada, 1), (bob, 1), (admin, 2)):
        assert (await person.rest("GET", "/block/count")).json() == {"count": count}
    await bob.rest("POST", "/block/unblock/+14155550100")
    assert await listed(ada) == ["+14155550100"]
    assert await listed(bob) == []
    assert await listed(admin) == ["+14155550100"]


async def test_many_at_once_make_one(ada: Person):
    answers = await asyncio.gather(*(ada.rest("POST", "/block/+14155550100") for _ in range(20)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["uuid"] for answer in answers}) == 1


async def test_a_repeated_request_is_replayed(ada: Person):
    headers = {"Idempotency-Key": "once"}
    first = await ada.rest("POST", "/block/+14155550100", headers=headers)
    await ada.rest("POST", "/block/unblock/+14155550100")
    again = await ada.rest("POST", "/block/+14155550100", headers=headers)
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    other = await ada.rest("POST", "/block/+14155550101", headers=headers)
    assert other.status_code == 422


async def test_the_stronger_reason_stays(ada: Person, services):
    async def reason_after(*reasons: BlockReason) -> str:
        async with services.db.reading() as connection:
            await connection.execute("DELETE FROM blocked_phones")
            for reason in reasons:
                await blocks.block(connection, UUID(str(ada.id)), "+14155550100", reason)
            return await connection.fetchval("SELECT reason FROM blocked_phones")

    assert {*blocks.STRENGTH} == {*BlockReason}
    for place, weaker in enumerate(blocks.STRENGTH):
        for stronger in blocks.STRENGTH[place:]:
            assert await reason_after(weaker, stronger) == stronger
            assert await reason_after(stronger, weaker) == stronger
