"""Traffic by country, route, sender and owner, and what the providers of routes take for it."""

from typing import Annotated, Final, Self
from uuid import UUID

from pydantic import Field, model_validator

from shapes.described import DescribedEnum
from shapes.page import MAX_LIMIT, MAX_PAGE
from shapes.sending_projects import ProjectChannel
from shapes.shape import Cost, Created, Line, Money, Shape, Timestamp

MOST_ROUTE_COSTS: Final = 1000
"""The most rows of costs of routes."""
LONGEST_DAYS: Final = 366
"""The longest time that one question about traffic is about."""

_FROM = "when they begin to hold, until those of a later row do"


class RouteCost(Shape):
    """The price list by which the provider of a route takes its money, from a moment on."""

    route: Annotated[str, Field(description="name of the route, as messages have it", examples=["smpp-2"])]
    list_id: Annotated[
        UUID | None,
        Field(description="id of the price list; null: nothing is said of the costs from then on"),
    ]
    valid_from: Annotated[Timestamp, Field(description=_FROM)]
    created_by: Annotated[UUID | None, Field(description="the user who set them")]
    created_at: Created


class RouteCostInput(Shape):
    """The costs of a route."""

    list_id: Annotated[
        UUID | None,
        Field(
            description="id of the price list whose `price` is what the provider takes for a message, and for each part"
            " of an SMS; null: nothing is said of the costs from then on",
            examples=["0197c1c4-9a4e-7000-8000-000000000000"],
        ),
    ]
    valid_from: (
        Annotated[
            Timestamp,
            Field(
                description=f"{_FROM}; at most {LONGEST_DAYS} days ago; default: at once. A row of the same moment is"
                " replaced"
            ),
        ]
        | None
    ) = None


class TrafficGroup(DescribedEnum):
    """Names what the messages of a row of traffic have in common."""

    country = "country", "the country of the phone"
    route = "route", "the route that took the message last"
    sender = "sender", "the name or number that an SMS is sent from"
    owner = "owner", "the user whose messages they are"
    channel = "channel", "the channel"


class TrafficInput(Shape):
    """A question about traffic. Whole hours are counted: those in which messages were accepted, or queued by their
    project.
    """

    date_from: (
        Annotated[
            Timestamp,
            Field(description="messages of the hours from this time on; default: 30 days before dateTo"),
        ]
        | None
    ) = None
    date_to: (
        Annotated[
            Timestamp,
            Field(description=f"and before this time; default: now. At most {LONGEST_DAYS} days later"),
        ]
        | None
    ) = None
    group_by: Annotated[
        list[TrafficGroup],
        Field(max_length=5, description="a row for each of these; empty: one row for each currency"),
    ] = [TrafficGroup.country]  # noqa: RUF012  pydantic copies it
    channel: Annotated[ProjectChannel, Field(description="only messages of this channel")] | None = None
    country: (
        Annotated[
            str,
            Field(
                pattern="^([A-Z]{2}|001)$",
                description="only messages to phones of this country",
                examples=["DE"],
            ),
        ]
        | None
    ) = None
    route: Annotated[Line, Field(max_length=200, description="only messages by this route")] | None = None
    sender: Annotated[Line, Field(max_length=200, description="only messages from this sender")] | None = None
    owner_uuid: Annotated[UUID, Field(description="only messages of this user")] | None = None
    page: Annotated[int, Field(ge=1, le=MAX_PAGE, description="number of the page, from 1")] = 1
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT, description="rows on one page")] = 20

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        if isinstance(self.group_by, list) and len(set(self.group_by)) < len(self.group_by):
            raise ValueError("groupBy: names each of its values once")
        return self


_GROUPED = "; null if they are not grouped by it, or have none"
_ADMINS = "for administrators"


class TrafficRow(Shape):
    """The messages that have the same values of what was asked to group by, and the same currency."""

    country: Annotated[
        str | None, Field(description=f"country of the phones (ISO 3166-1, two letters){_GROUPED}")
    ]
    route: Annotated[str | None, Field(description=f"the route that took them last{_GROUPED}")]
    sender: Annotated[str | None, Field(description=f"name or number that the SMS are sent from{_GROUPED}")]
    owner_uuid: Annotated[
        UUID | None, Field(description="the user whose messages they are; null if not grouped by it")
    ]
    channel: Annotated[ProjectChannel | None, Field(description="their channel; null if not grouped by it")]
    messages: Annotated[int, Field(description="outbound messages, without those that a project has skipped")]
    parts: Annotated[int, Field(description="parts of SMS; any other message is one")]
    delivered: Annotated[int, Field(description="messages that are delivered or read")]
    currency: Annotated[
        str | None, Field(description="ISO 4217 currency code of the accounts; null: no account pays")
    ]
    charged: Annotated[
        Money, Field(description="what the messages cost their owners, without what was refunded")
    ]
    cost_currency: Annotated[str | None, Field(description=f"ISO 4217 currency code of the costs; {_ADMINS}")]
    cost: Annotated[
        Money | None,
        Field(
            description=f"what the providers take for messages that they accepted, by the costs of routes; {_ADMINS}"
        ),
    ]
    without_cost: Annotated[
        int | None,
        Field(
            description=f"accepted messages of which the costs of routes say nothing, which `cost` lacks; {_ADMINS}"
        ),
    ]
    margin: Annotated[
        Money | None,
        Field(
            description=f"charged less cost; null if the currencies differ, or if withoutCost is not 0; {_ADMINS}"
        ),
    ]


class TrafficPage(Shape):
    """A page of traffic, the largest number of messages first."""

    items: Annotated[list[TrafficRow], Field(description="the rows of this page"), Cost(most=MAX_LIMIT)]
    page: Annotated[int, Field(description="number of this page, from 1")]
    limit: Annotated[int, Field(description="rows on one page")]
    total: Annotated[int, Field(description="number of all rows")]
    counted_until: Annotated[
        Timestamp | None,
        Field(description="changes of messages until then are counted; null: counting has not begun"),
    ]
