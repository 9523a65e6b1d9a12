"""Clicks: who has opened the links of a project's emails, with machines told apart."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from shapes.described import DescribedEnum
from shapes.shape import Id, Shape, Timestamp

MOST_LINKS = 100
"""Links of one text whose clicks are counted."""
MOST_TARGETS = 500
"""Targets that are stored of one project, whose text may change between its starts."""


_TRACK = (
    "true: the links in the HTML of advertising by email lead through this service, which counts who clicks on them;"
    " false: they do not; null: as `trackClicks` of your brand says, and without a brand they do not"
)
TrackClicks = Annotated[bool | None, Field(description=_TRACK)]


class ClickMachine(DescribedEnum):
    """The sign by which a click is counted as that of a machine."""

    head = "head", "it asked by HEAD, as link checkers do"
    crawler = "crawler", "the name of its program is in the list of known crawlers and scanners"
    soon = "soon", "it came before the email was sent, or within two seconds after that or after its delivery"


class ClickKind(DescribedEnum):
    """The two kinds of clicks."""

    human = "human", "of a person, as far as can be seen"
    machine = "machine", "of a program that checks links, such as the mail filter of a company"


_MACHINE = "why it is counted as that of a machine; null: it is that of a person"
_TARGET = "the address that it leads to, as the text has it"


class ClickedLink(Shape):
    """A link of a project's emails, and how many recipients have clicked on it. A recipient counts once a link: as a
    person as soon as one click is that of a person.
    """

    id: Id
    url: Annotated[str, Field(description=_TARGET, examples=["https://example.com/sale"])]
    humans: Annotated[int, Field(description="recipients who have clicked on it")]
    machines: Annotated[
        int, Field(description="recipients of whom only machines have opened it; no part of `humans`")
    ]
    anonymous: Annotated[
        int,
        Field(
            description="times that it was opened by a browser that asks not to be tracked (Global Privacy Control); no"
            " recipient is recorded of them"
        ),
    ]


class Click(Shape):
    """The first click of a recipient on a link of a project's email."""

    message_uuid: Annotated[UUID, Field(description="uuid of the message")]
    sending_project_uuid: Annotated[UUID, Field(description="uuid of the project")]
    recipient_uuid: Annotated[
        UUID | None, Field(description="uuid of the recipient; null if the recipient is not known")
    ]
    to: Annotated[str, Field(description="address of the recipient")]
    link_uuid: Annotated[UUID, Field(description="uuid of the link")]
    url: Annotated[str, Field(description=_TARGET, examples=["https://example.com/sale"])]
    machine: Annotated[ClickMachine | None, Field(description=_MACHINE)]
    at: Annotated[
        Timestamp,
        Field(description="when it came: the first one of a person, else the first one of a machine"),
    ]
