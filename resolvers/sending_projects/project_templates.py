"""Projects whose texts come from a template: the texts of a published version are copied into the project.

So a plan covers them, approvals show them, and a project that runs keeps them, whatever becomes of the template.
Repeatable projects copy them too: each run sends what the repeatable project was saved with.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from pydantic.alias_generators import to_camel

from core.errors import BadRequest
from db.query import Reads
from db.session import Database
from engine.projects import project_moves
from resolvers import project_content
from resolvers.templates.template_files import carried
from resolvers.templates.template_rows import PublishedText, parts_of, published, published_languages
from runtime.operation import Op
from shapes.project_languages import LARGEST_LANGUAGES
from shapes.repeatable import ProjectTemplateInput
from shapes.sending_projects import NewSendingProject, ProjectChannel, SendingProjectPatch

TEXTS: Final = frozenset({"subject", "html", "text", "variants"})
"""The columns that a template sets."""
NO_TEMPLATE: Final[Mapping[str, Any]] = {
    "template_id": None,
    "template_version": None,
    "template_locale": None,
    "languages": None,
}
"""The columns of a project whose texts come from no template."""
_PARTS: Final = ("subject", "html", "text")
_ASKED: Final = {"template_key", "template_version", "locale", "locale_from"}


class TemplateChoice(NamedTuple):
    """The text of a template that a step of a series sends. `locale_from`: the variable that has the language of each
    recipient; None: all get the text in `locale`.
    """

    template_key: str
    template_version: int | None
    locale: str | None
    locale_from: str | None


async def texts_of_template(
    db: Reads | Database,
    owner: UUID,
    input: NewSendingProject | SendingProjectPatch | ProjectTemplateInput | TemplateChoice,
    channel: ProjectChannel,
) -> dict[str, Any]:
    """Returns the columns of a project that names a template: its texts for the channel, which text that is, and its
    files if it has any, before those that the input names.

    Raises NotFound (`template_not_found`, `template_version_not_found`), BadRequest (`template_archived`,
    `template_not_published`, `template_lacks_part`, `text_too_long`, `bad_attachments`).
    """
    key = input.template_key
    assert key is not None
    asked = (db, owner, key, input.template_version, input.locale)
    texts = [await published(*asked)] if input.locale_from is None else await published_languages(*asked)
    parts_by_text = [_content(text, channel, key) for text in texts]
    first = texts[0]
    own = getattr(input, "attachment_uuids", None) or []
    files = carried(channel.value, first.attachments, own) if first.attachments else None
    return {
        **({} if files is None else {"attachment_uuids": files}),
        **parts_by_text[0],
        "variants": [],
        "template_id": first.template_id,
        "template_version": first.number,
        "template_locale": first.locale,
        "languages": None
        if input.locale_from is None
        else _languages(input.locale_from, texts, parts_by_text),
    }


async def of_repeatable(op: Op, owner: UUID, input: ProjectTemplateInput) -> dict[str, Any]:
    """Returns what the runs of a repeatable project have, as it is stored: with the texts of the template that it
    names.

    Raises ValidationFailed, RateLimited, Unavailable, BadRequest for its content, and as `texts_of_template` does.
    """
    values = project_moves.columns_of(input)
    stored = input.model_dump(mode="json", by_alias=True, exclude=_ASKED)
    if input.template_key is not None:
        texts = await texts_of_template(op.db, owner, input, input.channel)
        values |= texts
        stored |= {to_camel(name): value for name, value in texts.items()}
        stored["templateId"] = str(texts["template_id"])
        stored["attachmentUuids"] = [str(id) for id in values["attachment_uuids"]]
    project_content.fit(values)
    await project_content.check(op, values, {*values})
    return stored


def _content(text: PublishedText, channel: ProjectChannel, key: str) -> dict[str, Any]:
    return parts_of(channel, text.subject, text.text, text.html, key, text.locale)


def _languages(
    variable: str, texts: list[PublishedText], parts_by_text: list[dict[str, Any]]
) -> Mapping[str, Any]:
    """Returns the column `languages`. Raises BadRequest (`text_too_long`)."""
    size = sum(len(content[part] or "") for content in parts_by_text for part in _PARTS)
    if size > LARGEST_LANGUAGES:
        raise BadRequest(
            f"The texts of all languages have {size} characters together; a project may have {LARGEST_LANGUAGES}. Make"
            " a project for each language, with `locale`.",
            code="text_too_long",
        )
    return {
        "localeFrom": variable,
        "texts": [
            {"locale": text.locale, **{part: value for part, value in content.items() if value is not None}}
            for text, content in zip(texts, parts_by_text, strict=True)
        ],
    }
