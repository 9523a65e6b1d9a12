"""Renders versions for their authors: with data, as a contact gets it, or as a recipient of a project does."""

from typing import Any, NamedTuple

from core.errors import NotFound
from engine.texts import bodies, recipient_links, run_clock
from resolvers import project_content
from resolvers.template_versions.composing import compose
from resolvers.templates.template_rows import best_locale, parts_of, visible
from runtime.operation import Op, require
from runtime.permissions import Permission
from shapes.messages import MessageCategory
from shapes.purposes import Module
from shapes.sending_projects import ProjectChannel
from shapes.template_versions import PreviewTemplateVersion, TemplatePreview

_TEXT = "SELECT * FROM template_texts WHERE version_id = $1 AND locale = $2"
_CONTACT = """
SELECT NULLIF(c.name, '') AS name, c.timezone,
  jsonb_strip_nulls(jsonb_build_object('locale', c.locale, 'externalId', c.external_id)) || c.fields AS variables, (
    SELECT address FROM contact_addresses WHERE contact_id = c.id AND channel = $3 ORDER BY "primary" DESC, id LIMIT 1
  ) AS address
FROM contacts AS c WHERE c.id = $1 AND c.owner_id = $2
"""
_RECIPIENT = """
SELECT r.name, r.timezone, r.variables, r.address
FROM recipients AS r JOIN sending_projects AS s ON s.id = r.project_id
WHERE r.id = $1 AND s.owner_id = $2 AND s.status <> 'deleted'
"""


class _Person(NamedTuple):
    """Holds what a text knows of the one who gets it."""

    variables: dict[str, Any]
    address: str = ""
    timezone: str | None = None


async def preview(op: Op, version: Any, input: PreviewTemplateVersion) -> TemplatePreview:
    """Returns a version rendered.

    Raises NotFound (contact, recipient), BadRequest (`template_lacks_part`, and what `compose` raises), RateLimited,
    Unavailable.
    """
    template = await visible(op, version.template_id)
    locale = best_locale(input.locale, version.locales, version.default_locale)
    text = await op.db.fetchrow(_TEXT, version.id, locale)
    sent = {"text": text["sent_text"] or text["text"], "html": text["sent_html"] or text["html"]}
    if version.number is None:
        sent = dict((await compose(op, version, template.key, [text])).texts[locale])
    content = parts_of(input.channel, text["subject"], sent["text"], sent["html"], template.key)
    person = await _person(op, version, input)
    clock = run_clock.at({**content, "channel": input.channel.value}, op.services.db.now())
    values = {**run_clock.of(clock, person.address, person.timezone), **person.variables}
    if template.category == MessageCategory.promotional:
        values = {**recipient_links.examples(op.services.settings), **values}
    rendered = await project_content.preview(
        op, {**content, "channel": input.channel.value}, values, None, None
    )
    return TemplatePreview(
        locale=locale,
        subject=rendered.subject,
        body=rendered.body,
        html=rendered.html,
        variables=rendered.variables,
        missing=rendered.missing,
        segments=rendered.segments,
    )


async def _person(op: Op, version: Any, input: PreviewTemplateVersion) -> _Person:
    """Returns the variables: those that are given, over those of a contact or recipient; of none, the test data."""
    data = input.variables or {}
    row: Any = None
    if input.contact_id is not None:
        await op.services.choices.require(Module.people)
        require(op.viewer, Permission.contacts_read)
        channel = input.channel.value
        if input.channel in (ProjectChannel.telegram, ProjectChannel.whatsapp):
            channel = ProjectChannel.sms.value
        row = await op.db.fetchrow(_CONTACT, input.contact_id, version.owner_id, channel)
        if row is None:
            raise NotFound(
                "There is no contact with this id among yours. Check the id.", code="contact_not_found"
            )
    elif input.recipient_uuid is not None:
        row = await op.db.fetchrow(_RECIPIENT, input.recipient_uuid, version.owner_id)
        if row is None:
            raise NotFound(
                "There is no recipient with this uuid in your projects. Check the uuid.",
                code="recipient_not_found",
            )
    elif input.variables is None:
        return _Person(version.test_data)
    if row is None:
        return _Person(data)
    address = row["address"] or ""
    own = bodies.variables(input.channel.value, address, row["name"], row["variables"])
    return _Person({**own, **data}, address, row["timezone"])
