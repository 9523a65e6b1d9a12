"""What a project may say, checked when it is saved and rendered for a preview: contract §3."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID, uuid5

from channels.sms_text import segments, split
from engine import texts
from postern.errors import BadRequest, ValidationFailed
from schema.types.sending_projects import MessagePreview, ProjectChannel

MOST_SEGMENTS = 10

# What a channel can't carry, by column.
_FOREIGN = {
    ProjectChannel.sms: ("subject", "html", "template", "attachment_uuids"),
    ProjectChannel.email: ("template",),
    ProjectChannel.push: ("html", "template", "attachment_uuids"),
    ProjectChannel.telegram: ("subject", "html", "template"),
    ProjectChannel.whatsapp: ("subject", "html"),
}
_SHOWN = {"attachment_uuids": "attachmentUuids"}


def fit(project: Mapping[str, Any]) -> None:
    """Raises ValidationFailed when the channel can't carry what the project says."""
    channel = ProjectChannel(project["channel"])
    rules = [
        f"{_SHOWN.get(name, name)}: {channel.value} has none; take it away"
        for name in _FOREIGN[channel]
        if project.get(name)
    ]
    body = project.get("text") or project.get("variants") or project.get("html")
    if channel is ProjectChannel.email and (body or project.get("subject")):
        if not project.get("subject"):
            rules.append("subject: an email needs one")
        if not body:
            rules.append("text: an email needs it, or html")
    if rules:
        raise ValidationFailed(rules)


async def check(project: Mapping[str, Any], changed: set[str]) -> None:
    """Raises BadRequest (`bad_text`, `text_too_long`) for the first of the changed texts that can't be used.

    Beside the event loop: a text may be long, and is its author's own program.
    """
    if changed & {"subject", "html", "text", "variants", "template", "channel"}:
        await asyncio.to_thread(_check, project, changed)


def _check(project: Mapping[str, Any], changed: set[str]) -> None:
    for name, source in _sources(project):
        if name.partition(".")[0] in changed:
            try:
                texts.check(source)
            except texts.TextError as error:
                raise BadRequest(
                    f"{name}: {error.message}", code="bad_text", details={"field": name, "line": error.line}
                ) from error
    if project["channel"] == ProjectChannel.sms:
        for name, source in _sources(project):
            parts = segments(_bare(source))
            if parts > MOST_SEGMENTS:
                raise BadRequest(
                    f"{name}: an SMS of {parts} parts, without its variables; {MOST_SEGMENTS} are allowed."
                    " Shorten it.",
                    code="text_too_long",
                )


def _bare(source: str) -> str:
    """The text for somebody of whom nothing is known; "" when it can't do without."""
    try:
        return texts.compiled({"text": source}).render(None, {}).body
    except texts.TextError:
        return ""


def _sources(project: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every text of a project, by the name that its author knows."""
    for name in ("subject", "html", "text"):
        if project.get(name):
            yield name, project[name]
    for place, variant in enumerate(project.get("variants") or ()):
        yield f"variants.{place}.text", variant["text"]
    for place, param in enumerate((project.get("template") or {}).get("params") or ()):
        yield f"template.params.{place}", param


async def preview(
    content: Mapping[str, Any],
    variables: Mapping[str, Any],
    variant: int | None,
    message: tuple[UUID, UUID] | None,
) -> MessagePreview:
    """The content rendered; `message` (project, recipient) picks the variant that this recipient gets.

    Raises BadRequest (`bad_text`).
    """
    return await asyncio.to_thread(_preview, content, variables, variant, message)


def _preview(
    content: Mapping[str, Any],
    variables: Mapping[str, Any],
    variant: int | None,
    message: tuple[UUID, UUID] | None,
) -> MessagePreview:
    used: set[str] = set()
    try:
        for _, source in _sources(content):
            used |= texts.check(source)
        text = texts.compiled({**content, "on_missing_variable": "empty"})
        if variant is None and message is not None:
            variant = text.pick(uuid5(message[0], str(message[1])))
        rendered = text.render(variant, variables)
    except texts.TextError as error:
        raise BadRequest(error.message, code="bad_text", details={"line": error.line}) from error
    alphabet, parts = split(rendered.body)
    sms = content["channel"] == ProjectChannel.sms
    return MessagePreview(
        subject=rendered.subject,
        body=rendered.body,
        html=rendered.html,
        params=list(rendered.params),
        variables=sorted(used),
        missing=text.missing(variant, variables),
        characters=len(rendered.body),
        segments=len(parts) if sms else None,
        encoding=alphabet if sms else None,
    )
