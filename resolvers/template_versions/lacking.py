"""Counts the people of an audience who lack the variables of a text: the first thousand of them are examined."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from core.errors import NotFound
from engine.projects import audience_sizes
from engine.texts import bodies, project_texts, recipient_links
from runtime.operation import Op, require
from runtime.permissions import Permission
from shapes.purposes import Module
from shapes.template_problems import MOST_EXAMINED, PreviewAudience
from shapes.template_versions import PreviewTemplateVersion

_PROJECT = """
SELECT id, audience, audience_read_at, category, channel FROM sending_projects
WHERE id = $1 AND owner_id = $2 AND status <> 'deleted'
"""
_RECIPIENTS = """
SELECT address, name, variables FROM recipients WHERE project_id = $1 ORDER BY seq LIMIT $2
"""
_OWN: Final = {
    "segment": "SELECT true FROM segments WHERE id = $1 AND owner_id = $2",
    "topic": "SELECT true FROM topics WHERE id = $1 AND owner_id = $2",
}
# The variables that every recipient has.
_EVERYBODYS: Final = frozenset({*recipient_links.VARIABLES, "run"})


async def lacking(
    op: Op, template: Any, input: PreviewTemplateVersion, required: Sequence[str]
) -> tuple[Mapping[str, int] | None, int | None]:
    """Returns how many people of the audience lack each variable, and how many were examined; None: no audience.

    `required`: the variables that the text prints without a default. The `variables` of the input are everybody's.
    Raises NotFound, Forbidden, BadRequest.
    """
    if input.audience is None:
        return None, None
    recipients = await _recipients(op, template, input, input.audience)
    counts = {name: 0 for name in required if name.partition(".")[0] not in _EVERYBODYS}
    shared = input.variables or {}
    for row in recipients:
        own = bodies.variables(input.channel.value, row["address"], row["name"], row["variables"]) | shared
        for name in counts:
            counts[name] += project_texts.lacks(name, own)
    return counts, len(recipients)


async def _recipients(
    op: Op, template: Any, input: PreviewTemplateVersion, asked: PreviewAudience
) -> Sequence[Any]:
    owner, channel, category = template.owner_id, input.channel.value, template.category
    if asked.sending_project_uuid is not None:
        require(op.viewer, Permission.recipients_read)
        project = await op.db.fetchrow(_PROJECT, asked.sending_project_uuid, owner)
        if project is None:
            raise _unknown("Sending Project", "sending_project_not_found")
        if project["audience"] is None or project["audience_read_at"] is not None:
            return await op.db.fetch(_RECIPIENTS, project["id"], MOST_EXAMINED)
        audience, channel, category = project["audience"], project["channel"], project["category"]
    else:
        audience = await _of_contacts(op, owner, asked)
    region = op.services.settings.default_region
    return await audience_sizes.sample(op.db, region, owner, channel, audience, category, MOST_EXAMINED)


async def _of_contacts(op: Op, owner: UUID, asked: PreviewAudience) -> Mapping[str, Any]:
    """Returns the audience of a project to a segment or a topic."""
    await op.services.choices.require(Module.people)
    require(op.viewer, Permission.contacts_read)
    kind, id = ("segment", asked.segment_uuid) if asked.segment_uuid else ("topic", asked.topic_uuid)
    if not await op.db.fetchval(_OWN[kind], id, owner):
        raise _unknown(kind, f"{kind}_not_found")
    chosen = {"topicUuids": [], "segmentUuids": [], f"{kind}Uuids": [str(id)]}
    return {**chosen, "exceptTopicUuids": [], "exceptSegmentUuids": [], "exceptProjectUuids": []}


def _unknown(kind: str, code: str) -> NotFound:
    return NotFound(f"There is no {kind} with this uuid among yours. Check the uuid.", code=code)
