"""Renders versions for their authors: with data, as a contact gets it, or as a recipient of a project does."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple
from uuid import UUID

from core.errors import NotFound
from engine.texts import bodies, recipient_links, run_clock
from engine.texts.choices import best_locale
from engine.texts.problems import problem, too_large
from resolvers import project_content
from resolvers.template_versions.composing import compose
from resolvers.template_versions.lacking import lacking
from resolvers.templates.template_rows import parts_of, visible
from runtime import link_domains
from runtime.operation import Op, require
from runtime.permissions import Permission
from shapes.messages import MessageCategory
from shapes.project_actions import MessagePreview
from shapes.purposes import Module
from shapes.sending_projects import ProjectChannel
from shapes.template_problems import MOST_PROBLEMS, ProblemKind, TemplateProblem
from shapes.template_versions import PreviewTemplate, PreviewTemplateVersion, TemplatePreview

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
    """Returns a saved version rendered.

    Raises NotFound (contact, recipient, audience), BadRequest (`template_lacks_part`, and what `compose` raises),
    RateLimited, Unavailable.
    """
    template = await visible(op, version.template_id)
    locale = best_locale(input.locale, version.locales, version.default_locale)
    text = await op.db.fetchrow(_TEXT, version.id, locale)
    if version.number is None:
        return await _draft(op, template, version, text, input)
    sent = {
        "text": text["sent_text"] or text["text"],
        "html": text["sent_html"] or text["html"],
        "required": text["required_variables"],
        "problems": [problem for problem in version.problems if problem["locale"] == locale],
    }
    return await _rendered(op, template, version, {**text, **sent}, input)


async def preview_unsaved(op: Op, id: UUID, input: PreviewTemplate) -> TemplatePreview:
    """Returns a version rendered that is not saved. Raises as `preview` does."""
    template = await visible(op, id)
    preview, version = input.preview or PreviewTemplateVersion(), input.version
    texts = {text.locale: text for text in version.texts}
    default = (version.default_locale or version.texts[0].locale).lower()
    default = next(locale for locale in texts if locale.lower() == default)
    text = texts[best_locale(preview.locale, [*texts], default)].model_dump()
    unsaved = SimpleNamespace(
        owner_id=template.owner_id, layout_key=version.layout_key, test_data=version.test_data or {}
    )
    return await _draft(op, template, unsaved, text, preview)


async def _draft(
    op: Op, template: Any, version: Any, text: Mapping[str, Any], input: PreviewTemplateVersion
) -> TemplatePreview:
    composition = await compose(op, version, template, [text])
    sent = {**composition.texts[text["locale"]], "problems": composition.problems}
    return await _rendered(op, template, version, {**text, **sent}, input)


async def _rendered(
    op: Op, template: Any, version: Any, sent: Mapping[str, Any], input: PreviewTemplateVersion
) -> TemplatePreview:
    """Returns a text with layout and partials rendered. `sent` has its locale, its parts, its problems and the
    variables that it requires.
    """
    locale = sent["locale"]
    content = parts_of(input.channel, sent["subject"], sent["text"], sent["html"], template.key, locale)
    person = await _person(op, version, input)
    clock = run_clock.at({**content, "channel": input.channel.value}, op.services.db.now())
    values = {**run_clock.of(clock, person.address, person.timezone), **person.variables}
    if template.category == MessageCategory.promotional:
        base = await link_domains.base_of(op.services, template.owner_id)
        values = {**recipient_links.examples(op.services, template.owner_id, base), **values}
    rendered = await project_content.preview(
        op, {**content, "channel": input.channel.value}, values, None, None
    )
    required = [name for name in sent["required"] if name.partition(".")[0] in rendered.variables]
    counts, examined = await lacking(op, template, input, [*rendered.missing, *required])
    return TemplatePreview(
        problems=_problems(sent, content, rendered, counts),
        examined=examined,
        locale=locale,
        subject=rendered.subject,
        body=rendered.body,
        html=rendered.html,
        variables=rendered.variables,
        missing=rendered.missing,
        segments=rendered.segments,
    )


def _problems(
    sent: Mapping[str, Any],
    content: Mapping[str, Any],
    rendered: MessagePreview,
    counts: Mapping[str, int] | None,
) -> list[TemplateProblem]:
    """Returns the problems of the parts that are sent; of an audience, the variables that some of it lack."""
    stored = [
        each for each in sent["problems"] if each["part"] is None or content.get(each["part"]) is not None
    ]
    has_size = any(each["kind"] == ProblemKind.too_large for each in stored)
    if rendered.html and not has_size and too_large(rendered.html):
        stored.append({"locale": sent["locale"], **problem("too_large", "html")})
    names = rendered.missing if counts is None else [name for name, count in counts.items() if count]
    stored += [
        {
            "locale": sent["locale"],
            "lacking": None if counts is None else counts[name],
            **problem("missing_variable", None, name),
        }
        for name in names
    ]
    return [
        TemplateProblem.model_validate({"locale": sent["locale"], **each}) for each in stored[:MOST_PROBLEMS]
    ]


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
