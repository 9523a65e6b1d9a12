"""Topics: what contacts subscribe to."""

from typing import Annotated, Any, ClassVar, Self

from pydantic import ConfigDict, Field, model_validator

from shapes.described import DescribedEnum
from shapes.messages import MessageCategory
from shapes.rules import never_null
from shapes.shape import Cost, Created, Id, Line, Shape, Updated
from shapes.users import Locale
from shapes.values import nothing
from shapes.where import Choice, Exactly, Flag, Ids, Where

MOST_TOPICS = 100  # of one owner
MOST_TRANSLATIONS = 30

TopicKey = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$",
        description="short name for programs, unique among yours: letters, digits, _ and -",
        examples=["newsletter"],
    ),
]
TopicName = Annotated[
    Line,
    Field(
        min_length=1, max_length=100, description="name, as recipients see it", examples=["Our newsletter"]
    ),
]
TopicDescription = Annotated[
    Line,
    Field(
        max_length=500,
        description="description, as recipients see it",
        examples=["News from our shop, once a month"],
    ),
]
_Position = Annotated[
    int, Field(ge=0, le=10_000, description="place on the page of preferences; the lowest is first")
]


class TopicOptIn(DescribedEnum):
    """The act that makes a subscription to a topic active."""

    none = "none", "the request alone"
    double = "double", "a click of the person in a message, or evidence that you have"


class TopicTranslation(Shape):
    """Name and description of a topic in another language."""

    locale: Annotated[str, Field(description="language tag (BCP 47)", examples=["de"])]
    name: Annotated[str, Field(description="name, as recipients see it")]
    description: Annotated[str | None, Field(description="description, as recipients see it")]


class TopicTranslationInput(Shape):
    """Name and description of a topic in another language."""

    locale: Annotated[Locale, Field(max_length=64, description="language tag (BCP 47)", examples=["de"])]
    name: TopicName
    description: TopicDescription | None = None


Translations = Annotated[
    list[TopicTranslationInput],
    Field(
        max_length=MOST_TRANSLATIONS,
        description="name and description in other languages",
        examples=[[{"locale": "de", "name": "Unser Newsletter"}]],
    ),
]
_CATEGORY = "promotional messages are not sent to recipients who unsubscribed; transactional ones are"
_OPT_IN = "what makes a subscription active"
_PUBLIC = "whether the page of preferences shows it to everybody; else only to its subscribers"


class TopicFields(Shape):
    """A subject that contacts subscribe to: a newsletter, offers, changes of your terms."""

    id: Id
    key: Annotated[str, Field(description="short name for programs", examples=["newsletter"])]
    name: Annotated[str, Field(description="name, as recipients see it", examples=["Our newsletter"])]
    description: Annotated[str | None, Field(description="description, as recipients see it")]
    category: Annotated[MessageCategory, Field(description=_CATEGORY)]
    opt_in: Annotated[TopicOptIn, Field(description=_OPT_IN)]
    public: Annotated[bool, Field(description=_PUBLIC)]
    position: Annotated[int, Field(description="place on the page of preferences; the lowest is first")]
    created_at: Created
    updated_at: Updated


class Topic(TopicFields):
    """A subject that contacts subscribe to: a newsletter, offers, changes of your terms."""

    translations: Annotated[
        list[TopicTranslation],
        Field(description="name and description in other languages"),
        Cost(most=MOST_TRANSLATIONS),
    ]


class NewTopic(Shape):
    """The values of a new topic."""

    key: TopicKey
    name: TopicName
    description: TopicDescription | None = None
    translations: Translations = Field(default_factory=list)
    category: Annotated[MessageCategory, Field(description=_CATEGORY)] = MessageCategory.promotional
    opt_in: Annotated[TopicOptIn, Field(description=_OPT_IN)] = TopicOptIn.double
    public: Annotated[bool, Field(description=_PUBLIC)] = True
    position: _Position = 0


_REQUIRED = ("key", "name", "translations", "category", "opt_in", "public", "position")


def _patch_rules(schema: dict[str, Any]) -> None:
    never_null("key", "name", "translations", "category", "optIn", "public", "position")(schema)


class TopicPatch(Shape):
    """The values of a topic that change; the others stay."""

    model_config = ConfigDict(json_schema_extra=_patch_rules)

    key: TopicKey | None = Field(default_factory=nothing)
    name: TopicName | None = Field(default_factory=nothing)
    description: TopicDescription | None = Field(default_factory=nothing)
    translations: Translations | None = Field(default_factory=nothing)
    category: Annotated[MessageCategory | None, Field(description=_CATEGORY)] = Field(default_factory=nothing)
    opt_in: Annotated[TopicOptIn | None, Field(description=_OPT_IN)] = Field(default_factory=nothing)
    public: Annotated[bool | None, Field(description=_PUBLIC)] = Field(default_factory=nothing)
    position: _Position | None = Field(default_factory=nothing)

    @model_validator(mode="after")
    def _never_null(self) -> Self:
        for name in _REQUIRED:
            if name in self.model_fields_set and getattr(self, name) is None:
                raise ValueError(f"{name} can't be null; leave it out to keep it")
        return self


class PreferencesPreview(Shape):
    """The page on which people choose their topics, as a person sees it who is subscribed to nothing."""

    html: Annotated[
        str,
        Field(
            description="the page in HTML; it loads nothing", examples=['<!doctype html>\n<html lang="en">…']
        ),
    ]
    languages: Annotated[
        list[str],
        Field(description="the languages that the page has", examples=[["en", "de"]]),
    ]


class TopicWhere(Where):
    """Filter for topics."""

    kinds: ClassVar = {"id": "Topic", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    key: Annotated[Exactly | None, Field(description="filter by the short name")] = None
    category: Annotated[Choice[MessageCategory] | None, Field(description="filter by category")] = None
    public: Annotated[Flag | None, Field(description="filter by whether everybody sees it")] = None
