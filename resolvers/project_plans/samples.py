"""The messages that a few recipients of a project would get: some from its whole list, and one who lacks a variable."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from engine.projects import audience_sizes
from engine.texts import bodies, recipient_links, run_clock
from resolvers import project_content
from runtime import link_domains
from runtime.operation import Op
from runtime.permissions import Permission, allowed
from shapes.approvals import MOST_SAMPLES, PlannedMessage

_SPREAD = """
WITH ends AS (SELECT min(seq) AS first, max(seq) AS last FROM recipients WHERE project_id = $1)
SELECT DISTINCT ON (r.id) r.id, r.seq, r.address, r.name, r.variables, r.timezone
FROM ends CROSS JOIN generate_series(0, $2 - 1) AS step CROSS JOIN LATERAL (
  SELECT * FROM recipients WHERE project_id = $1
    AND seq >= ends.first + (ends.last - ends.first) * step / GREATEST($2 - 1, 1) ORDER BY seq LIMIT 1
) AS r
"""
_PROJECT = """
SELECT owner_id, channel, category, audience, audience_read_at, started_at FROM sending_projects WHERE id = $1
"""
_VISIBLE: Final = 4  # characters at the end of an address
_LOOKED_AT: Final = 12  # recipients, of whom one may lack a variable
_READ: Final = 100  # people of an audience


async def messages(op: Op, project: UUID, content: Mapping[str, Any]) -> list[PlannedMessage]:
    """Returns what three recipients would get by the texts of a plan. Raises BadRequest, RateLimited, Unavailable."""
    return await _messages(op, project, content, MOST_SAMPLES)


async def with_lacking(op: Op, project: UUID, content: Mapping[str, Any]) -> list[PlannedMessage]:
    """Returns what three recipients would get, of whom the last one lacks a variable if one of the first dozen does.

    Raises as `messages` does.
    """
    made = await _messages(op, project, content, _LOOKED_AT)
    chosen = [made[0], *made[len(made) // 2 :][:1], *made[-1:]] if len(made) > MOST_SAMPLES else made
    lacking = next((message for message in made if message.missing), None)
    if lacking is None or any(message.missing for message in chosen):
        return chosen
    return [*chosen[: MOST_SAMPLES - 1], lacking]


async def _messages(op: Op, project: UUID, content: Mapping[str, Any], most: int) -> list[PlannedMessage]:
    may_read = allowed(op.viewer, Permission.recipients_read)
    if not may_read and not allowed(op.viewer, Permission.projects_approve):
        return []
    row = await op.db.fetchrow(_PROJECT, project)
    recipients = await _recipients(op, project, row, most)
    clock = run_clock.at(content, row["started_at"] or op.services.db.now())
    base = await link_domains.base_of(op.services, row["owner_id"])
    made = []
    for recipient in recipients:
        variables = run_clock.of(clock, recipient["address"], recipient["timezone"])
        if row["category"] == "promotional":
            variables = {**recipient_links.examples(op.services, row["owner_id"], base), **variables}
        variables |= bodies.variables(
            row["channel"], recipient["address"], recipient["name"], recipient["variables"]
        )
        if not may_read:
            part = _part_of(recipient["address"])
            variables = {
                name: part if value == recipient["address"] else value for name, value in variables.items()
            }
        rendered = await project_content.preview(op, content, variables, None, (project, recipient["id"]))
        made.append(
            PlannedMessage(
                to=recipient["address"] if may_read else _part_of(recipient["address"]),
                subject=rendered.subject,
                body=rendered.body,
                html=rendered.html,
                missing=rendered.missing,
            )
        )
    return made


async def _recipients(op: Op, project: UUID, row: Any, most: int) -> Sequence[Any]:
    if row["audience"] is not None and row["audience_read_at"] is None:
        region, asked = (
            op.services.settings.default_region,
            (row["owner_id"], row["channel"], row["audience"]),
        )
        contacts = await audience_sizes.sample(op.db, region, *asked, row["category"], _READ)
        last = len(contacts) - 1
        return contacts if last < most else [contacts[last * step // (most - 1)] for step in range(most)]
    return sorted(await op.db.fetch(_SPREAD, project, most), key=lambda each: each["seq"])


def _part_of(address: str) -> str:
    """Returns a part of an address, for a caller who may not see recipients."""
    name, at, domain = address.rpartition("@")
    return f"{name[:1]}…@{domain}" if at and name else f"…{address[-_VISIBLE:]}"
