"""A token with `approvalAbove` reaches so many distinct people in 24 hours, however many messages it sends."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from core.errors import AppError
from engine import reach
from engine.direct import new_messages
from postern.operator import create_token
from resolvers import trial
from runtime.services import Services
from tests.api_tokens.made import CREATE, caller, exchanged, made
from tests.members.made import joined
from tests.reach.limited import REFUSED, SENT, counted, hours_pass, limited, phone, send
from tests.support.people import Person

SEND = "mutation($i:SendMessage!){sendMessage(input:$i){uuid}}"
UPDATE = "mutation($id:ID!,$i:ApiTokenPatch!){updateApiToken(id:$id,input:$i){approvalAbove}}"
CHANGE = "mutation($id:ID!,$i:MemberPatch!){changeMember(id:$id,input:$i){approvalAbove}}"


async def test_three_people_many_times_and_no_fourth(ada: Person, services: Services):
    token, id = await limited(ada, 3)
    for number in range(9):
        assert await send(token, phone(number % 3)) == SENT
    answer = await token.rest("POST", "/messages", json={"to": phone(3), "channel": "sms", "body": "hi"})
    assert (answer.status_code, answer.json()["code"]) == REFUSED
    assert answer.json()["details"] == {"limit": 3, "used": 3, "asked": 1}
    assert "/plans" in answer.json()["message"] and "/approvals" in answer.json()["message"]
    assert await token.code(SEND, {"i": {"to": phone(3), "channel": "sms", "body": "hi"}}) == REFUSED[1]
    assert await send(token, phone(2)) == SENT  # one of the three
    assert await counted(services, id) == 3
    assert await services.db.fetchval('SELECT count(DISTINCT "to") FROM messages') == 3
    assert await send(ada, phone(3)) == SENT  # the user's own login has no limit
    # A login that was opened with the token is the token; a higher limit holds at once, for both.
    login = caller(ada, (await exchanged(ada, token.token))["accessToken"])
    assert await send(login, phone(3)) == REFUSED
    assert (await ada.data(UPDATE, {"id": id, "i": {"approvalAbove": 4}}))["updateApiToken"] == {
        "approvalAbove": 4
    }
    assert [await send(login, phone(3)), await send(token, phone(4))] == [SENT, REFUSED]
    # So does a lower one, for people who were reached, too; and none at all.
    await ada.data(UPDATE, {"id": id, "i": {"approvalAbove": 3}})
    assert [await send(login, phone(0)), await send(token, phone(0))] == [REFUSED, REFUSED]
    await ada.data(UPDATE, {"id": id, "i": {"approvalAbove": None}})
    assert [await send(login, phone(8)), await send(token, phone(9))] == [SENT, SENT]


async def test_zero_reaches_nobody(ada: Person, services: Services):
    token, id = await limited(ada, 0)
    answer = await token.rest("POST", "/messages", json={"to": phone(0), "channel": "sms", "body": "hi"})
    assert (answer.status_code, answer.json()["code"]) == REFUSED
    assert "may reach nobody" in answer.json()["message"]
    assert await counted(services, id) == 0


async def test_sixteen_at_once_never_reach_more(ada: Person, services: Services):
    token, id = await limited(ada, 5)
    login = caller(ada, (await exchanged(ada, token.token))["accessToken"])

    async def client(number: int) -> list[tuple[int, str | None]]:
        who = (token, login)[number % 2]
        return [await send(who, phone((number * 7 + each) % 40)) for each in range(8)]

    answers = [answer for each in await asyncio.gather(*map(client, range(16))) for answer in each]
    assert {*answers} == {SENT, REFUSED}
    assert await services.db.fetchval('SELECT count(DISTINCT "to") FROM messages') == 5
    assert await counted(services, id) == 5
    sent = sum(answer == SENT for answer in answers)
    assert await services.db.fetchval("SELECT count(*) FROM messages") == sent


async def test_one_person_in_several_spellings_counts_once(ada: Person, services: Services):
    token, id = await limited(ada, 2)
    for spelling in ("+1 (415) 556-0001", "+14155560001", "0014155560001", "+1-415-556-0001"):
        status, code = await send(token, spelling)
        assert (status, code) in (SENT, (400, "invalid_recipient")), spelling
    for spelling in ("Anna@Example.com", "anna@example.com", " anna@EXAMPLE.com", "ANNA@example.COM"):
        status, code = await send(token, spelling, channel="email", metadata={"subject": "s"})
        assert (status, code) in (SENT, (400, "invalid_recipient")), spelling
    assert await counted(services, id) == 2
    # What looks alike and is somebody else counts.
    for other in ("anna+1@example.com", "ann\u0430@example.com", "anna@example.co"):
        answer = await send(token, other, channel="email", metadata={"subject": "s"})
        assert answer in (REFUSED, (400, "invalid_recipient")), other
    # One address can't carry several people.
    for several in ("a@example.com,b@example.com", "a@example.com; b@example.com", "x: a@example.com;"):
        assert (await send(token, several, channel="email"))[0] == 400
    keys = {
        row["k"] for row in await services.db.fetch('SELECT COALESCE(address_key, "to") AS k FROM messages')
    }
    assert keys == {"+14155560001", "anna@example.com"}
    # The table does not tell whom: without the key a number can't be tried.
    (row, _) = await services.db.fetch("SELECT address_hash FROM reach_recipients")
    assert len(row["address_hash"]) == 16


async def test_the_window_passes(ada: Person, services: Services):
    token, id = await limited(ada, 2)
    assert [await send(token, phone(0)), await send(token, phone(1))] == [SENT, SENT]
    await hours_pass(services, 23.5)
    assert [await send(token, phone(0)), await send(token, phone(2))] == [
        SENT,
        REFUSED,
    ]  # the first counts anew
    await hours_pass(services, 1.6)
    assert [await send(token, phone(2)), await send(token, phone(1))] == [SENT, REFUSED]
    await hours_pass(services, 26)
    await reach.forget(services)
    assert await counted(services, id) == 0
    assert await services.db.fetchval("SELECT count(*) FROM reach_counters") == 0
    assert await send(token, phone(3)) == SENT


async def test_what_is_not_written_does_not_count(ada: Person, services: Services):
    token, id = await limited(ada, 2, preset="send", spendPerDay=0.01)
    headers = {"idempotency-key": "one"}
    body = {"to": phone(0), "channel": "sms", "body": "hi"}
    first = await token.rest("POST", "/messages", json=body, headers=headers)
    again = await token.rest("POST", "/messages", json=body, headers=headers)
    assert first.json()["id"] == again.json()["id"]
    assert (await ada.rest("POST", f"/block/{phone(5)}")).status_code < 300
    assert await send(token, phone(5)) == (400, "recipient_blocked")
    assert await send(token, phone(1)) == (402, "token_spend_limit")
    assert await counted(services, id) == 1
    # An answer that is repeated needs no room, and neither does a refused one.
    await ada.data(UPDATE, {"id": id, "i": {"approvalAbove": 0}})
    again = await token.rest("POST", "/messages", json=body, headers=headers)
    assert again.status_code == 202 and again.headers["idempotent-replayed"] == "true"


async def test_a_failure_between_counting_and_writing_leaves_nothing(
    ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    from resolvers.messages import limited_writes

    token, id = await limited(ada, 1)

    async def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("the process dies here")

    monkeypatch.setattr(limited_writes, "write_in", broken)
    assert (await send(token, phone(0)))[0] == 500
    monkeypatch.setattr(limited_writes, "write_in", new_messages.write_in)
    assert await counted(services, id) == 0
    assert [await send(token, phone(1)), await send(token, phone(2))] == [SENT, REFUSED]


async def test_a_member_and_the_member_s_tokens_share(ada: Person, bob: Person, services: Services):
    member, membership = await joined(ada, bob, "manager", approvalAbove=3)
    for limits in ({"approvalAbove": 4}, {"approvalAbove": 1_000_000}):
        assert await member.code(CREATE, {"i": {"name": "t", **limits}}) == "limit_beyond_yours"
    token, id = await made(member)  # has the member's limit
    small, small_id = await made(member, approvalAbove=1)
    shown = (await member.data("{apiTokens{nodes{uuid approvalAbove}}}"))["apiTokens"]["nodes"]
    assert {row["uuid"]: row["approvalAbove"] for row in shown} == {id: 3, small_id: 1}
    assert await member.code(UPDATE, {"id": id, "i": {"approvalAbove": 5}}) == "limit_beyond_yours"
    assert (await member.data(UPDATE, {"id": id, "i": {"approvalAbove": None}}))["updateApiToken"] == {
        "approvalAbove": 3
    }
    by_token, by_small = caller(ada, token), caller(ada, small)
    login = caller(ada, (await exchanged(ada, token))["accessToken"])
    assert await send(member, phone(0)) == SENT
    assert await send(by_token, phone(1)) == SENT
    assert [await send(by_small, phone(2)), await send(by_small, phone(1))] == [SENT, REFUSED]
    for who in (member, by_token, login):
        assert [await send(who, phone(3)), await send(who, phone(0))] == [REFUSED, SENT], who
    assert (await counted(services, membership), await counted(services, small_id)) == (3, 1)
    assert await send(ada, phone(3)) == SENT
    # The owner narrows the member: the tokens follow at once, and so does a login of theirs.
    await ada.data(CHANGE, {"id": membership, "i": {"approvalAbove": 0}})
    for who in (member, by_token, by_small, login):
        assert await send(who, phone(0)) == REFUSED
    # Without a limit of the member's, a token's own stays.
    await ada.data(CHANGE, {"id": membership, "i": {"approvalAbove": None}})
    assert [await send(member, phone(4)), await send(member, phone(5))] == [SENT, SENT]
    assert [await send(by_token, phone(4)), await send(by_token, phone(5))] == [SENT, REFUSED]


async def test_a_limit_that_comes_later_reaches_the_tokens_of_before(ada: Person, bob: Person):
    member, membership = await joined(ada, bob, "manager")
    token, _ = await made(member)
    by_token, login = caller(ada, token), caller(ada, (await exchanged(ada, token))["accessToken"])
    assert [await send(who, phone(0)) for who in (member, by_token, login)] == [SENT] * 3
    await ada.data(CHANGE, {"id": membership, "i": {"approvalAbove": 1}})
    assert [await send(who, phone(1)) for who in (login, by_token, member)] == [SENT] * 3
    assert [await send(who, phone(2)) for who in (login, by_token, member)] == [REFUSED] * 3
    mine = (await bob.data("{memberships{approvalAbove}}"))["memberships"]
    assert mine == [{"approvalAbove": 1}]
    answer = await member.rest("PATCH", f"/members/{membership}", json={"approvalAbove": 9})
    assert answer.status_code == 403  # a member changes no members


async def test_a_test_message_counts(ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(trial, "WAIT", 0.1)  # no worker sends it
    token, id = await limited(ada, 1, preset="campaigns")
    for to, expected in ((phone(0), 200), (phone(0), 200), (phone(1), 409)):
        answer = await token.rest("POST", "/test-sending", json={"channel": "sms", "text": "hi", "to": to})
        assert answer.status_code == expected, answer.text
    # A user name may be that of a channel: how many people it has is not known.
    body = {"channel": "telegram", "text": "hi", "to": "@anna"}
    answer = await token.rest("POST", "/test-sending", json=body)
    assert (answer.status_code, answer.json()["code"]) == REFUSED
    assert answer.json()["details"] == {"limit": 1, "used": 1, "asked": None}
    assert await counted(services, id) == 1


async def test_the_command_line_limits_recipients(ada: Person, services: Services):
    token = await create_token(services, ada.email, "shop", ["send"], approval_above="1")
    by_token = caller(ada, token)
    assert [await send(by_token, phone(0)), await send(by_token, phone(1))] == [SENT, REFUSED]
    with pytest.raises(AppError, match="--approval-above"):
        await create_token(services, ada.email, "shop", ["send"], approval_above="-1")


@pytest.mark.parametrize("wrong", [-1, 1_000_001])
async def test_limits_that_cannot_be(ada: Person, wrong: int):
    answer = await ada.rest("POST", "/api-tokens", json={"name": "t", "approvalAbove": wrong})
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")
    body = {"email": "x@example.com", "role": "sender", "approvalAbove": wrong}
    assert (await ada.rest("POST", "/members", json=body)).status_code == 400


async def test_rows_end_with_the_user(ada: Person, services: Services):
    token, id = await limited(ada, 1)
    assert await send(token, phone(0)) == SENT
    await services.db.fetch("DELETE FROM reach_counters WHERE owner_id = $1", ada.id)
    assert await counted(services, id) == 0
    assert await services.db.fetchval("SELECT count(*) FROM api_tokens WHERE id = $1", UUID(id)) == 1
