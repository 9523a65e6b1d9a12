"""Makes credentials with `approvalAbove`, and counts whom they have reached."""

from typing import Any
from uuid import UUID

from runtime.services import Services
from tests.api_tokens.made import caller, made
from tests.support.people import Person

REFUSED = (409, "approval_required")
SENT = (202, None)


async def limited(person: Person, above: int, **values: Any) -> tuple[Person, str]:
    """Returns a caller with a token that may reach so many recipients, and the token's id."""
    token, id = await made(person, approvalAbove=above, **values)
    return caller(person, token), id


async def send(person: Person, to: str, **changes: Any) -> tuple[int, str | None]:
    """Sends one message. Returns the status, and the code of an error."""
    body = {"to": to, "channel": "sms", "body": "hi", **changes}
    answer = await person.rest("POST", "/messages", json=body)
    return answer.status_code, answer.json().get("code")


def phone(number: int) -> str:
    """Returns one of many numbers."""
    return f"+1415556{number:04}"


async def counted(services: Services, credential: str) -> int:
    """Returns how many recipients a credential has. The counter and the rows must agree."""
    (row,) = await services.db.fetch(
        "SELECT COALESCE((SELECT recipients FROM reach_counters WHERE credential_id = $1), 0) AS counter,"
        " (SELECT count(*) FROM reach_recipients WHERE credential_id = $1) AS rows",
        UUID(credential),
    )
    assert row["counter"] == row["rows"]
    return int(row["rows"])


async def hours_pass(services: Services, hours: float) -> None:
    """Makes everything that was counted so many hours older."""
    for column, table in (("counts_until", "reach_recipients"), ("renewed_at", "reach_projects")):
        await services.db.fetch(
            f"UPDATE {table} SET {column} = {column} - make_interval(secs => $1)",
            hours * 3600,
        )
