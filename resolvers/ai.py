"""Text generation by a language model (contract §3). Any server with OpenAI's chat completions API works."""

import asyncio
from datetime import UTC, date, datetime, time, timedelta
from math import ceil
from typing import Any
from uuid import UUID

from core.errors import NotFound, RateLimited, Unavailable, UpstreamTimeout
from core.installation import missing
from db import models
from db.query import of, p
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.ai import LONGEST, GeneratedText, GenerateText, TokenUsage
from shapes.sending_projects import ProjectStatus

_PROJECT_TEXT = 4000  # characters of a project's text that go into the prompt

_PROJECT = of(models.SendingProject, models.SendingProject.id == p("id"))
_COUNT_REQUEST = """
INSERT INTO ai_usage AS u (user_id, day, requests)
SELECT $1, (now() AT TIME ZONE 'UTC')::date, 1 WHERE $2::int8 > 0
ON CONFLICT (user_id, day) DO UPDATE SET requests = u.requests + 1 WHERE u.requests < $2::int8
RETURNING day
"""
_GIVE_BACK = "UPDATE ai_usage SET requests = requests - 1 WHERE user_id = $1 AND day = $2 AND requests > 0"


@operation(Permission.ai_write, "outside")
async def generate(op: Op, input: GenerateText) -> GeneratedText:
    """Generates texts with a language model, for a project or without one.

    A failed request does not count against the daily limit. Raises Unavailable (not configured), NotFound (project),
    RateLimited, UpstreamFailed, UpstreamTimeout.
    """
    settings = op.services.settings
    if settings.ai_url is None:
        raise Unavailable(
            "No language model is configured. Ask the operator to set POSTERN_AI_URL.",
            code="ai_not_configured",
        )
    if missing("ai"):
        raise Unavailable(
            "The client of the language model is not installed on this server. Ask the operator to run `postern"
            " doctor`.",
            code="ai_not_configured",
        )
    messages = _messages(input, await _project(op, input.sending_project_uuid))
    day = await _count_request(op)
    try:
        async with asyncio.timeout(settings.ai_timeout):
            return await _write(op, messages, input.variants, input.max_length or LONGEST)
    except Exception as error:
        async with op.db.transaction() as connection:
            await connection.execute(_GIVE_BACK, op.viewer.id, day)
        if isinstance(error, TimeoutError):
            raise UpstreamTimeout(
                "The language model didn't answer in time. Try again later.", code="ai_timeout"
            ) from None
        raise


async def _count_request(op: Op) -> date:
    """Counts one request against today's limit and returns the day that it counts for. Raises RateLimited."""
    most = op.services.settings.ai_requests_per_day
    async with op.db.transaction() as connection:
        day: date | None = await connection.fetchval(_COUNT_REQUEST, op.viewer.id, most)
    if day is None:
        now = op.services.db.now()
        midnight = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
        seconds = max(1, ceil((midnight - now).total_seconds()))
        raise RateLimited(
            f"You may ask the language model {most} times a day (UTC), and you have done so. Try again in"
            f" {seconds} s.",
            code="ai_limit_reached",
            details={"retryAfter": seconds, "limit": most},
            headers={"Retry-After": str(seconds)},
        )
    return day


async def _write(op: Op, messages: list[Any], variants: int, longest: int) -> GeneratedText:
    """Returns the generated texts. Asks again for missing ones, singly if the server refuses several at once."""
    from core import language_model  # importing its client takes longer than the rest of a start

    texts: list[str] = []
    model, prompted, completed, several = "", 0, 0, True
    while len(texts) < variants:
        missing = variants - len(texts) if several else 1
        try:
            answer = await language_model.ask(op.services.settings, messages, missing)
        except language_model.Refused:
            if missing == 1:
                raise
            several = False
            continue
        texts += [_bounded(text, longest) for text in answer.texts]
        model = answer.model
        prompted, completed = prompted + answer.prompt_tokens, completed + answer.completion_tokens
    usage = TokenUsage(prompt_tokens=prompted, completion_tokens=completed, total_tokens=prompted + completed)
    return GeneratedText(texts=texts[:variants], model=model, usage=usage)


def _bounded(text: str, longest: int) -> str:
    """Returns the text, cut between two words if it exceeds `longest` characters: models often miss the length."""
    text = text.replace("\x00", "").strip()
    if len(text) <= longest:
        return text
    head = text[:longest]
    whole = text[longest].isspace() or head[-1].isspace()
    return head.rstrip() if whole else head.rsplit(None, 1)[0]


async def _project(op: Op, id: UUID | None) -> models.SendingProject | None:
    """Returns the caller's project, or None without an id. Raises NotFound."""
    if id is None:
        return None
    project = await _PROJECT.first(op.db, id=id)
    mine = project is not None and (op.viewer.admin or project.owner_id == op.viewer.id)
    if project is None or not mine or project.status == ProjectStatus.deleted:
        raise NotFound(
            "There is no Sending Project with this uuid among yours. Check the uuid.",
            code="sending_project_not_found",
        )
    return project


def _messages(input: GenerateText, project: models.SendingProject | None) -> list[Any]:
    instructions = [
        "You write messages that a company sends to its customers.",
        "Answer with the text of the message alone: no title, no quotes around it, no explanation.",
        "Placeholders look like {{ name }}. Keep those that you are given as they are and invent no others.",
    ]
    if input.tone is not None:
        instructions.append(f"Tone: {input.tone}.")
    if input.language is not None:
        instructions.append(f"Write in the language {input.language}.")
    if input.max_length is not None:
        instructions.append(f"Use at most {input.max_length} characters.")
    if project is not None:
        instructions.append(f"The message goes out by {project.channel}, in the campaign {project.name!r}.")
        if project.subject:
            instructions.append(f"Its subject: {project.subject[:_PROJECT_TEXT]}")
        if project.text:
            instructions.append(f"Its text so far:\n{project.text[:_PROJECT_TEXT]}")
    return [
        {"role": "system", "content": "\n".join(instructions)},
        {"role": "user", "content": input.prompt},
    ]
