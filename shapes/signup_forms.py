"""Sign-up forms: by them strangers subscribe to topics."""

from typing import Annotated, Any, ClassVar, Self
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from shapes.emails import MailFrom, SenderField
from shapes.project_audiences import MOST_TOPICS
from shapes.rules import never_null
from shapes.shape import Created, Id, Line, Shape, Text, Updated
from shapes.values import nothing
from shapes.where import Flag, Ids, Where

_TEXT = "what the person agrees to; it is kept as the proof of consent"
_REDIRECT = "page to which the browser goes after signing up; null: one of this service"

_Name = Annotated[
    Line, Field(min_length=1, max_length=200, description="title of the form", examples=["Our newsletter"])
]
_Topics = Annotated[
    list[UUID],
    Field(
        min_length=1,
        max_length=MOST_TOPICS,
        description=f"uuids of the topics that can be subscribed to, at most {MOST_TOPICS}",
        examples=[["01890000-0000-7000-8000-000000000002"]],
    ),
]
_Text = Annotated[
    Text,
    Field(
        min_length=1,
        max_length=10_000,
        description=_TEXT,
        examples=["Yes, send me news once a month. I can withdraw at any time."],
    ),
]
_Redirect = Annotated[
    Line,
    Field(
        pattern=r"^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[!-~]*)?$",
        max_length=2000,
        description=_REDIRECT,
        examples=["https://example.com/thanks"],
    ),
]
_Enabled = Annotated[bool, Field(description="whether people can sign up by it")]


class SignupForm(Shape):
    """A form by which strangers subscribe to topics by email: a page at /signup/{id}, and the address that a form on
    your own page sends to.
    """

    id: Id
    name: Annotated[str, Field(description="title of the form")]
    topic_uuids: Annotated[list[UUID], Field(description="uuids of the topics that can be subscribed to")]
    text: Annotated[str | None, Field(description=_TEXT)]
    from_address: SenderField
    redirect_url: Annotated[str | None, Field(description=_REDIRECT)]
    enabled: _Enabled
    created_at: Created
    updated_at: Updated


class SignupFormEmbed(Shape):
    """A sign-up form for a page of your own."""

    url: Annotated[
        str,
        Field(
            description="address of the form's own page, to which the HTML sends",
            examples=["https://links.example.com/signup/01890000-0000-7000-8000-000000000003"],
        ),
    ]
    html: Annotated[
        str,
        Field(
            description="the form in HTML, to put into your page as it is; it has no script and loads nothing",
            examples=[
                '<form class="postern-signup" method="post" action="https://links.example.com/signup/…">…'
            ],
        ),
    ]


class NewSignupForm(Shape):
    """The values of a new form."""

    name: _Name
    topic_uuids: _Topics
    text: _Text | None = None
    from_address: MailFrom = None
    redirect_url: _Redirect | None = None
    enabled: _Enabled = True


_REQUIRED = ("name", "topic_uuids", "enabled")


def _patch_rules(schema: dict[str, Any]) -> None:
    never_null("name", "topicUuids", "enabled")(schema)


class SignupFormPatch(Shape):
    """The values of a form that change; the others stay."""

    model_config = ConfigDict(json_schema_extra=_patch_rules)

    name: _Name | None = Field(default_factory=nothing)
    topic_uuids: _Topics | None = Field(default_factory=nothing)
    text: _Text | None = Field(default_factory=nothing)
    from_address: MailFrom = Field(default_factory=nothing)
    redirect_url: _Redirect | None = Field(default_factory=nothing)
    enabled: _Enabled | None = Field(default_factory=nothing)

    @model_validator(mode="after")
    def _never_null(self) -> Self:
        for name in _REQUIRED:
            if name in self.model_fields_set and getattr(self, name) is None:
                raise ValueError(f"{name} can't be null; leave it out to keep it")
        return self


class SignupFormWhere(Where):
    """Filter for sign-up forms."""

    kinds: ClassVar = {"id": "SignupForm", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    enabled: Annotated[Flag | None, Field(description="filter by whether people can sign up")] = None
