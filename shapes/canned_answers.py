"""Canned answers: texts that people who answer in the inbox use again and again."""

from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from shapes.shape import Created, Id, Shape, Text, Updated
from shapes.values import nothing
from shapes.where import Contains, Ids, Where

MOST_ANSWERS = 500  # of one owner

Shortcut = Annotated[
    str,
    Field(
        pattern=r"^[^\s/\x00-\x1f\x7f]{1,50}$",
        description="what is typed after `/` to find it: one word, stored in lower case",
        examples=["hours"],
    ),
    AfterValidator(str.lower),
]
AnswerText = Annotated[
    Text,
    Field(
        min_length=1,
        max_length=4096,
        pattern=r"^[^\x00]*[^\s\x00][^\x00]*$",
        description="text of the answer; `{{ name }}` stands for the name of the person, which the composer fills in",
        examples=["Hello {{ name }}, we are open from 9 to 18."],
    ),
]


class CannedAnswer(Shape):
    """A text for answers, found by its shortcut."""

    id: Id
    shortcut: Annotated[str, Field(description="what is typed after `/` to find it", examples=["hours"])]
    text: Annotated[
        str, Field(description="text of the answer; `{{ name }}` stands for the name of the person")
    ]
    created_at: Created
    updated_at: Updated


class NewCannedAnswer(Shape):
    """The values of a new canned answer."""

    shortcut: Shortcut
    text: AnswerText


class CannedAnswerPatch(Shape):
    """The values of a canned answer that change; the others stay."""

    shortcut: Shortcut | None = Field(default_factory=nothing)
    text: AnswerText | None = Field(default_factory=nothing)


class CannedAnswerWhere(Where):
    """Filter for canned answers."""

    kinds: ClassVar = {"id": "CannedAnswer"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    text: Annotated[Contains | None, Field(description="filter by a part of the shortcut or of the text")] = (
        None
    )
