"""The tasks of a child process, by name. Arguments and answers are JSON.

What is wrong with a user's text or rule is an answer ("bad"), not an exception.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID, uuid5

from channels.sms_text import segments, split
from engine import schedules, texts
from schema.types.repeatable import Schedule

Answer = dict[str, Any]

_TIMES, _ENOUGH = 50, 0.05  # times that a text is rendered to measure it, and seconds that are enough


@lru_cache(256)
def _names(source: str) -> frozenset[str]:
    """Raises TextError. A text that is saved, previewed and saved again is parsed once."""
    return frozenset(texts.check(source))


def check(sources: Sequence[tuple[str, str]], sms: Sequence[tuple[str, str]]) -> Answer:
    """`sources`: texts by their field, to be checked; `sms`: those whose parts are counted, without variables."""
    for field, source in sources:
        try:
            _names(source)
        except texts.TextError as error:
            return {"bad": error.message, "line": error.line, "field": field, "limit": error.limit}
    return {"parts": [[field, segments(_bare(source))] for field, source in sms]}


def _bare(source: str) -> str:
    """The text for somebody of whom nothing is known; "" when it can't do without."""
    try:
        return texts.compiled({"text": source}).render(None, {}).body
    except texts.TextError:
        return ""


def preview(
    content: Mapping[str, Any],
    sources: Sequence[str],
    variables: Mapping[str, Any],
    variant: int | None,
    message: tuple[str, str] | None,
) -> Answer:
    """The content rendered; `message` (project, recipient) picks the variant that this recipient gets."""
    used: set[str] = set()
    try:
        for source in sources:
            used |= _names(source)
        text = texts.compiled({**content, "on_missing_variable": "empty"})
        if variant is None and message is not None:
            variant = text.pick(uuid5(UUID(message[0]), message[1]))
        rendered = text.render(variant, variables)
    except texts.TextError as error:
        return {"bad": error.message, "line": error.line, "limit": error.limit}
    alphabet, parts = split(rendered.body)
    return {
        "subject": rendered.subject,
        "body": rendered.body,
        "html": rendered.html,
        "params": list(rendered.params),
        "variables": sorted(used),
        "missing": text.missing(variant, variables),
        "segments": len(parts),
        "encoding": alphabet,
    }


def render(content: Mapping[str, Any], variant: int | None, variables: Mapping[str, Any]) -> Answer:
    """One message."""
    try:
        rendered = texts.compiled(content).render(variant, variables)
    except texts.TextError as error:
        return {"bad": error.message, "limit": error.limit}
    except texts.MissingVariable as error:
        return {"missing": error.name}
    return {
        "subject": rendered.subject,
        "body": rendered.body,
        "html": rendered.html,
        "params": list(rendered.params),
    }


def measure(content: Mapping[str, Any]) -> Answer:
    """How long the content takes to be read, and to be rendered without variables, in milliseconds.

    The mean of many times: the clock of the processor's time may move by 10 ms at once.
    """
    begun = time.process_time()
    try:
        text = texts.Compiled(content)  # not from memory: the worker reads it anew
    except texts.TextError:
        return {"read": (time.process_time() - begun) * 1000, "rendered": 0.0}
    read = time.process_time()
    times = 0
    while times < _TIMES and (times == 0 or time.process_time() - read < _ENOUGH):
        times += 1
        with suppress(texts.TextError, texts.MissingVariable):
            text.render(None, {})
    return {"read": (read - begun) * 1000, "rendered": (time.process_time() - read) * 1000 / times}


def bodies(
    contents: Mapping[str, Any],
    rows: Sequence[tuple[str, str, int | None, Mapping[str, Any]]],
    seconds: float,
) -> Answer:
    """The bodies of messages, by id; those that can't be made, or for which there is no time, are left out.

    `rows`: id, key of the content, variant, variables.
    """
    until = time.process_time() + seconds
    made: Answer = {}
    for id, key, variant, variables in rows:
        if time.process_time() > until:
            break
        try:
            rendered = texts.compiled(contents[key]).render(variant, variables)
        except Exception:  # noqa: S112  it was sent, so it was good in its time; one must not cost the list
            continue
        made[id] = rendered.body or rendered.html
    return made


def check_schedule(schedule: Mapping[str, Any], now: str) -> Answer:
    try:
        schedules.check(Schedule.model_validate(schedule), datetime.fromisoformat(now))
    except schedules.BadSchedule as error:
        return {"bad": str(error)}
    return {}


def next_firing(schedule: Mapping[str, Any], after: str) -> Answer:
    try:
        found = schedules.next_after(Schedule.model_validate(schedule), datetime.fromisoformat(after))
    except schedules.BadSchedule as error:
        return {"bad": str(error)}
    return {"next": found}


def firings(rows: Sequence[tuple[Mapping[str, Any], int]], now: str, seconds: float) -> list[Any]:
    """The next firings of each schedule; null for those for which there is no time left."""
    until, moment = time.process_time() + seconds, datetime.fromisoformat(now)
    found: list[Any] = []
    for schedule, count in rows:
        if time.process_time() > until:
            found.append(None)
            continue
        try:
            found.append(schedules.firings(Schedule.model_validate(schedule), moment, count))
        except schedules.BadSchedule:  # a zone that is gone since
            found.append([])
    return found


TASKS: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (check, preview, render, measure, bodies, check_schedule, next_firing, firings)
}
