"""The languages of a project: each recipient gets the text in the own one."""

from typing import Annotated, Final

from pydantic import Field

from shapes.shape import Cost, Line, Shape

MOST_LANGUAGES: Final = 20
"""The most languages of a project, as many as a template's version has."""
LARGEST_LANGUAGES: Final = 1_000_000
"""The most characters of a project's texts in all languages."""

LocaleFrom = Annotated[
    Line,
    Field(
        pattern=r"^\w{1,100}$",
        description="variable of the recipients that has their language; `locale` is that of contacts. Each gets the "
        "template's text in the own language: for `pt-BR` the one in `pt-BR`, else in `pt`, else in `locale` of the "
        "project, or in the template's default language",
        examples=["locale"],
    ),
]
LANGUAGES: Final = "texts by the recipient's language; null: all recipients get the same text"


class LanguageText(Shape):
    """The text of a project in one language."""

    locale: Annotated[str, Field(description="language tag (BCP 47)", examples=["pt-BR"])]
    subject: Annotated[str | None, Field(description="subject of emails and title of push messages")] = None
    html: Annotated[str | None, Field(description="HTML part of emails")] = None
    text: Annotated[str | None, Field(description="text")] = None


class ProjectLanguages(Shape):
    """The texts of a project by the recipient's language."""

    locale_from: Annotated[
        str, Field(description="variable of the recipients that has their language", examples=["locale"])
    ]
    texts: Annotated[
        list[LanguageText],
        Field(
            max_length=MOST_LANGUAGES,
            description="its texts; the first is that of recipients without a language, or with another one",
        ),
        Cost(most=MOST_LANGUAGES),
    ]
