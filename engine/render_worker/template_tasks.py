"""The tasks on templates: a version is published, its messages are rendered, and two versions are compared."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from engine.texts import assembly, plain_part, problems, project_texts
from shapes.project_settings import LONGEST_TEXT
from shapes.sending_projects import LONGEST_HTML

Answer = dict[str, Any]


def assemble(text: Mapping[str, Any], name: str) -> Answer:
    """Returns the text of a version as it is sent (engine/texts/assembly.py), and its problems. `name`: that of the
    text for its author. `text` says with `promotional` whether its readers must be able to unsubscribe.
    """
    try:
        sent = assembly.assemble(text)
        return {**sent, "problems": problems.problems_in(sent, promotional=text["promotional"])}
    except assembly.BadPart as error:
        return {"bad": error.message, "field": f"{name}.{error.part}", "line": error.line, "long": error.long}


def render_messages(
    sources: Mapping[str, Mapping[str, Any]], rows: Sequence[tuple[str, Mapping[str, Any]]]
) -> list[Answer]:
    """Renders messages of one user, each with a content of its own. `rows`: key of the content, variables."""
    return [_rendered(sources[key], variables) for key, variables in rows]


def _rendered(content: Mapping[str, Any], variables: Mapping[str, Any]) -> Answer:
    try:
        text = project_texts.compiled(plain_part.with_text(content))
        if missing := text.missing(None, variables):
            return {"missing": missing}
        rendered = text.render(None, variables)
    except project_texts.TextError as error:
        return {"bad": error.message, "long": False}
    if len(rendered.body) > LONGEST_TEXT or len(rendered.html or "") > LONGEST_HTML:
        return {"bad": "The rendered text is too long. Shorten the template or its variables.", "long": True}
    return {"subject": rendered.subject, "body": rendered.body, "html": rendered.html}


def differences(pairs: Sequence[tuple[str, str]], most: int) -> list[tuple[str, bool]]:
    """Returns the unified difference of each pair, and whether it is longer than `most` characters and cut there."""
    return [_difference(old, new, most) for old, new in pairs]


def _difference(old: str, new: str, most: int) -> tuple[str, bool]:
    lines: list[str] = []
    size = 0
    for line in difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm=""):
        if line in ("--- ", "+++ "):
            continue
        if size + len(line) > most:
            return "\n".join((*lines, line[: most - size])), True
        size += len(line) + 1
        lines.append(line)
    return "\n".join(lines), False
