"""The tasks of a child process, by name. Arguments and answers are JSON.

An error in a user's text or rule is an answer ("bad"), not an exception.
"""

import base64
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID, uuid5

from channels.sms_text import segments, split
from engine.mail_reports.reading import read_report
from engine.projects import schedules
from engine.projects.plan import examine, send_times
from engine.render_worker.template_tasks import assemble, differences, render_messages
from engine.texts import plain_part, project_texts
from shapes.repeatable import Schedule

Answer = dict[str, Any]

_TIMES, _ENOUGH = 50, 0.05  # limits of a measurement: renderings, and seconds


@lru_cache(256)
def _names(source: str) -> frozenset[str]:
    """Returns the variables of a text.

    Raises TextError. Cached: a text is usually previewed and saved several times.
    """
    return frozenset(project_texts.check(source))


def check(sources: Sequence[tuple[str, str]], sms: Sequence[tuple[str, str]]) -> Answer:
    """Checks texts. `sources`: texts by their field; `sms`: texts whose parts are counted, without variables."""
    for field, source in sources:
        try:
            _names(source)
        except project_texts.TextError as error:
            return {"bad": error.message, "line": error.line, "field": field, "limit": error.limit}
    return {"parts": [[field, segments(_bare(source))] for field, source in sms]}


def _bare(source: str) -> str:
    """Renders a text without variables; "" if it fails."""
    try:
        return project_texts.compiled({"text": source}).render(None, {}).body
    except project_texts.TextError:
        return ""


def preview(
    content: Mapping[str, Any],
    sources: Sequence[str],
    variables: Mapping[str, Any],
    variant: int | None,
    message: tuple[str, str] | None,
) -> Answer:
    """Renders a content; `message` (project, recipient) selects the variant that this recipient gets."""
    used: set[str] = set()
    try:
        for source in sources:
            used |= _names(source)
        text = project_texts.compiled({**plain_part.with_text(content), "on_missing_variable": "empty"})
        if variant is None and message is not None:
            variant = text.pick(uuid5(UUID(message[0]), message[1]), variables)
        rendered = text.render(variant, variables)
    except project_texts.TextError as error:
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
    """Renders one message."""
    try:
        rendered = project_texts.compiled(plain_part.with_text(content)).render(variant, variables)
    except project_texts.TextError as error:
        return {"bad": error.message, "limit": error.limit}
    except project_texts.MissingVariable as error:
        return {"missing": error.name}
    return {
        "subject": rendered.subject,
        "body": rendered.body,
        "html": rendered.html,
        "params": list(rendered.params),
    }


def measure(content: Mapping[str, Any]) -> Answer:
    """Returns the milliseconds to parse the content, and to render it without variables.

    The mean of many runs: the processor-time clock may advance in steps of 10 ms.
    """
    begun = time.process_time()
    try:
        text = project_texts.Compiled(content)  # not from memory: the worker reads it anew
    except project_texts.TextError:
        return {"read": (time.process_time() - begun) * 1000, "rendered": 0.0}
    read = time.process_time()
    times = 0
    while times < _TIMES and (times == 0 or time.process_time() - read < _ENOUGH):
        times += 1
        with suppress(project_texts.TextError, project_texts.MissingVariable):
            text.render(None, {})
    return {"read": (read - begun) * 1000, "rendered": (time.process_time() - read) * 1000 / times}


def with_text(content: Mapping[str, Any]) -> Answer:
    """Returns the content with the text parts that are made from its HTML."""
    return dict(plain_part.with_text(content))


def check_schedule(schedule: Mapping[str, Any], now: str) -> Answer:
    """Checks a schedule."""
    try:
        schedules.check(Schedule.model_validate(schedule), datetime.fromisoformat(now))
    except schedules.BadSchedule as error:
        return {"bad": str(error)}
    return {}


def next_firing(schedule: Mapping[str, Any], after: str) -> Answer:
    """Returns the next firing after a time."""
    try:
        firing = schedules.next_after(Schedule.model_validate(schedule), datetime.fromisoformat(after))
    except schedules.BadSchedule as error:
        return {"bad": str(error)}
    return {"next": firing}


def firings(rows: Sequence[tuple[Mapping[str, Any], int]], now: str, seconds: float) -> list[Any]:
    """Returns the next firings of each schedule; null for those for which no time is left."""
    until, moment = time.process_time() + seconds, datetime.fromisoformat(now)
    answers: list[Any] = []
    for schedule, count in rows:
        if time.process_time() > until:
            answers.append(None)
            continue
        try:
            answers.append(schedules.firings(Schedule.model_validate(schedule), moment, count))
        except schedules.BadSchedule:  # a time zone that does not exist any more
            answers.append([])
    return answers


def read_mail_reports(mails: Sequence[str]) -> list[Answer]:
    """Reads mails that came back; each of `mails` is base64."""
    return [asdict(read_report(base64.b64decode(mail))) for mail in mails]


def reencode(path: str) -> Answer:
    """Reads and writes a picture anew."""
    from engine.media import reencoding  # Pillow's memory is for the children that have met a picture

    return reencoding.reencode(path)


TASKS: dict[str, Callable[..., Any]] = {
    task.__name__: task
    for task in (
        check,
        preview,
        render,
        measure,
        with_text,
        project_texts.render_bodies,
        examine,
        send_times,
        check_schedule,
        next_firing,
        firings,
        read_mail_reports,
        assemble,
        differences,
        render_messages,
        reencode,
    )
}
