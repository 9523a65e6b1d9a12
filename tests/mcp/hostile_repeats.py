"""The same act comes again: from a model with a new key, from a client that was restarted, after a broken line."""

import asyncio
from contextlib import suppress
from typing import Any, Final
from uuid import uuid4

import httpx
import orjson

from tests.mcp.agent import META, MODERN, asked
from tests.mcp.scripted import Script, read
from tests.mcp.stage import Stage, Task, adding
from tests.support.waits import until

HOSTILE: Final[list[Task]] = []
hostile = adding(HOSTILE)
TO: Final = "+14155550142"
_BUSY: Final = ("account_busy", "idempotency_in_flight")


async def once(answers: list[dict[str, Any]]) -> None:
    """Checks that all answers are about one message."""
    assert len({each.get("id") for each in answers}) == 1, answers


async def patient(agent: Script, body: str, **arguments: Any) -> dict[str, Any]:
    """Sends until the answer is none to wait for."""
    while True:
        said = await agent.send(TO, body, **arguments)
        if said.get("error", {}).get("code") not in _BUSY:
            return said


@hostile("a client is restarted, with the same ids", sends=3)
async def _(stage: Stage) -> None:
    keys = [uuid4().hex for _ in range(3)]
    agent = await stage.agent()
    for _ in range(3):
        for number, key in enumerate(keys):
            await agent.send(TO, stage.text(str(number)), idempotencyKey=key)
        agent = stage.scripted(agent.person.token)


@hostile("a model tries again with new ids", sends=1)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    await once([await agent.send(TO, stage.text()) for _ in range(5)])


@hostile("a model tries again with new ids, and its arguments in another order", sends=1)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    values = {"to": TO, "channel": "sms", "body": stage.text()}
    orders = (values, dict(reversed(values.items())))
    await once([await agent.call("send_message", **each, idempotencyKey=uuid4().hex) for each in orders])


@hostile("twenty of the same, with new ids, at the same time", sends=1)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    await once([*await asyncio.gather(*(patient(agent, stage.text()) for _ in range(20)))])


@hostile("twenty of the same, with the same id, at the same time", sends=1)
async def _(stage: Stage) -> None:
    agent, key = await stage.agent(), uuid4().hex
    calls = (patient(agent, stage.text(), idempotencyKey=key) for _ in range(20))
    await once([*await asyncio.gather(*calls)])


@hostile("one id for two acts", sends=1)
async def _(stage: Stage) -> None:
    agent, key = await stage.agent(), uuid4().hex
    await agent.send(TO, stage.text(), idempotencyKey=key)
    said = await agent.send("+14155550143", stage.text(), idempotencyKey=key)
    stage.refused("an act under a used key", said, "idempotency_key_reused")


@hostile("a client hangs up in the middle of a call, and tries again with new ids", sends=1)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for seconds in (0.001, 0.003, 0.01, 0.02, 0.05):
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await agent.send(TO, stage.text())
    await patient(agent, stage.text())


@hostile("half a request, and the connection ends")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    body = orjson.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "send_message", "arguments": {}},
        }
    )
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {agent.person.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body) + 50}\r\n\r\n"
    )
    stage.live.send(head.encode() + body, half_close=True)


@hostile("the service is killed in the middle of calls, which come again with the same ids", sends=8)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    keys = [uuid4().hex for _ in range(8)]

    async def call(number: int) -> dict[str, Any] | None:
        try:
            return await agent.send(TO, stage.text(str(number)), idempotencyKey=keys[number])
        except httpx.TransportError:
            return None

    calls = [asyncio.create_task(call(number)) for number in range(8)]
    await asyncio.sleep(0.02)
    await asyncio.to_thread(stage.live.kill)
    await asyncio.gather(*calls)
    for number in range(8):

        async def done(number: int = number) -> bool:
            return "id" in (await call(number) or {})

        await until(done, 0.1)


@hostile("a body that names its arguments twice", sends=1)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    text = stage.text()
    for _ in range(2):
        key = uuid4().hex
        arguments = (
            f'{{"to":"+14155550199","to":"{TO}","channel":"sms","body":"{text}",'
            f'"idempotencyKey":"first","idempotencyKey":"{key}"}}'
        )
        meta = orjson.dumps(META).decode()
        params = f'{{"name":"who_am_i","name":"send_message","arguments":{arguments},"_meta":{meta}}}'
        body = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}'
        names = {"mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": "send_message"}
        await agent.person.rest(
            "POST", "/mcp", content=body, headers={"content-type": "application/json", **names}
        )


@hostile("a project is started ten times at the same time, with new ids", sends=3)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), [f"+1415555020{each}" for each in range(3)])
    await asyncio.gather(*(agent.start(project, plan) for _ in range(10)))


@hostile("a project is started again after it has ended", sends=3)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), [f"+1415555020{each}" for each in range(3)])
    await agent.start(project, plan, "one")
    await stage.settled()
    for key in ("one", "two"):
        said = await agent.start(project, plan, key)
        if key == "two":
            stage.refused("a second start", said)


@hostile("a batch of JSON-RPC that sends twice")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    arguments = {"to": TO, "channel": "sms", "body": stage.text(), "idempotencyKey": "1"}
    call = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "send_message", "arguments": arguments},
    }  # fmt: skip
    answer = await agent.person.rest("POST", "/mcp", json=[call, {**call, "id": 2}])
    stage.refused("a batch", read(answer))


@hostile("a client of 2025 and one of 2026 do the same", sends=1)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    values = {"to": TO, "channel": "sms", "body": stage.text()}
    answers = []
    for revision in ("2025-11-25", MODERN, "2025-03-26"):
        call = {"name": "send_message", "arguments": {**values, "idempotencyKey": uuid4().hex}}
        answers.append(read(await asked(agent.person, "tools/call", call, revision=revision)))
    await once(answers)
