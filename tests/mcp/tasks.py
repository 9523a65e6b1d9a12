"""Ten tasks that people give to an agent, as a script does them: each step takes what the answers before it said."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import uuid4

from tests.mcp.scripted import Script
from tests.mcp.stage import Stage, Task, adding
from tests.support.waits import until
from tests.templates.made import published, text

TASKS: Final[list[Task]] = []
task = adding(TASKS)


def later() -> str:
    """Returns a time in two hours."""
    return (datetime.now(UTC) + timedelta(hours=2)).isoformat()


async def contact(stage: Stage, name: str, phone: str, **fields: Any) -> dict[str, Any]:
    """Adds a contact of the owner."""
    body = {"name": name, "addresses": [{"channel": "sms", "address": phone}], **fields}
    answer = await stage.owner.rest("POST", "/contacts", json=body)
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def status(agent: Script, id: str, *wanted: str) -> dict[str, Any]:
    """Asks for a message until it has one of these statuses."""

    async def seen() -> dict[str, Any] | None:
        said = await agent.call("get_message", id=id)
        return said if said["status"] in wanted else None

    found: dict[str, Any] = await until(seen, 0.05)
    return found


@task("find a contact and send", sends=1)
async def _(stage: Stage) -> None:
    await contact(stage, "Anna Berg", "+14155550142")
    agent = await stage.agent()
    (anna,) = (await agent.call("find_contacts", name="anna"))["items"]
    (address,) = anna["addresses"]
    said = await agent.send(address["address"]["untrustedText"], stage.text("Your table is ready"))
    assert said["status"] == "queued"


@task("look what became of a message", sends=1)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    said = await agent.send("+14155550142", stage.text())
    assert (await status(agent, said["id"], "sent"))["to"] == "+14155550142"


@task("say why a message failed")
async def _(stage: Stage) -> None:
    stage.provider.refuses["+14155550671"] = "this number is not in use"
    agent = await stage.agent()
    said = await agent.send("+14155550671", stage.text())
    failed = await status(agent, said["id"], "failed")
    assert "not in use" in failed["failureReason"]["untrustedText"]


@task("send what a project says to three people", sends=3)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), [f"+1415555010{each}" for each in range(3)])
    assert (await agent.start(project, plan))["status"] == "running"
    await stage.settled()
    said = await agent.call("get_project", id=project)
    assert said["counts"]["sent"] == 3, said


@task("stop a project before it starts")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), ["+14155550100"], startAt=later())
    assert (await agent.start(project, plan))["status"] == "scheduled"
    assert (await agent.call("stop_project", id=project))["status"] == "stopped"
    (listed,) = (await agent.call("list_projects", status="stopped"))["items"]
    assert listed["uuid"] == project


@task("cancel a message that has not left")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    said = await agent.send("+14155550142", stage.text(), sendAt=later())
    assert (await agent.call("cancel_message", id=said["id"]))["deliveryState"] == "canceled"


@task("say the balance, and who one is", sends=1)
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    assert (await agent.call("who_am_i"))["email"] == stage.owner.email
    (before,) = (await agent.call("list_accounts"))["items"]
    await agent.send("+14155550142", stage.text())
    (after,) = (await agent.call("list_accounts"))["items"]
    assert float(before["balance"]) == 100 > float(after["balance"])


@task("send by a template", sends=1)
async def _(stage: Stage) -> None:
    await published(stage.owner, "table", text(text=f"Hi {{{{ name }}}} {stage.tag}"))
    agent = await stage.agent()
    (seen,) = (await agent.call("list_templates"))["items"]
    values = {"templateKey": seen["key"], "variables": {"name": "Anna"}, "idempotencyKey": uuid4().hex}
    said = await agent.call("send_message", to="+14155550142", channel="sms", **values)
    assert said["body"]["untrustedText"] == f"Hi Anna {stage.tag}"


@task("read what people answered, and answer", sends=1)
async def _(stage: Stage) -> None:
    await stage.inbound("When do you open?")
    agent = await stage.agent()
    (asked,) = (await agent.call("list_messages", direction="inbound"))["items"]
    assert asked["body"] == {"untrustedText": "When do you open?"}
    await agent.send(asked["sender"]["untrustedText"], stage.text("At nine."))


@task("send to twenty people after a person has approved it", sends=20)
async def _(stage: Stage) -> None:
    rule = await stage.owner.rest("PUT", "/approvals/rule", json={"mode": "off", "selfApproval": True})
    assert rule.status_code == 200, rule.text
    agent = await stage.agent()
    project, plan = await agent.draft(stage.text(), [f"+141555501{each:02}" for each in range(20)])
    said = await agent.start(project, plan)
    approval = said["approvalAddress"].rpartition("/")[2]
    body = {"planHash": plan, "decision": "approved"}
    decided = await stage.owner.rest("POST", f"/approvals/{approval}/decide", json=body)
    assert decided.json()["state"] == "approved", decided.text
    assert (await agent.start(project, plan))["status"] == "running"
