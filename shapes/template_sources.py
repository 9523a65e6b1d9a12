"""The fields by which messages and projects name a template."""

from typing import Annotated, Any, Final, Self

from pydantic import AfterValidator, Field, model_validator

from shapes.locales import LOCALE
from shapes.project_languages import LocaleFrom
from shapes.rules import NULL, required
from shapes.shape import JsonObject, Shape
from shapes.values import json_at_most

MOST_VARIABLES: Final = 64 * 1024
"""The most bytes of the variables of a message, as JSON."""

TEMPLATE_KEY: Final = "short name for programs, unique among yours: letters, digits, _ and -"
KEY_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"

TemplateKey = Annotated[str, Field(pattern=KEY_PATTERN, description=TEMPLATE_KEY, examples=["welcome"])]
VersionNumber = Annotated[
    int,
    Field(
        ge=1,
        le=2**31 - 1,
        description="number of a published version of the template; default: the newest one",
    ),
]
RequestedLocale = Annotated[
    str,
    Field(
        pattern=LOCALE,
        max_length=64,
        description="language tag (BCP 47) of the text: `pt-BR` takes the text in `pt-BR`, else in `pt`, else in the "
        "template's default language, which is also the default",
        examples=["pt-BR"],
    ),
    AfterValidator(lambda tag: tag.replace("_", "-")),
]
Variables = Annotated[
    JsonObject,
    json_at_most(MOST_VARIABLES),
    Field(
        description="values of the template's variables; they are not stored",
        examples=[{"name": "Ada", "order": {"number": 4711}}],
    ),
]

TEMPLATE_ID: Final = "id of the template that the text comes from; null: it comes from none"
TEMPLATE_VERSION: Final = "number of the version of that template"
TEMPLATE_LOCALE: Final = "language of the text that was taken of that version"

FIELDS: Final = {
    "template_key": "templateKey",
    "template_version": "templateVersion",
    "locale": "locale",
    "variables": "variables",
}
"""The fields by which a message names a template, with their public names."""

PROJECT_TEXTS: Final = (
    "key of a template of yours, in place of subject, html, text and variants: the texts of its newest published"
    " version are copied into the project, and stay when the template changes"
)
_OF_TEMPLATE: Final = ("subject", "html", "text", "variants")


TEMPLATE_RULE: Final[dict[str, Any]] = {
    "if": required("templateKey"),
    "then": {"properties": {**dict.fromkeys(("subject", "html", "text"), NULL), "variants": {"maxItems": 0}}},
    "else": {"properties": {"templateVersion": NULL, "locale": NULL, "localeFrom": NULL}},
}
"""The rule of `require_single_text` in JSON Schema."""


def require_single_text(project: Any) -> None:
    """Raises ValueError for a project or test message that has texts beside those of a template, or a version or
    language of none.
    """
    if project.template_key is None:
        if any(
            getattr(project, name, None) is not None for name in ("template_version", "locale", "locale_from")
        ):
            raise ValueError(
                "templateVersion, locale and localeFrom go with templateKey; leave them out, or name a template"
            )
    elif own := [name for name in _OF_TEMPLATE if getattr(project, name, None)]:
        raise ValueError(f"{own[0]} and templateKey exclude each other; leave out one of them")


class TextsOfTemplate(Shape):
    """The fields by which a project takes its texts from a template."""

    template_key: Annotated[TemplateKey | None, Field(description=PROJECT_TEXTS)] = None
    template_version: VersionNumber | None = None
    locale: RequestedLocale | None = None
    locale_from: LocaleFrom | None = None

    @model_validator(mode="after")
    def _require_single_text(self) -> Self:
        require_single_text(self)
        return self
