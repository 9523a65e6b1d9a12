"""`postern doctor` names projects that do not add up, until a later reconciliation does."""

from typing import Any

from core.ids import uuid7
from tests.doctor.looking import look
from tests.support.gateway import gateway
from tests.support.people import Person

__all__ = ["gateway"]

_MADE = """
INSERT INTO reconciliations (id, owner_id, project_id, kind, project_finished_at, number, state, made_at)
VALUES (postern_uuid7(), $1, $2, 'finished', now(), $3, $4, now())
"""


async def test_a_project_that_does_not_add_up(own: Any, ada: Person, services: Any):
    new = {"name": "p", "channel": "sms", "text": "x"}
    project = (await ada.rest("POST", "/sending-project", json=new)).json()["uuid"]
    assert (await look(own())).of("reconciliation") == []
    async with services.db.reading() as db:
        await db.execute(_MADE, ada.id, project, 1, "open")
    (line,) = (await look(own())).of("reconciliation")
    assert line.startswith("✗") and f"{project} (number 1)" in line
    async with services.db.reading() as db:
        await db.execute(_MADE, ada.id, project, 2, "balanced")
        await db.execute(
            "INSERT INTO reconciliations (id, owner_id, project_id, kind, project_finished_at, created_at)"
            " VALUES ($1, $2, $3, 'settled', now(), now() - interval '2 hours')",
            uuid7(), ada.id, project,
        )  # fmt: skip
    (line,) = (await look(own())).of("reconciliation")
    assert line.startswith("!") and "1 projects have waited" in line
