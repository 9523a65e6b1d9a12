"""Texts by a language model, through both doors and over a real socket: contract §3."""

import asyncio
import gzip
import json
from datetime import UTC, datetime, timedelta

import pytest

from core import logs
from db import models
from tests.ai.model import BOTH, KEY, completion, generate, prompts_of
from tests.legacy.upstream import answer
from tests.support.waits import until

_USED = "SELECT COALESCE(sum(requests), 0) FROM ai_usage"


@pytest.mark.parametrize("door", BOTH)
async def test_it_is_not_there_until_it_is_configured(ada, services, door):
    assert await generate(ada, door) == "ai_not_configured"
    assert (await ada.rest("POST", "/ai-integration", json={"prompt": "x"})).status_code == 503
    assert await services.db.fetchval(_USED) == 0


@pytest.mark.parametrize("door", BOTH)
async def test_a_text(ada, model, services, door):
    model.reply = completion(" Hello {{ name }}\n")
    answer = await generate(ada, door, tone="friendly", language="en-GB", maxLength=160)
    assert answer == {
        "texts": ["Hello {{ name }}"],
        "model": "a-model-2026",
        "usage": {"promptTokens": 10, "completionTokens": 5, "totalTokens": 15},
    }
    (got,) = model.got
    assert (got.method, got.target) == ("POST", "/v1/chat/completions")
    assert got.values("authorization") == [f"Bearer {KEY}"]
    (body,) = prompts_of(model)
    assert (body["model"], "n" in body) == ("a-model", False)
    system, user = body["messages"]
    assert user == {"role": "user", "content": "Invite them"}
    for word in ("friendly", "en-GB", "160"):
        assert word in system["content"]
    assert await services.db.fetchval(_USED) == 1


async def test_a_server_of_one_s_own_needs_no_key(ada, model, services):
    services.settings.ai_key = None
    model.reply = completion("x")
    assert (await generate(ada))["texts"] == ["x"]


@pytest.mark.parametrize("door", BOTH)
async def test_the_project_is_told_to_the_model_and_to_nobody_else(ada, bob, admin, model, services, door):
    async with services.db.session.begin() as session:
        project = models.SendingProject(
            owner_id=ada.id,
            account_id=ada.account_id,
            name="Summer",
            channel="email",
            subject="Sale",
            text="Hi {{ name }}",
        )
        session.add(project)
    model.reply = completion("x")
    assert await generate(bob, door, sendingProjectUuid=str(project.id)) == "sending_project_not_found"
    assert await generate(ada, door, sendingProjectUuid=str(ada.id)) == "sending_project_not_found"
    assert (model.got, await services.db.fetchval(_USED)) == ([], 0)
    for person in (ada, admin):
        assert (await generate(person, door, sendingProjectUuid=str(project.id)))["texts"] == ["x"]
        system = prompts_of(model)[-1]["messages"][0]["content"]
        for word in ("Summer", "email", "Sale", "Hi {{ name }}"):
            assert word in system
    async with services.db.session.begin() as session:
        (await session.get(models.SendingProject, project.id)).status = "deleted"
    assert await generate(ada, door, sendingProjectUuid=str(project.id)) == "sending_project_not_found"


async def test_variants_from_a_server_that_gives_several(ada, model):
    model.reply = completion("a", "b", "c", "d")
    answer = await generate(ada, variants=3)
    assert answer["texts"] == ["a", "b", "c"]
    assert [body.get("n") for body in prompts_of(model)] == [3]


async def test_variants_from_a_server_that_gives_one(ada, model, services):
    model.reply = completion("a")
    answer = await generate(ada, "graphql", variants=3)
    assert answer["texts"] == ["a"] * 3
    assert answer["usage"] == {"promptTokens": 30, "completionTokens": 15, "totalTokens": 45}
    assert [body.get("n") for body in prompts_of(model)] == [3, 2, None]
    assert await services.db.fetchval(_USED) == 1


async def test_variants_from_a_server_that_refuses_several(ada, model, services):
    async def reply(writer):
        several = "n" in prompts_of(model)[-1]
        writer.write(
            answer(b'{"error":{"message":"n"}}', status="400 Bad Request") if several else completion("a")
        )
        await writer.drain()

    model.reply = reply
    assert (await generate(ada, variants=2))["texts"] == ["a", "a"]
    assert [body.get("n") for body in prompts_of(model)] == [2, None, None]


@pytest.mark.parametrize(
    ("reply", "longest", "text"),
    [
        ("one two three", 100, "one two three"),
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two"),
        ("one two three", 7, "one two"),
        ("one two three", 2, "on"),
        ("абвгд", 3, "абв"),
        ("word " * 5000, None, ("word " * 2000).strip()),
        ("a\u0000b", 10, "ab"),
    ],
)
async def test_no_text_is_longer_than_it_may_be(ada, model, reply, longest, text):
    model.reply = completion(reply)
    answer = await generate(ada, **({"maxLength": longest} if longest else {}))
    assert answer["texts"] == [text]


_MANY = 2 * 1024 * 1024
NONSENSE = {
    "500": answer(b'{"error": "%s"}' % KEY.encode(), status="500 Internal Server Error"),
    "401": answer(
        b'{"error": {"message": "Incorrect API key: %s"}}' % KEY.encode(), status="401 Unauthorized"
    ),
    "400": answer(b'{"error": {"message": "no"}}', status="400 Bad Request"),
    "429": answer(b'{"error": {"message": "slow"}}', "retry-after: 1", status="429 Too Many Requests"),
    "elsewhere": answer(b"", "location: http://127.0.0.1:1/", status="302 Found"),
    "no JSON": answer(b"<html>", type="text/html"),
    "half a JSON": answer(b'{"choices": ['),
    "another JSON": answer(b"[1]"),
    "deep JSON": answer(b"[" * 100_000),
    "a deep error": answer(b"[" * 100_000, status="500 Internal Server Error"),
    "no choice": completion(),
    "an empty text": completion("  \n"),
    "no text": completion(None),
    "a number": completion(7),
    "no message": answer(b'{"choices": [{}]}'),
    "no answer": answer(b""),
    "no UTF-8": answer(b'{"choices":[{"message":{"content":"\xff"}}]}'),
    "half a surrogate": answer(b'{"choices":[{"message":{"content":"\\ud800"}}]}'),
    "a huge text": completion("x" * _MANY),
    "a huge error": answer(b"x" * _MANY, status="500 Internal Server Error"),
    "thousands": completion(*["x"] * 1000),
    "a bomb": answer(gzip.compress(b"x" * 50 * _MANY), "content-encoding: gzip"),
    "no HTTP": b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
}


@pytest.mark.parametrize("door", BOTH)
@pytest.mark.parametrize("nonsense", NONSENSE)
async def test_a_server_that_fails_costs_nothing_and_tells_nothing(
    ada, model, services, capsys, door, nonsense
):
    model.reply = NONSENSE[nonsense]
    logs.configure("debug", "json")
    try:
        assert await generate(ada, door) == "ai_failed"
    finally:
        output = "".join(capsys.readouterr())
        logs.configure("info", "json")
    assert KEY not in output
    assert "Invite them" not in output
    assert "language model failed" in output
    assert await services.db.fetchval(_USED) == 0
    assert len(model.got) == 1  # nothing is tried twice, nothing followed


async def test_the_status_of_each_failure(ada, model, services):
    model.reply = NONSENSE["401"]
    failed = await ada.rest("POST", "/ai-integration", json={"prompt": "x"})
    assert failed.status_code == 502
    assert KEY not in failed.text
    services.settings.ai_url = "http://127.0.0.1:1/v1"
    assert (await ada.rest("POST", "/ai-integration", json={"prompt": "x"})).status_code == 502
    assert await services.db.fetchval(_USED) == 0


@pytest.mark.parametrize("door", BOTH)
@pytest.mark.parametrize(
    "begun", [b"", b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"]
)
async def test_a_server_that_takes_too_long(ada, model, services, door, begun):
    async def reply(writer):
        writer.write(begun)
        await asyncio.Event().wait()

    model.reply = reply
    services.settings.ai_timeout = 0.3
    assert await generate(ada, door) == "ai_timeout"
    assert await services.db.fetchval(_USED) == 0


async def test_a_server_that_drips_is_cut_off_all_the_same(ada, model, services):
    """Each byte comes in time; all of them don't."""

    async def reply(writer):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n")
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.02)

    model.reply = reply
    services.settings.ai_timeout = 0.5
    answered = await ada.rest("POST", "/ai-integration", json={"prompt": "x"})
    assert (answered.status_code, answered.json()["code"]) == (504, "ai_timeout")


async def test_nobody_asks_more_than_a_day_allows(ada, bob, model, services):
    services.settings.ai_requests_per_day = 7
    model.reply = completion("x")
    done = await asyncio.gather(*(generate(ada, BOTH[n % 2]) for n in range(30)))
    assert done.count("ai_limit_reached") == 23
    assert len(model.got) == 7
    assert (await generate(bob))["texts"] == ["x"]

    refused = await ada.rest("POST", "/ai-integration", json={"prompt": "x"})
    assert refused.status_code == 429
    wait = int(refused.headers["retry-after"])
    assert refused.json()["details"] == {"retryAfter": wait, "limit": 7}
    end = datetime.now(UTC) + timedelta(seconds=wait)
    assert abs((end - datetime.now(UTC).replace(hour=0, minute=0, second=0)) - timedelta(days=1)) < timedelta(
        minutes=1
    )

    # What fails is given back, so the last one can be asked again; yesterday counts for nothing.
    await services.db.fetch("UPDATE ai_usage SET requests = 6 WHERE user_id = $1", ada.id)
    model.reply = NONSENSE["500"]
    assert await generate(ada) == "ai_failed"
    model.reply = completion("x")
    assert (await generate(ada))["texts"] == ["x"]
    assert await generate(ada) == "ai_limit_reached"
    await services.db.fetch("UPDATE ai_usage SET day = day - 1")
    assert (await generate(ada))["texts"] == ["x"]


async def test_an_allowance_of_none(ada, model, services):
    services.settings.ai_requests_per_day = 0
    assert await generate(ada) == "ai_limit_reached"
    assert (model.got, await services.db.fetchval(_USED)) == ([], 0)


async def test_no_connection_to_the_database_is_held_meanwhile(ada, model, services):
    """More wait for the model than there are connections, and others are served."""
    done = asyncio.Event()

    async def reply(writer):
        await done.wait()
        writer.write(completion("x"))
        await writer.drain()

    model.reply = reply
    waiting = [asyncio.create_task(generate(ada)) for _ in range(30)]
    await until(lambda: len(model.got) == 30)
    assert (await ada.rest("GET", "/auth/me")).status_code == 200
    assert (await ada.rest("POST", "/accounts", json={"name": "n"})).status_code == 201
    done.set()
    assert all(answer["texts"] == ["x"] for answer in await asyncio.gather(*waiting))


@pytest.mark.parametrize("door", BOTH)
@pytest.mark.parametrize(
    "wrong",
    [
        {"prompt": ""},
        {"prompt": "x" * 8001},
        {"prompt": "a\x00"},
        {"tone": "x" * 65},
        {"tone": "a\nb"},
        {"language": "English, please"},
        {"maxLength": 0},
        {"maxLength": 10_001},
        {"variants": 0},
        {"variants": 6},
        {"sendingProjectUuid": "x"},
    ],
)
async def test_a_question_that_is_none(ada, model, services, door, wrong):
    assert await generate(ada, door, **wrong) in ("validation_failed", "bad_request")
    assert (model.got, await services.db.fetchval(_USED)) == ([], 0)


@pytest.mark.parametrize(
    "usage", [None, [], {"prompt_tokens": "7", "completion_tokens": -1}, {"prompt_tokens": 10**30}]
)
async def test_a_usage_that_makes_no_sense_counts_for_nothing(ada, model, usage):
    body = {"choices": [{"message": {"content": "x"}}], "usage": usage, "model": "m\n" + "x" * 500}
    model.reply = answer(json.dumps(body).encode())
    last = await generate(ada, "graphql")
    assert last["usage"] == {"promptTokens": 0, "completionTokens": 0, "totalTokens": 0}
    assert (len(last["model"]), last["model"][:2]) == (128, "mx")
