"""A project with recipients, its plan, and the people around it."""

from typing import Any

from tests.support.people import Person


async def project(person: Person, recipients: int = 3, **fields: Any) -> str:
    """Returns the uuid of a draft whose recipients are there."""
    body = {"name": "Spring", "channel": "sms", "text": "Hi {{ name }}, code {{ code }}", **fields}
    answer = await person.rest("POST", "/sending-project", json=body)
    assert answer.status_code == 201, answer.text
    uuid = str(answer.json()["uuid"])
    await add(person, uuid, range(recipients))
    return uuid


async def add(person: Person, project: str, numbers: Any, **variables: Any) -> Any:
    recipients = [
        {"phone": f"+1415555{number:04}", "name": f"P{number}", "variables": {"code": number, **variables}}
        for number in numbers
    ]
    return await person.rest("POST", f"/recipient/{project}", json={"recipients": recipients})


async def plan(person: Person, project: str) -> dict[str, Any]:
    answer = await person.rest("POST", f"/sending-project/{project}/plans")
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def ask(person: Person, project: str, plan_hash: str) -> dict[str, Any]:
    answer = await person.rest("POST", f"/sending-project/{project}/approvals", json={"planHash": plan_hash})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def decide(person: Person, approval: dict[str, Any], plan_hash: str, decision: str = "approved") -> Any:
    body = {"planHash": plan_hash, "decision": decision, "note": "looked at it"}
    return await person.rest("POST", f"/approvals/{approval['uuid']}/decide", json=body)


async def start(person: Person, project: str, plan_hash: str | None = None) -> Any:
    body = {} if plan_hash is None else {"json": {"planHash": plan_hash}}
    return await person.rest("POST", f"/sending-project/start/{project}", **body)


async def rule(person: Person, **fields: Any) -> None:
    answer = await person.rest("PUT", "/approvals/rule", json={"mode": "always", **fields})
    assert answer.status_code == 200, answer.text
