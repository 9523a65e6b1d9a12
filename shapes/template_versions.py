"""Versions of templates: drafts, which change, and published ones, which never do."""

from typing import Annotated, ClassVar, Final, Self
from uuid import UUID

import strawberry
from pydantic import AfterValidator, Field, model_validator
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.project_settings import LONGEST_TEXT
from shapes.sending_projects import LONGEST_HTML, ProjectChannel, distinct
from shapes.shape import Cost, Created, Id, JsonObject, Line, Shape, Text, Timestamp, Updated
from shapes.template_problems import MOST_PROBLEMS, PreviewAudience, TemplateProblem
from shapes.template_sources import RequestedLocale, TemplateKey
from shapes.templates import TextLocale
from shapes.values import json_at_most
from shapes.where import Flag, Ids, Where

MOST_LOCALES: Final = 20
"""The most texts of one version."""
MOST_PARTIALS: Final = 20
"""The most partials of one version, with those of its layout."""
MOST_DRAFTS: Final = 20
"""The most drafts of one template."""
MOST_VERSIONS: Final = 1_000
"""The most published versions of one template."""
LARGEST: Final = 1_000_000
"""The most characters of all texts of one version."""
LARGEST_SOURCE: Final = 256 * 1024
"""The most bytes of the builder's document of one text, as JSON."""
LONGEST_DIFF: Final = 200_000
"""The most characters of the differences of one part."""

_DATA: Final = "values of its variables for previews"
_UNRECORDED: Final = "null: this was not recorded yet"
FILES: Final = "uuids of files that messages and projects by it carry, where the channel takes files"
PROBLEMS: Final = "problems of its texts when it was published, which kept it from nothing; none of a draft"
_NAME: Final = "name of the version for people, such as what has changed in it"
_SOURCE: Final = "document of the letter builder that html was made from; nothing else reads it"
_LAYOUT: Final = "key of the template whose `{{ content }}` its texts are put in the place of"


class TemplatePart(DescribedEnum):
    """Part of a text."""

    subject = "subject", "subject of emails and title of push messages"
    preheader = "preheader", "line that inboxes show beside the subject"
    text = "text", "text, and the plain part of emails"
    html = "html", "HTML part of emails"


class TemplateTextFields(Shape):
    """The text of a version in one language. A channel takes the parts that it has."""

    locale: Annotated[str, Field(description="language tag (BCP 47)", examples=["pt-BR"])]
    subject: Annotated[str | None, Field(description=TemplatePart.subject.description)] = None
    preheader: Annotated[str | None, Field(description=TemplatePart.preheader.description)] = None
    text: Annotated[str | None, Field(description=TemplatePart.text.description)] = None
    html: Annotated[str | None, Field(description=TemplatePart.html.description)] = None


class TemplateText(TemplateTextFields):
    """The text of a version in one language, as its author wrote it."""

    source: Annotated[
        JsonObject | None,
        Field(description=f"{_SOURCE}; null: html was made from none"),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    variables: Annotated[
        list[str],
        Field(description="names of the variables in it, with those of layout and partials; none of a draft"),
    ] = Field(default_factory=list)
    required_variables: Annotated[
        list[str],
        Field(description="variables that it prints without a default: a message without one is refused"),
    ] = Field(default_factory=list)


class TemplateTextInput(Shape):
    """The text of a version in one language; Liquid. It needs `text` or `html`."""

    locale: TextLocale
    subject: Annotated[Line, Field(min_length=1, max_length=1000, description="subject; Liquid")] | None = (
        None
    )
    preheader: (
        Annotated[
            Line,
            Field(
                min_length=1, max_length=500, description="line that inboxes show beside the subject; Liquid"
            ),
        ]
        | None
    ) = None
    text: (
        Annotated[
            Text,
            Field(
                min_length=1,
                max_length=LONGEST_TEXT,
                description="text, and the plain part of emails; Liquid",
                examples=["Hello {{ name }}, …"],
            ),
        ]
        | None
    ) = None
    html: (
        Annotated[
            Text,
            Field(
                min_length=1,
                max_length=LONGEST_HTML,
                description="HTML part of emails; Liquid, values of variables are escaped unless it says `| raw`",
            ),
        ]
        | None
    ) = None
    source: Annotated[
        JsonObject | None,
        json_at_most(LARGEST_SOURCE),
        Field(description=f"{_SOURCE}; default: none"),
        strawberry.field(graphql_type=JSON | None),
    ] = None

    @model_validator(mode="after")
    def _require_text(self) -> Self:
        if self.text is None and self.html is None:
            raise ValueError("text: it needs text or html")
        if self.preheader is not None and self.html is None:
            raise ValueError("preheader: it is a part of html; give html, or leave it out")
        if self.source is not None and self.html is None:
            raise ValueError("source: html is made from it; give html, or leave it out")
        return self


class TemplateVersionFields(Shape):
    """A version of a template: a draft until it is published, and unchangeable then."""

    id: Id
    template_id: Annotated[UUID, Field(description="the template")]
    number: Annotated[int | None, Field(description="its number, by which messages name it; null: a draft")]
    locales: Annotated[list[str], Field(description="languages of its texts", examples=[["en", "pt-BR"]])]
    default_locale: Annotated[
        str, Field(description="language of the text that is taken if none fits", examples=["en"])
    ]
    layout_key: Annotated[str | None, Field(description=f"{_LAYOUT}; null: none")]
    name: Annotated[str | None, Field(description=f"{_NAME}; null: none", examples=["With the spring offer"])]
    attachment_uuids: Annotated[list[UUID], Field(description=FILES)] = Field(default_factory=list)
    made_by: Annotated[UUID | None, Field(description=f"the user who saved it first; {_UNRECORDED}")] = None
    saved_by: Annotated[UUID | None, Field(description=f"the user who saved it last; {_UNRECORDED}")] = None
    published_by: Annotated[
        UUID | None, Field(description=f"the user who published it; null for a draft, too; {_UNRECORDED}")
    ] = None
    published_at: Annotated[Timestamp | None, Field(description="when it was published; null: a draft")]
    created_at: Created
    updated_at: Updated


class TemplateVersionRow(TemplateVersionFields):
    """A version of a template: a draft until it is published, and unchangeable then."""

    problems: Annotated[list[TemplateProblem], Field(description=PROBLEMS), Cost(most=MOST_PROBLEMS)] = Field(
        default_factory=list
    )


class TemplateVersion(TemplateVersionRow):
    """A version of a template, with its texts."""

    test_data: Annotated[JsonObject, Field(description=_DATA), strawberry.field(graphql_type=JSON)]
    texts: Annotated[list[TemplateText], Field(description="its texts, by language"), Cost(most=MOST_LOCALES)]


class SaveTemplateVersion(Shape):
    """The texts of a draft. All of it is replaced."""

    texts: Annotated[
        list[TemplateTextInput],
        Field(
            min_length=1,
            max_length=MOST_LOCALES,
            description="its texts, one for each language, at most 1,000,000 characters together",
            examples=[[{"locale": "en", "subject": "Welcome", "text": "Hello {{ name }}, …"}]],
        ),
    ]
    default_locale: Annotated[
        TextLocale | None,
        Field(description="language of the text that is taken if none fits; default: that of the first text"),
    ] = None
    layout_key: Annotated[TemplateKey | None, Field(description=f"{_LAYOUT}; default: none")] = None
    name: (
        Annotated[Line, Field(min_length=1, max_length=200, description=f"{_NAME}; default: none")] | None
    ) = None
    test_data: Annotated[
        JsonObject | None,
        json_at_most(64 * 1024),
        Field(description=f"{_DATA}; default: none", examples=[{"name": "Ada"}]),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    attachment_uuids: Annotated[
        list[UUID],
        Field(max_length=10, description=f"{FILES}; at most 10 MiB together"),
        AfterValidator(distinct),
    ] = Field(default_factory=list)

    @model_validator(mode="after")
    def _check_texts(self) -> Self:
        locales = [text.locale.lower() for text in self.texts]
        if len({*locales}) < len(locales):
            raise ValueError("texts: two have the same locale; leave out one of them")
        if self.default_locale is not None and self.default_locale.lower() not in locales:
            raise ValueError("defaultLocale: there is no text in this language; name one of texts")
        size = sum(len(part) for each in self.texts for part in (each.text, each.html) if part is not None)
        if size > LARGEST:
            raise ValueError(f"texts: they have {size} characters together; at most {LARGEST} are allowed")
        return self


class PreviewTemplateVersion(Shape):
    """The values with which a version is rendered: variables, those of a contact or of a recipient, else its test
    data.
    """

    channel: Annotated[
        ProjectChannel, Field(description="channel whose parts are rendered; default: email")
    ] = ProjectChannel.email
    locale: RequestedLocale | None = None
    variables: Annotated[
        JsonObject | None,
        json_at_most(64 * 1024),
        Field(description="values of variables by name; they override those of the contact or recipient"),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    contact_id: Annotated[UUID | None, Field(description="your contact whose fields are used")] = None
    recipient_uuid: Annotated[
        UUID | None, Field(description="recipient of a project of yours, whose variables are used")
    ] = None

    audience: Annotated[
        PreviewAudience | None,
        Field(description="people of whom is counted who lack a variable: the first 1,000 of them, at most"),
    ] = None

    @model_validator(mode="after")
    def _require_single_person(self) -> Self:
        if self.contact_id is not None and self.recipient_uuid is not None:
            raise ValueError("contactId and recipientUuid exclude each other; leave out one of them")
        return self


class PreviewTemplate(Shape):
    """A version that is not saved, and the values with which it is rendered."""

    version: Annotated[SaveTemplateVersion, Field(description="the version, as it would be saved")]
    preview: Annotated[
        PreviewTemplateVersion | None,
        Field(description="the values; default: an email in the default language, with its test data"),
    ] = None


class TemplatePreview(Shape):
    """A version rendered."""

    locale: Annotated[str, Field(description="language of the text that was taken", examples=["pt"])]
    subject: Annotated[str | None, Field(description="subject, on one line")]
    body: Annotated[str, Field(description="text of the message")]
    html: Annotated[str | None, Field(description="HTML part of an email")]
    variables: Annotated[
        list[str], Field(description="names of the variables in the texts, in alphabetical order")
    ]
    missing: Annotated[list[str], Field(description="variables that the texts print but that have no value")]
    segments: Annotated[
        int | None, Field(description="number of SMS segments that are charged; null for other channels")
    ]
    problems: Annotated[
        list[TemplateProblem],
        Field(description="problems of the text, which keep it from nothing"),
        Cost(most=MOST_PROBLEMS),
    ] = Field(default_factory=list)
    examined: Annotated[
        int | None,
        Field(
            description="people of `audience` of whom was counted who lack a variable; null: none was named"
        ),
    ] = None


class PartDifference(Shape):
    """A difference between two versions in one part."""

    locale: Annotated[str, Field(description="language of the text", examples=["en"])]
    part: Annotated[TemplatePart, Field(description="the part that differs")]
    difference: Annotated[
        str,
        Field(
            description="lines that go with `-`, lines that come with `+`, and lines around them, in unified format"
        ),
    ]
    truncated: Annotated[
        bool, Field(description="whether it is longer than 200,000 characters, and ends there")
    ]


class TemplateDiff(Shape):
    """The differences between two versions of a template, as their authors wrote them."""

    parts: Annotated[
        list[PartDifference],
        Field(description="the parts that differ, by language"),
        Cost(most=2 * MOST_LOCALES * len(TemplatePart)),
    ]
    layout: Annotated[bool, Field(description="whether they have different layouts")]


class TemplateVersionWhere(Where):
    """Filter for versions of templates."""

    kinds: ClassVar = {"id": "TemplateVersion", "template_id": "Template", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    template_id: Annotated[Ids | None, Field(description="filter by template")] = None
    published: Annotated[Flag | None, Field(description="filter by whether it is published")] = None
