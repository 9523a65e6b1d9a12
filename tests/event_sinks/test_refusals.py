"""Bad input of sinks is refused: each answer has a code, and says what to do."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from engine.sinks import endpoints
from tests.event_sinks.world import LOGIN, World
from tests.support.people import Person
from tests.support.ports import free_port

pytestmark = pytest.mark.timeout(60)

CREATE = "mutation($i: NewEventSink!) { createEventSink(input: $i) { uuid } }"
UPDATE = "mutation($id: ID!, $i: EventSinkPatch!) { updateEventSink(id: $id, input: $i) { uuid } }"
COSTLY = """
subscription { events { messageRecord { sendingProject { records(first: 100) { nodes { texts { body } } } } } } }
"""


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        ({"url": "nats://"}, "sink_url_invalid", "host"),
        ({"url": "http://127.0.0.1:4222"}, "sink_url_invalid", "nats://"),
        ({"url": "nats://127.0.0.1:4222/path"}, "sink_url_invalid", "port"),
        ({"url": "nats://10.0.0.1:4222"}, "sink_url_refused", "POSTERN_OUTBOUND_ALLOW"),
        ({"url": ""}, "validation_failed", "url"),
        ({"url": "nats://a\x00b"}, "validation_failed", "url"),
        ({"subject": "postern.{nobody}"}, "bad_sink_subject", "{nobody}"),
        ({"subject": "postern..x"}, "bad_sink_subject", "{owner}"),
        ({"subject": "postern.>"}, "bad_sink_subject", "{owner}"),
        ({"subject": "$JS.x"}, "bad_sink_subject", "itself"),
        ({"stream": "a.b"}, "validation_failed", "stream"),
        ({"stream": "NONE", "makeStream": False}, "stream_missing", "let the sink make it"),
        ({"replicas": 3}, "stream_refused", "replicas"),
        ({"replicas": 0}, "validation_failed", "replicas"),
        ({"replicas": 6}, "validation_failed", "replicas"),
        ({"duplicateWindowSeconds": 0}, "validation_failed", "duplicateWindowSeconds"),
        ({"types": ["message.nothing"]}, "unknown_event_type", "eventTypes"),
        ({"query": "subscription {"}, "bad_document", ""),
        ({"query": "{ me { uuid } }"}, "bad_document", ""),
        ({"query": "x" * 20_000}, "validation_failed", "query"),
        ({"credentials": "no credentials"}, "broker_refused", ""),
        ({"name": " "}, "validation_failed", "name"),
        ({"kind": "kafka"}, "validation_failed", "kind"),
        ({"unknown": 1}, "validation_failed", "unknown"),
    ],
)
async def test_bad_input_is_refused(world: World, more: dict[str, Any], code: str, words: str):
    answer = await world.ada.rest("POST", "/event-sinks", json=world.input(**more))
    assert (answer.status_code, answer.json()["code"]) == (400, code), answer.text
    assert words in str(answer.json()["message"])
    assert (await world.ada.rest("GET", "/event-sinks")).json()["items"] == []


async def test_a_document_that_costs_too_much_is_refused(world: World):
    answer = await world.ada.rest("POST", "/event-sinks", json=world.input(query=COSTLY))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_document"), answer.text


async def test_a_broker_that_is_away_or_refuses_the_login(world: World):
    async def code(url: str) -> str:
        return await world.ada.code(CREATE, {"i": world.input(url=url)})

    assert await code(f"nats://127.0.0.1:{free_port()}") == "broker_away"
    assert await code(f"nats://127.0.0.1:{world.port}") == "broker_refused"
    assert await code(f"nats://postern:wrong@127.0.0.1:{world.port}") == "broker_refused"
    sink = await world.sink()
    before = (await world.row(sink))["url_encrypted"]
    wrong = f"nats://postern:wrong@127.0.0.1:{world.port}"
    assert await world.ada.code(UPDATE, {"id": sink, "i": {"url": wrong}}) == "broker_refused"
    assert (
        await world.ada.code(UPDATE, {"id": sink, "i": {"stream": "X", "makeStream": False}})
        == "stream_missing"
    )
    row = await world.row(sink)
    assert (row["url_encrypted"], row["stream"]) == (before, "POSTERN")


async def test_a_stream_that_stores_other_subjects(world: World):
    async with world.broker.client(**LOGIN) as client:
        await client.jetstream().add_stream(name="OTHERS", subjects=["others.>"])
    answer = await world.ada.rest("POST", "/event-sinks", json=world.input(stream="OTHERS"))
    assert (answer.status_code, answer.json()["code"]) == (400, "sink_subject_not_in_stream"), answer.text
    await world.sink(stream="OTHERS", subject="others.{owner}.{type}")


async def test_another_address_takes_no_stored_credentials_along(world: World, tmp_path: Path):
    """Else who may change a sink could have its credentials sent to a broker of their own."""
    sink = await world.sink()
    sealed = world.services.vault.seal(
        f'{{"url": "{world.url}", "credentials": "the credentials"}}', f"event_sinks.url:{sink}"
    )
    await world.services.db.fetch("UPDATE event_sinks SET url_encrypted = $2 WHERE id = $1", sink, sealed)
    answer = await world.ada.rest("PATCH", f"/event-sinks/{sink}", json={"url": world.url})
    assert answer.status_code == 200, answer.text
    opened = world.services.vault.open((await world.row(sink))["url_encrypted"], f"event_sinks.url:{sink}")
    assert "the credentials" not in opened and world.url in opened


async def test_an_owner_has_at_most_ten_of_different_names(world: World, bob: Person):
    async def one_more(number: int) -> int:
        answer = await world.ada.rest("POST", "/event-sinks", json=world.input(name=f"Sink {number}"))
        return answer.status_code

    codes = await asyncio.gather(*(one_more(number) for number in range(13)))
    assert sorted(codes) == [201] * 10 + [409] * 3
    await world.sink(who=bob)
    twice = await bob.rest("POST", "/event-sinks", json=world.input())
    assert (twice.status_code, twice.json()["code"]) == (409, "event_sink_exists")
    await world.sink(who=bob, name="Other")
    other = (await bob.rest("GET", "/event-sinks")).json()["items"][1]["id"]
    renamed = await bob.rest("PATCH", f"/event-sinks/{other}", json={"name": "Warehouse"})
    assert (renamed.status_code, renamed.json()["code"]) == (409, "event_sink_exists")


async def test_connections_are_limited(world: World):
    async def once() -> int:
        return (
            await world.ada.rest("POST", "/event-sinks", json=world.input(stream="a", replicas=3))
        ).status_code

    codes = [await once() for _ in range(21)]
    assert codes[:20] == [400] * 20 and codes[20] == 429


@pytest.mark.parametrize(
    "name",
    [
        "name",
        "url",
        "stream",
        "subject",
        "makeStream",
        "replicas",
        "duplicateWindowSeconds",
        "types",
        "enabled",
    ],
)
async def test_a_change_to_null_is_refused(world: World, name: str):
    answer = await world.ada.rest(
        "PATCH", "/event-sinks/01890000-0000-7000-8000-000000000000", json={name: None}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")


async def test_a_change_while_the_connection_is_tested_is_a_conflict(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    """Else an address would be stored with a stream with which nobody has tested it."""
    made = (await world.ada.rest("POST", "/event-sinks", json=world.input())).json()
    probe = endpoints.probe

    async def change_meanwhile(*arguments: Any) -> Any:
        monkeypatch.setattr(endpoints, "probe", probe)
        other = await world.ada.rest("PATCH", f"/event-sinks/{made['id']}", json={"types": ["block.added"]})
        assert other.status_code == 200
        return await probe(*arguments)

    monkeypatch.setattr(endpoints, "probe", change_meanwhile)
    answer = await world.ada.rest("PATCH", f"/event-sinks/{made['id']}", json={"url": world.url})
    assert (answer.status_code, answer.json()["code"]) == (409, "concurrent_change"), answer.text
    again = await world.ada.rest("PATCH", f"/event-sinks/{made['id']}", json={"url": world.url})
    assert again.status_code == 200
