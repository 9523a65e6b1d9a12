"""Templates: texts with a key, which messages and projects are made from."""

from typing import Annotated, ClassVar, Final, Self
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from shapes.locales import LOCALE
from shapes.messages import MessageCategory
from shapes.repeatable import RepeatableStatus
from shapes.rules import never_null
from shapes.sending_projects import ProjectStatus
from shapes.shape import Cost, Created, Id, Line, Shape, Timestamp, Updated
from shapes.template_sources import TEMPLATE_KEY, TemplateKey
from shapes.values import nothing
from shapes.where import Choice, Contains, Exactly, Flag, Ids, Where

MOST_TEMPLATES: Final = 1_000
"""The most templates of one owner that are not archived."""
MOST_ARCHIVED: Final = 10_000
"""The most templates of one owner, with the archived ones."""
MOST_USES: Final = 100
"""The most uses of each kind that an answer lists."""

TemplateName = Annotated[
    Line, Field(min_length=1, max_length=200, description="display name", examples=["Welcome"])
]
TextLocale = Annotated[
    str,
    Field(pattern=LOCALE, max_length=64, description="language tag (BCP 47)", examples=["pt-BR"]),
    AfterValidator(lambda tag: tag.replace("_", "-")),
]
_CATEGORY = (
    "purpose of what is made from it, for your lists and for previews; messages and projects have their own"
)
_TEXT = (
    "words of its key or name, or of the text of its newest version or draft; the beginning of each word is enough, in"
    " upper or lower case"
)


class Template(Shape):
    """A text with a key, in versions: messages, projects and other templates name it."""

    id: Id
    key: Annotated[str, Field(description=TEMPLATE_KEY, examples=["welcome"])]
    name: Annotated[str, Field(description="display name", examples=["Welcome"])]
    category: Annotated[MessageCategory, Field(description=_CATEGORY)]
    version: Annotated[
        int | None, Field(description="number of the newest published version; null: none was published")
    ]
    archived_at: Annotated[
        Timestamp | None,
        Field(description="when it was archived: nothing new can be made from it; null: it is in use"),
    ]
    created_at: Created
    updated_at: Updated


class NewTemplate(Shape):
    """The values of a new template. Its texts are saved as versions."""

    key: TemplateKey
    name: TemplateName
    category: Annotated[MessageCategory, Field(description=_CATEGORY)] = MessageCategory.transactional


class TemplatePatch(Shape):
    """The values of a template that change; the others stay. Its key never changes."""

    model_config = ConfigDict(json_schema_extra=never_null("name", "category"))

    name: TemplateName | None = Field(default_factory=nothing)
    category: Annotated[MessageCategory | None, Field(description=_CATEGORY)] = Field(default_factory=nothing)

    @model_validator(mode="after")
    def _never_null(self) -> Self:
        for name in ("name", "category"):
            if name in self.model_fields_set and getattr(self, name) is None:
                raise ValueError(f"{name} can't be null; leave it out to keep it")
        return self


class UsingTemplate(Shape):
    """A template that has another one as its layout or as a partial."""

    template_id: Annotated[UUID, Field(description="id of the template")]
    key: Annotated[str, Field(description="key of the template")]
    version_id: Annotated[UUID, Field(description="id of its version")]
    version: Annotated[int | None, Field(description="number of its version; null: a draft")]
    used_version: Annotated[
        int | None,
        Field(description="number of the version that was put into it; null: a draft takes the newest one"),
    ]


class UsingProject(Shape):
    """A Sending Project whose texts come from a template."""

    project_uuid: Annotated[UUID, Field(description="uuid of the project")]
    name: Annotated[str, Field(description="name of the project")]
    status: Annotated[ProjectStatus, Field(description="status of the project")]
    used_version: Annotated[int, Field(description="number of the version that its texts come from")]


class UsingRepeatable(Shape):
    """A repeatable project whose runs have the texts of a template."""

    repeatable_uuid: Annotated[UUID, Field(description="uuid of the repeatable project")]
    name: Annotated[str, Field(description="name of the repeatable project")]
    status: Annotated[RepeatableStatus, Field(description="whether it is active")]
    used_version: Annotated[int, Field(description="number of the version that its texts come from")]


class TemplateUses(Shape):
    """The templates and projects that use a template, newest first; at most a hundred of each."""

    templates: Annotated[
        list[UsingTemplate],
        Field(description="versions that have it as their layout or as a partial"),
        Cost(most=MOST_USES),
    ]
    projects: Annotated[
        list[UsingProject], Field(description="projects with its texts"), Cost(most=MOST_USES)
    ]
    repeatables: Annotated[
        list[UsingRepeatable], Field(description="repeatable projects with its texts"), Cost(most=MOST_USES)
    ]
    more: Annotated[bool, Field(description="whether there are further ones of a kind")]


class TemplateWhere(Where):
    """Filter for templates."""

    kinds: ClassVar = {"id": "Template", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    key: Annotated[Exactly | None, Field(description="filter by the key")] = None
    category: Annotated[Choice[MessageCategory] | None, Field(description="filter by category")] = None
    text: Annotated[Contains | None, Field(description=_TEXT)] = None
    archived: Annotated[Flag | None, Field(description="filter by whether it is archived")] = None
