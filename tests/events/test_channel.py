"""POST /webhook/user-channel: the sender identity follows, the newest event counts."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
import pytest

from tests.events.hooks import key, post, secret, signed
from tests.support.records import Records

PATH = "/webhook/user-channel"
NOW = datetime.now(UTC)


async def account(person: Any, login: str = "7999", token: str = "t" * 20) -> UUID:
    body = {"source": "telegram", "login": login, "token": token}
    answer = await person.rest("POST", "/account/create", json=body)
    assert answer.status_code == 201, answer.text
    return UUID(answer.json()["uuid"])


def channel_event(person: Any, event: str, seconds: float | None = 0, **more: Any) -> dict[str, Any]:
    at = {} if seconds is None else {"at": (NOW + timedelta(seconds=seconds)).isoformat()}
    return {
        "engineUserUuid": str(person.id),
        "event": event,
        "source": "telegram",
        "login": "7999",
        **at,
        **more,
    }


async def status(records: Records, id: UUID) -> str:
    return str(await records.db.fetchval("SELECT status FROM source_accounts WHERE id = $1", id))


async def test_the_newest_event_counts(records: Records, ada: Any) -> None:
    mine, twin, other = await account(ada), await account(ada, token="u" * 20), await account(ada, "7000")
    for event, seconds, ends in [
        ("disconnected", -50, "disconnected"),
        ("blocked", -40, "blocked"),
        ("connected", -45, "blocked"),
        ("connected", -40, "blocked"),
        ("connected", -30, "connected"),
        ("disconnected", 10**8, "disconnected"),  # a clock that is wrong must not be the last word for years
        ("connected", None, "connected"),
    ]:
        answer = await post(ada, channel_event(ada, event, seconds), path=PATH)
        assert (answer.status_code, answer.json()) == (202, {"accepted": 1, "duplicates": 0, "unknown": 0})
        assert [await status(records, id) for id in (mine, twin, other)] == [ends, ends, "connected"], event


async def test_out_of_order_and_at_once(records: Records, ada: Any) -> None:
    mine = await account(ada)
    events = [
        channel_event(ada, "connected" if number % 2 else "disconnected", number - 50) for number in range(20)
    ]
    await asyncio.gather(*(post(ada, event, path=PATH) for event in events))
    assert await status(records, mine) == "connected"


async def test_its_proofs_are_those_of_the_other_hook(records: Records, ada: Any, bob: Any) -> None:
    mine = await account(ada)
    body = orjson.dumps(channel_event(ada, "blocked", None, extra={"ignored": True}))
    ways = [signed(await secret(ada), body), ada.headers]
    for headers in ways:
        assert (await post(ada, body, headers, PATH)).status_code == 202
    assert (await post(ada, body, ways[0], PATH)).json()["duplicates"] == 1
    assert (await post(ada, body, {}, f"{PATH}?key={await key(ada)}")).status_code == 202
    for headers in ({}, bob.headers, signed(await secret(bob), body)):
        assert (await post(ada, body, headers, PATH)).status_code == 401
    assert await status(records, mine) == "blocked"
    # Of what is another's, nothing is known.
    assert (await post(bob, channel_event(bob, "connected", None), path=PATH)).json()["unknown"] == 1
    assert await status(records, mine) == "blocked"


async def test_paused_projects_look_again(records: Records, ada: Any, bob: Any) -> None:
    mine, other = await account(ada), await account(ada, "7000")
    waits = await records.project(ada, "telegram", "paused", senders=(mine,))
    elsewhere = await records.project(ada, "telegram", "paused", senders=(other,))
    broke = await records.project(ada, "telegram", "paused", senders=(mine,))
    reasons = {waits: "no_sender_online", elsewhere: "no_sender_online", broke: "balance_used_up"}
    for id, reason in reasons.items():
        await records.db.fetch("UPDATE sending_projects SET status_reason = $2 WHERE id = $1", id, reason)
    await post(ada, channel_event(ada, "disconnected", -10), path=PATH)
    await records.db.fetch("UPDATE sending_projects SET resume_at = NULL")
    await post(ada, channel_event(ada, "connected", -20), path=PATH)  # old news wake nobody
    assert await records.count("sending_projects WHERE resume_at IS NOT NULL") == 0
    await post(ada, channel_event(ada, "connected", -5, source="Telegram"), path=PATH)
    rows = await records.db.fetch("SELECT id FROM sending_projects WHERE resume_at <= now()")
    assert [row["id"] for row in rows] == [waits]


async def test_what_its_owner_deleted_is_not_brought_back(records: Records, ada: Any) -> None:
    mine, gone = await account(ada), await account(ada, token="u" * 20)
    assert (await ada.rest("DELETE", f"/account?uuid={gone}")).status_code == 204
    for event in ("deleted", "connected"):
        await post(ada, channel_event(ada, event, None), path=PATH)
    assert [await status(records, id) for id in (mine, gone)] == ["connected", "deleted"]


@pytest.mark.parametrize(
    "change",
    [{"event": "exploded"}, {"login": ""}, {"login": "x" * 300}, {"source": None}, {"at": "soon"}, {"at": []},
     {"engineUserUuid": "me"}, {"login": "a\x00"}],
)  # fmt: skip
async def test_bad_input_is_400(change: dict[str, Any], ada: Any) -> None:
    answer = await post(ada, {**channel_event(ada, "connected"), **change}, path=PATH)
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed"), answer.text


async def test_no_json_is_400(ada: Any) -> None:
    for body in (b"", b"{", b"[]", b"1", b"\xff"):
        assert (await post(ada, body, path=PATH)).status_code == 400


async def test_the_graphql_door_does_the_same(records: Records, ada: Any, bob: Any) -> None:
    mine = await account(ada)
    query = 'mutation{reportChannel(input:{event:blocked,source:"telegram",login:"7999"}){accepted unknown}}'
    assert (await bob.data(query))["reportChannel"] == {"accepted": 0, "unknown": 1}
    assert (await ada.data(query))["reportChannel"] == {"accepted": 1, "unknown": 0}
    assert await status(records, mine) == "blocked"
