"""Rules of routes: by which route SMS to the numbers of a prefix go."""

from typing import Annotated, ClassVar, Final
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field

from shapes.described import DescribedEnum
from shapes.message_prices import PricePrefix
from shapes.messages import MessageCategory
from shapes.shape import Cost, Created, Id, Line, Money, Shape, Text, Timestamp, Updated
from shapes.statistics import RouteState
from shapes.where import Choice, Exactly, Ids, Where

MOST_RULES: Final = 1000
"""The most rules of an installation: workers keep all of them."""

MOST_QUALITIES: Final = 200

_PREFIX = (
    "the digits with which the numbers begin, with the calling code, with or without `+`; of several rules the longest "
    "prefix goes first; empty: all numbers"
)
_ROUTE = "name of the route: that of its DSN (`name=`), or else channel and position"
_CATEGORY = "only messages of this category; null: all"
_OWNER = "only messages of this user; null: of all users"
_PRIORITY = "of two rules of one prefix, that with the smaller number is tried first"
_WEIGHT = (
    "of rules that are alike in prefix, priority, user and category, each gets its part of the weights of all numbers; "
    "one number keeps its route"
)
_FALLBACK = "whether rules of shorter prefixes are tried after those of this one; false: they are not"


class RouteRule(Shape):
    """Says by which route SMS to the numbers of a prefix go."""

    id: Id
    prefix: Annotated[
        str, Field(description="the digits with which the numbers begin; empty: all numbers", examples=["49"])
    ]
    route: Annotated[str, Field(description=_ROUTE, examples=["sms-2"])]
    category: Annotated[MessageCategory | None, Field(description=_CATEGORY)]
    owner_id: Annotated[UUID | None, Field(description=_OWNER)]
    priority: Annotated[int, Field(description=_PRIORITY)]
    weight: Annotated[int, Field(description=_WEIGHT)]
    fallback: Annotated[bool, Field(description=_FALLBACK)]
    created_at: Created
    updated_at: Updated


class RouteRuleInput(Shape):
    """The values of a rule."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"prefix": "49", "route": "sms-2", "priority": 0}]}
    )

    prefix: Annotated[
        str,
        Field(pattern=r"^(\+?[1-9][0-9]{0,14})?$", max_length=16, description=_PREFIX, examples=["49"]),
        AfterValidator(lambda prefix: prefix.removeprefix("+")),
    ]
    route: Annotated[Line, Field(min_length=1, max_length=32, description=_ROUTE, examples=["sms-2"])]
    category: Annotated[MessageCategory, Field(description=_CATEGORY)] | None = None
    owner_id: Annotated[UUID, Field(description=_OWNER)] | None = None
    priority: Annotated[int, Field(ge=0, le=1000, description=_PRIORITY)] = 0
    weight: Annotated[int, Field(ge=1, le=1000, description=_WEIGHT)] = 1
    fallback: Annotated[bool, Field(description=_FALLBACK)] = True


class RouteUse(DescribedEnum):
    """Says whether a route of a trace is tried."""

    tried = "tried", "it is tried"
    off = "off", "it is not tried, since it is switched off"
    missing = "missing", "it is not tried, since no route of this name is configured"


class RouteCandidate(Shape):
    """A route that a message could take."""

    route: Annotated[str, Field(description=_ROUTE, examples=["sms-2"])]
    use: Annotated[RouteUse, Field(description="whether it is tried")]
    state: Annotated[
        RouteState | None,
        Field(
            description="state of its circuit breaker; messages pass an open one by; null if it is not configured"
        ),
    ]
    rule_id: Annotated[
        UUID | None,
        Field(description="the rule that names it, for administrators; null: the configured order"),
    ]
    why: Annotated[
        str,
        Field(
            description="why it is there, as a sentence",
            examples=["The rule for +49 names it, with priority 0."],
        ),
    ]


class RouteObstacle(Shape):
    """The reason for which a message would be refused, or would wait."""

    code: Annotated[
        str,
        Field(
            description="the error's code, or the failure code of the message that waits",
            examples=["country_not_allowed"],
        ),
    ]
    message: Annotated[str, Field(description="what is wrong, as a sentence")]


class RouteTrace(Shape):
    """Says how an SMS would go if it were sent now: from which sender, at which price, and by which routes."""

    to: Annotated[str, Field(description="the number in E.164 format")]
    country: Annotated[
        str | None,
        Field(description="its country; 001: it belongs to none; null: it is no phone", examples=["DE"]),
    ]
    candidates: Annotated[
        list[RouteCandidate],
        Field(
            description="the routes, in the order in which they are tried, with those that are passed over; empty for "
            "others than administrators"
        ),
        Cost(most=200),
    ]
    waits: Annotated[
        RouteObstacle | None,
        Field(description="why the message would wait, as no route can be tried; null: it would not"),
    ]
    sender: Annotated[str | None, Field(description="the sender; null: the route's own")]
    sender_why: Annotated[str, Field(description="why it is this sender, as a sentence")]
    price: Annotated[
        Money | None,
        Field(description="price of each part, whichever route takes it; null: refused, or no account"),
    ]
    currency: Annotated[
        str | None, Field(description="currency of the account that pays; null: there is none")
    ]
    price_prefix: PricePrefix
    refusal: Annotated[
        RouteObstacle | None,
        Field(description="the error that sending would give; null: it would be accepted"),
    ]


class TraceRoute(Shape):
    """An SMS whose way is asked for. Nothing is sent or counted."""

    to: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=64,
            description="a phone in any common notation",
            examples=["+4930123456"],
        ),
    ]
    category: Annotated[MessageCategory, Field(description="category of the message")] = (
        MessageCategory.transactional
    )
    sender: (
        Annotated[
            Text, Field(min_length=1, max_length=320, description="the sender that it names; default: none")
        ]
        | None
    ) = None
    account_id: (
        Annotated[
            UUID,
            Field(description="the account that pays, whose owner sends it; default: your oldest account"),
        ]
        | None
    ) = None


class RouteQuality(Shape):
    """Counts the SMS of a route to a prefix, and those of which a receipt says that they were delivered."""

    route: Annotated[str, Field(description=_ROUTE, examples=["sms-2"])]
    prefix: Annotated[
        str,
        Field(description="the longest prefix of the numbers that rules name the route for", examples=["49"]),
    ]
    sent: Annotated[
        int,
        Field(description="messages that it accepted in the hour before the last ten minutes"),
    ]
    delivered: Annotated[
        int,
        Field(description="receipts of delivery since that hour began, also for later messages"),
    ]
    sent_before: Annotated[int, Field(description="messages that it accepted in the day before")]
    delivered_before: Annotated[int, Field(description="receipts of delivery in the day before")]
    degraded_since: Annotated[
        Timestamp | None,
        Field(
            description="since when others are tried before it, as it delivers nothing to the prefix; null: it has its "
            "place"
        ),
    ]
    retry_at: Annotated[
        Timestamp | None,
        Field(
            description="from when on one of twenty numbers tries it again in its place; null: it has its place"
        ),
    ]


class RouteRuleWhere(Where):
    """Filter for rules of routes."""

    kinds: ClassVar = {"id": "RouteRule", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by user")] = None
    route: Annotated[Exactly | None, Field(description="filter by route")] = None
    prefix: Annotated[Exactly | None, Field(description="filter by prefix")] = None
    category: Annotated[Choice[MessageCategory] | None, Field(description="filter by category")] = None
