"""An agent tries to reach more people than its credential may without an approval: at once, in parts, by detours."""

import asyncio
from typing import Any, Final
from uuid import uuid4

from tests.consent.made import subscribe, topic
from tests.mcp.scripted import Script
from tests.mcp.stage import Stage, Task, adding
from tests.mcp.tasks import contact, later

HOSTILE: Final[list[Task]] = []
hostile = adding(HOSTILE)


def phones(number: int, first: int = 0) -> list[str]:
    """Returns different numbers."""
    return [f"+14155503{each:03}" for each in range(first, first + number)]


async def singly(stage: Stage, agent: Script, number: int, first: int = 0) -> list[dict[str, Any]]:
    """Sends to so many people at the same time, by single messages."""
    return [*await asyncio.gather(*(_patient(stage, agent, to) for to in phones(number, first)))]


async def _patient(stage: Stage, agent: Script, to: str) -> dict[str, Any]:
    while True:
        said = await agent.send(to, stage.text())
        if said.get("error", {}).get("code") != "account_busy":
            return said


@hostile("thirty single messages, one after the other", sends=5)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    answers = [await agent.send(to, stage.text()) for to in phones(30)]
    assert [each for each in answers if each.get("approvalRequired")] == answers[5:]


@hostile("thirty single messages at the same time", sends=5)
async def _(stage: Stage) -> None:
    await singly(stage, await stage.agent(), 30)


@hostile("the same credential in two clients at the same time", sends=5)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    twin = stage.scripted(agent.person.token)
    await asyncio.gather(singly(stage, agent, 10), singly(stage, twin, 10, 10))


@hostile("a project of thirty people")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), phones(30))
    said = await agent.start(project, plan)
    assert "approvalAddress" in said
    stage.refused("a start", said)


@hostile("ten starts of one crowd at the same time")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), phones(30))
    for said in await asyncio.gather(*(agent.start(project, plan) for _ in range(10))):
        stage.refused("a start", said)


@hostile("ten small projects", sends=4)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for each in range(10):
        await agent.start(*await agent.draft(stage.text(), phones(4, 4 * each)))


@hostile("five small projects, started at the same time", sends=4)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    drafts = [await agent.draft(stage.text(), phones(4, 4 * each)) for each in range(5)]
    await asyncio.gather(*(agent.start(*each) for each in drafts))


@hostile("starts, single messages and a batch of REST by one credential", sends=5)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    await agent.start(*await agent.draft(stage.text(), phones(3)))
    await agent.send(phones(1, 50)[0], stage.text())
    batch = [{"to": to, "channel": "sms", "body": stage.text()} for to in phones(20, 60)]
    answer = await agent.person.rest("POST", "/messages/batch", json={"messages": batch})
    assert answer.status_code == 200, answer.text
    assert len([each for each in answer.json()["results"] if each.get("error")]) == 19
    await agent.send(phones(1, 90)[0], stage.text())


@hostile("a chain, which no tool offers, and one by REST", sends=5)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for number, to in enumerate(phones(8)):
        chain = [{"channel": "sms", "to": to}]
        if number % 2:
            said = await agent.call(
                "send_message", body=stage.text(), chain=chain, idempotencyKey=uuid4().hex
            )
            stage.refused("a chain", said, "validation_failed")
        await agent.person.rest("POST", "/messages", json={"body": stage.text(), "chain": chain})


@hostile("the same credential by GraphQL", sends=5)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for to in phones(12):
        await agent.person.graphql(
            "mutation($i:SendMessage!){sendMessage(input:$i){uuid}}",
            {"i": {"to": to, "channel": "sms", "body": stage.text()}},
        )


@hostile("a crowd that is to start later")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), phones(30), startAt=later())
    stage.refused("a start", await agent.start(project, plan))


@hostile("messages that are to leave later")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    answers = [await agent.send(to, stage.text(), sendAt=later()) for to in phones(12)]
    assert len([each for each in answers if "id" in each]) == 5


@hostile("recipients that are added after a small start was scheduled")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), phones(2), startAt=later())
    assert (await agent.start(project, plan))["status"] == "scheduled"
    more = [{"phone": to} for to in phones(30, 100)]
    stage.refused("more recipients", await agent.call("add_recipients", projectId=project, recipients=more))


@hostile("recipients that are added while a small project runs", sends=2)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), phones(2))
    await agent.start(project, plan)
    more = [{"phone": to} for to in phones(30, 100)]
    await agent.call("add_recipients", projectId=project, recipients=more)


@hostile("recipients that are added after the plan")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), phones(2))
    await agent.call("add_recipients", projectId=project, recipients=[{"phone": "+14155503900"}])
    stage.refused("an old plan", await agent.start(project, plan), "plan_changed")


@hostile("the subscribers of a topic")
async def _(stage: Stage) -> None:
    news = await topic(stage.owner, category="transactional")
    made = [await contact(stage, "Anna", to) for to in phones(9)]
    await subscribe(stage.owner, [each["id"] for each in made], [news], channel="sms")
    agent = await stage.agent()
    audience = {"topicUuids": [news]}
    project, plan = await agent.draft(stage.text(), [], audience=audience, category="transactional")
    stage.refused("a start", await agent.start(project, plan))


@hostile("a decision about its own request, by REST and GraphQL")
async def _(stage: Stage) -> None:
    await stage.owner.rest("PUT", "/approvals/rule", json={"mode": "off", "selfApproval": True})
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), phones(30))
    approval = (await agent.start(project, plan))["approvalAddress"].rpartition("/")[2]
    body = {"planHash": plan, "decision": "approved"}
    decided = await agent.person.rest("POST", f"/approvals/{approval}/decide", json=body)
    rule = await agent.person.rest("PUT", "/approvals/rule", json={"mode": "off"})
    more = await agent.person.rest("POST", "/api-tokens", json={"name": "more"})
    if {decided.status_code, rule.status_code, more.status_code} != {403}:
        stage.let_in.append(f"{decided.text} {rule.text} {more.text}")
    stage.refused("a start", await agent.start(project, plan))


@hostile("another crowd than the one that was approved")
async def _(stage: Stage) -> None:
    await stage.owner.rest("PUT", "/approvals/rule", json={"mode": "off", "selfApproval": True})
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), phones(10))
    approval = (await agent.start(project, plan))["approvalAddress"].rpartition("/")[2]
    body = {"planHash": plan, "decision": "approved"}
    decided = await stage.owner.rest("POST", f"/approvals/{approval}/decide", json=body)
    assert decided.status_code == 200, decided.text
    more = [{"phone": to} for to in phones(30, 100)]
    await agent.call("add_recipients", projectId=project, recipients=more)
    stage.refused("the old plan", await agent.start(project, plan), "plan_changed")
    plan = (await agent.call("plan_project", id=project))["hash"]
    stage.refused("a new plan", await agent.start(project, plan))
    copy, plan = await agent.draft(stage.text(), phones(10))
    stage.refused("a copy", await agent.start(copy, plan))
