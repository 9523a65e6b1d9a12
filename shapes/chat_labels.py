"""Labels of chats: an owner's own list, by which the inbox is sorted."""

from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from shapes.described import DescribedEnum
from shapes.shape import Created, Id, Line, Shape
from shapes.values import nothing

MOST_LABELS = 100  # of one owner
MOST_LABELS_OF_CHAT = 20


class LabelColor(DescribedEnum):
    """The color of a label; the console has a light and a dark shade of each."""

    gray = "gray", "shown in gray"
    red = "red", "shown in red"
    orange = "orange", "shown in orange"
    yellow = "yellow", "shown in yellow"
    green = "green", "shown in green"
    teal = "teal", "shown in teal"
    blue = "blue", "shown in blue"
    violet = "violet", "shown in violet"
    pink = "pink", "shown in pink"


Name = Annotated[
    Line,
    StringConstraints(strip_whitespace=True),
    Field(min_length=1, max_length=50, description="name of the label", examples=["Complaint"]),
]
Color = Annotated[LabelColor, Field(description="color of the label")]


class ChatLabel(Shape):
    """A label that chats can have."""

    id: Id
    name: Annotated[str, Field(description="name of the label", examples=["Complaint"])]
    color: Color
    created_at: Created


class NewChatLabel(Shape):
    """The values of a new label."""

    name: Name
    color: Color = LabelColor.gray


class ChatLabelPatch(Shape):
    """The values of a label that change; the others stay."""

    name: Name | None = Field(default_factory=nothing)
    color: Color | None = Field(default_factory=nothing)


class SetChatLabels(Shape):
    """The labels that a chat has from now on."""

    labels: Annotated[
        list[UUID],
        Field(
            max_length=MOST_LABELS_OF_CHAT,
            description="ids of the labels; those that are not named are taken off",
            examples=[["01900000-0000-7000-8000-000000000000"]],
        ),
    ]
