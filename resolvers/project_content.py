"""The content of projects (contract §3): checked when it is saved, rendered for previews."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from channels.sms_text import segments
from core.errors import BadRequest, ValidationFailed
from engine.texts import project_texts
from runtime.operation import Op
from runtime.render_pool import TooComplex
from shapes.project_actions import MessagePreview
from shapes.sending_projects import FOREIGN, ProjectChannel

MOST_SEGMENTS = 10

_TEXT_COLUMNS = ("subject", "html", "text", "variants", "template", "languages")
_COLUMNS = {"attachmentUuids": "attachment_uuids"}


def fit(project: Mapping[str, Any]) -> None:
    """Raises ValidationFailed if the project has content that its channel can't send."""
    channel = ProjectChannel(project["channel"])
    rules = [
        f"{field}: {channel.value} has none; take it away"
        for field, channels in FOREIGN.items()
        if channel in channels and project.get(_COLUMNS.get(field, field))
    ]
    body = project.get("text") or project.get("variants") or project.get("html")
    if channel is ProjectChannel.email and (body or project.get("subject")):
        if not project.get("subject"):
            rules.append("subject: an email needs one")
        if not body:
            rules.append("text: an email needs it, or html")
    if rules:
        raise ValidationFailed(rules)


async def check(op: Op, project: Mapping[str, Any], changed: set[str]) -> None:
    """Checks the texts named in `changed`. A text with more than `{{ name }}` is a program of its author, so it is
    parsed in a separate process.

    Raises BadRequest (`bad_text`, `text_too_long`, `text_too_complex`) for the first bad text, and RateLimited or
    Unavailable if the check can't run now.
    """
    if not changed & {*_TEXT_COLUMNS, "channel"}:
        return
    whole = [*_sources(project)]
    sms = whole if project["channel"] == ProjectChannel.sms else []
    templates = [(name, source) for name, source in whole if project_texts.plain_names(source) is None]
    asked = [(name, source) for name, source in templates if name.partition(".")[0] in changed]
    plain = [(name, source) for name, source in sms if project_texts.plain_names(source) is not None]
    parts: list[tuple[str, int]] = [
        (name, segments(project_texts.compiled({"text": source}).render(None, {}).body))
        for name, source in plain
    ]
    counted = [(name, source) for name, source in sms if (name, source) in templates]
    if asked or counted:
        result = await run_task(op, "check", {"sources": asked, "sms": counted})
        parts += [(name, count) for name, count in result["parts"]]
    for name, count in parts:
        if count > MOST_SEGMENTS:
            raise BadRequest(
                f"{name}: the SMS has {count} parts before its variables are filled in; at most"
                f" {MOST_SEGMENTS} are allowed. Shorten it.",
                code="text_too_long",
            )


async def run_task(op: Op, task: str, arguments: Mapping[str, Any]) -> Any:
    """Returns the result of a task on a text. Raises BadRequest (`bad_text`, `text_too_long`, `text_too_complex`),
    RateLimited, Unavailable.
    """
    try:
        result = await op.services.render_pool.run(
            op.viewer.id, task, arguments, network=op.ctx.client_network
        )
    except TooComplex:
        raise too_complex() from None
    if "bad" in result:
        if "field" in result:
            details = {"field": result["field"], "line": result["line"]}
            code = "text_too_long" if result.get("long") else "bad_text"
            raise BadRequest(f"{result['field']}: {result['bad']}", code=code, details=details)
        raise BadRequest(result["bad"], code="bad_text", details={"line": result.get("line")})
    return result


def too_complex() -> BadRequest:
    """Returns the error for a text that takes too long to parse or to render."""
    return BadRequest(
        "This text takes too long to parse or to render. Use fewer tags, loops and filters.",
        code="text_too_complex",
    )


def _sources(project: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields every text of a project, with the field name that its author knows."""
    for name in ("subject", "html", "text"):
        if project.get(name):
            yield name, project[name]
    for index, language in enumerate((project.get("languages") or {}).get("texts") or ()):
        if index and language.get("text"):  # the first is that of the project itself
            yield f"languages.{index}.text", language["text"]
    for index, variant in enumerate(project.get("variants") or ()):
        yield f"variants.{index}.text", variant["text"]
    for index, param in enumerate((project.get("template") or {}).get("params") or ()):
        yield f"template.params.{index}", param


async def preview(
    op: Op,
    content: Mapping[str, Any],
    variables: Mapping[str, Any],
    variant: int | None,
    message: tuple[UUID, UUID] | None,
) -> MessagePreview:
    """Returns the content rendered. `message` (project, recipient) selects the variant that this recipient gets.

    Raises BadRequest (`bad_text`, `text_too_complex`), RateLimited, Unavailable.
    """
    result = await run_task(
        op,
        "preview",
        {
            "content": {name: content.get(name) for name in _TEXT_COLUMNS},
            "sources": [source for _, source in _sources(content)],
            "variables": variables,
            "variant": variant,
            "message": None if message is None else [str(id) for id in message],
        },
    )
    sms = content["channel"] == ProjectChannel.sms
    return MessagePreview(
        subject=result["subject"],
        body=result["body"],
        html=result["html"],
        params=result["params"],
        variables=result["variables"],
        missing=result["missing"],
        characters=len(result["body"]),
        segments=result["segments"] if sms else None,
        encoding=result["encoding"] if sms else None,
    )


async def rendered(
    op: Op, content: Mapping[str, Any], variables: Mapping[str, Any]
) -> project_texts.Rendered:
    """Returns one rendered message. Raises BadRequest (`bad_text`, `text_too_complex`), RateLimited, Unavailable."""
    try:
        if project_texts.is_plain(content):
            return project_texts.compiled(content).render(None, variables)
        result = await run_task(op, "render", {"content": content, "variant": None, "variables": variables})
    except project_texts.TextError as error:
        raise BadRequest(error.message, code="bad_text") from error
    return project_texts.Rendered(result["subject"], result["body"], result["html"], tuple(result["params"]))
