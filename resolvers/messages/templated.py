"""Messages whose text comes from a template: the published text is read, filled in, and put in the place of the body.

    templateKey, version ──► published version ──► language ──► parts of the channel ──► values ──► message

A text with `{{ name }}` alone is filled in here, and so is one with Liquid logic that was measured to be quick. Any
other is a program of its author and is rendered in the render pool (decision 0024), where a user has one task at a
time: so messages that come meanwhile are rendered together by the next task.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import orjson

from core.errors import AppError, BadRequest, RateLimited
from engine.direct import attachments
from engine.texts import project_texts
from engine.texts.choices import best_locale
from resolvers import project_content
from resolvers.messages.message_queue import account_busy, shared
from resolvers.messages.metadata import files_of
from resolvers.messages.payers import TemplateRequest
from resolvers.templates.template_files import carried
from resolvers.templates.template_rows import (
    SECONDS_HERE,
    Published,
    PublishedText,
    TextSource,
    parts_of,
    require_published,
)
from runtime.group_commit import GroupCommit
from runtime.operation import Op
from runtime.render_pool import RenderPool, TooComplex
from shapes.messages import MessageChannel, SendMessage
from shapes.project_settings import LONGEST_TEXT
from shapes.templated_messages import TemplatedMessage

_TOGETHER: Final = 50  # messages of one task
_SECONDS: Final = 0.6  # of processor time that a message may take, and each further one of the task
_FURTHER_SECONDS: Final = 0.02
_WAITS: Final = 5.0  # seconds that a message waits for the task before
_LONGEST: Final = 1_600  # characters of a message that is no email, as in the specification
_METADATA: Final = 256 * 1024  # bytes of the metadata as JSON, as in a message without a template


class _Task(NamedTuple):
    """Holds a message that waits for the render pool."""

    owner: UUID
    network: str | None
    key: str
    content: Mapping[str, Any]
    variables: Mapping[str, Any]


class _Renderer(GroupCommit[_Task, Any]):
    """Renders messages in the render pool, those of one user together."""

    def __init__(self, pool: RenderPool) -> None:
        super().__init__(self._render, together=_TOGETHER, seconds=_WAITS)
        self._pool = pool

    async def _render(self, tasks: Sequence[_Task]) -> Sequence[Any]:
        """Returns an answer for each task, or the error. Raises TooComplex: which task it was is then found."""
        sources = {task.key: task.content for task in tasks}
        arguments = {"sources": sources, "rows": [(task.key, task.variables) for task in tasks]}
        try:
            answers: Sequence[Any] = await self._pool.run(
                tasks[0].owner,
                "render_messages",
                arguments,
                seconds=_SECONDS + _FURTHER_SECONDS * len(tasks),
                network=tasks[0].network,
            )
        except RateLimited as error:  # it lies in none of them
            return [error] * len(tasks)
        return answers


def template_of(input: SendMessage) -> TemplateRequest | None:
    """Returns the template that a message names; None: it has a text."""
    if not isinstance(input, TemplatedMessage):
        return None
    return TemplateRequest(input.template_key, input.template_version)


def head_of(payer: Any) -> Mapping[str, Any] | None:
    """Returns what is published of the template with which a payer was read; None: the owner has none."""
    head = payer.template
    if head is None:
        return None
    version, files = head["version_id"], head["attachment_uuids"]
    return {
        **head,
        "id": UUID(head["id"]),
        "version_id": version and UUID(version),
        "attachment_uuids": [UUID(id) for id in files or ()],
    }


async def message_of(op: Op, owner: UUID, input: TemplatedMessage) -> tuple[SendMessage, TextSource]:
    """Returns `message_by` of a message whose payer was read without its template. `owner`: of the paying account."""
    published = op.services.single(Published, lambda: Published(op.db), Published.close)
    request = (owner, input.template_key, input.template_version)
    return await message_by(op, await shared(published.heads, request), input)


async def message_by(op: Op, head: Any, input: TemplatedMessage) -> tuple[SendMessage, TextSource]:
    """Returns a message with the rendered text of its template, and what that was. `head`: what is published of it.

    Raises NotFound (`template_not_found`, `template_version_not_found`), RateLimited, Unavailable, BadRequest
    (`template_archived`, `template_not_published`, `template_lacks_part`, `missing_variable`, `bad_metadata`,
    `bad_attachments`, `bad_text`, `text_too_long`, `text_too_complex`).
    """
    published = op.services.single(Published, lambda: Published(op.db), Published.close)
    require_published(head, input.template_key, input.template_version)
    locale = best_locale(input.locale, head["locales"], head["default_locale"])
    text = await published.text(head, locale)
    content = parts_of(input.channel, text.subject, text.text, text.html, input.template_key, locale)
    rendered = await _rendered(op, published, text, input, content)
    source = TextSource(text.template_id, text.number, text.locale)
    return _with_text(input, rendered, text.attachments), source


async def _rendered(
    op: Op, published: Published, text: PublishedText, input: TemplatedMessage, content: dict[str, Any]
) -> Mapping[str, Any]:
    variables = input.variables or {}
    name = input.channel.value
    pool = op.services.render_pool

    def measure(content: Mapping[str, Any]) -> Any:
        return pool.run(op.viewer.id, "measure", {"content": content}, network=op.ctx.client_network)

    def make(content: Mapping[str, Any]) -> Any:
        return pool.run(op.viewer.id, "with_text", {"content": content}, network=op.ctx.client_network)

    content = await published.complete(text, name, content, make)
    compiled = await published.compiled(text, name, content, measure)
    if compiled is not None:
        if missing := compiled.missing(None, variables):
            raise _missing(missing)
        begun = time.thread_time()
        try:
            made = compiled.render(None, variables)
        except project_texts.TextError as error:
            if not error.limit or project_texts.is_plain(content):
                raise BadRequest(error.message, code="bad_text") from error
            published.render_elsewhere(text, name)
        else:
            if time.thread_time() - begun > SECONDS_HERE and not project_texts.is_plain(content):
                published.render_elsewhere(text, name)
            return {"subject": made.subject, "body": made.body, "html": made.html}
    renderer = op.services.single(_Renderer, lambda: _Renderer(pool), _Renderer.close)
    network = op.ctx.client_network
    task = _Task(op.viewer.id, network, f"{text.version_id} {text.locale} {name}", content, variables)
    size = sum(len(part) for part in content.values() if part) + len(orjson.dumps(variables))
    try:
        with account_busy():
            answer = await renderer.join((op.viewer.id, network), task, size)
    except TooComplex:
        raise project_content.too_complex() from None
    if isinstance(answer, AppError):
        raise answer
    if "missing" in answer:
        raise _missing(answer["missing"])
    if "bad" in answer:
        raise BadRequest(answer["bad"], code="text_too_long" if answer["long"] else "bad_text")
    return dict(answer)


def _missing(names: Sequence[str]) -> BadRequest:
    return BadRequest(
        f"The template prints variables that have no value: {', '.join(sorted(names))}. Send them in `variables`, or"
        " publish a version with `| default:`.",
        code="missing_variable",
        details={"missing": sorted(names)},
    )


def _require_storable(parts: Iterable[str]) -> None:
    """Raises BadRequest for a text that PostgreSQL can't store, as a filter can make it of a value."""
    for part in parts:
        try:
            bad = b"\0" in part.encode()
        except UnicodeEncodeError:
            bad = True
        if bad:
            raise BadRequest(
                "The rendered text has a NUL character, or half a character. Change the template's filters or the"
                " variables.",
                code="bad_text",
            )


def _with_text(input: TemplatedMessage, rendered: Mapping[str, Any], files: Sequence[UUID]) -> SendMessage:
    """Returns the message with the text in the place of its body. Raises BadRequest."""
    _require_storable(part for part in rendered.values() if part)
    email = input.channel is MessageChannel.email
    longest = LONGEST_TEXT if email else _LONGEST
    body = rendered["body"]
    if len(body) > longest or not (email or body.strip()):
        raise BadRequest(
            f"The rendered text must have 1 to {longest} characters; it has {len(body)}. Change the template or its"
            " variables.",
            code="text_too_long" if len(body) > longest else "bad_text",
        )
    own: dict[str, Any] = {"subject": rendered["subject"], "html": rendered["html"]} if email else {}
    if input.channel is MessageChannel.push:
        own = {"title": rendered["subject"]}
    own = {name: value for name, value in own.items() if value is not None}
    if both := own.keys() & (input.metadata or {}).keys():
        raise BadRequest(
            f"metadata.{min(both)} comes from the template. Leave it out, or send the message without a template.",
            code="bad_metadata",
        )
    metadata = {**(input.metadata or {}), **own}
    if own and len(orjson.dumps(metadata)) > _METADATA:
        raise BadRequest(
            f"The rendered HTML is too long: the metadata of a message has at most {_METADATA // 1024} KiB. Shorten the"
            " template or its variables.",
            code="text_too_long",
        )
    shared = {name: getattr(input, name) for name in SendMessage.model_fields}
    if files:
        shared["attachments"] = carried(input.channel.value, files, files_of(input)) or None
        metadata.pop(attachments.NAME, None)
    return SendMessage.model_construct(**{**shared, "body": body, "metadata": metadata or None})
