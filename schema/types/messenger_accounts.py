"""Messenger accounts: Telegram and WhatsApp accounts that Postern keeps connected (contract §4)."""

from enum import StrEnum
from typing import Annotated, Any, ClassVar

import strawberry
from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints

from schema.types.shape import NO_CONTROLS, Created, Id, Shape, Timestamp, Updated
from schema.types.where import Choice, Contains, Exactly, Flag, Ids, Order, TimeSpan, Where

_SECRET = r"^[!-~]+$"  # of a credential that goes into a header: visible ASCII


class MessengerSource(StrEnum):
    """Which messenger."""

    telegram = "telegram"
    whatsapp = "whatsapp"


class MessengerDriver(StrEnum):
    """How an account is connected."""

    telegram = "telegram"
    whatsapp = "whatsapp"
    whatsapp_cloud = "whatsapp-cloud"
    sandbox = "sandbox"


class AccountState(StrEnum):
    """Where an account stands between `stopped` and `working`; docs/states.md draws the moves."""

    stopped = "stopped"
    starting = "starting"
    waitQr = "waitQr"  # noqa: N815  the contract's word
    waitPhone = "waitPhone"  # noqa: N815  the contract's word
    waitCode = "waitCode"  # noqa: N815  the contract's word
    waitPassword = "waitPassword"  # noqa: N815  the contract's word
    showCode = "showCode"  # noqa: N815  the contract's word
    syncing = "syncing"
    working = "working"
    reconnecting = "reconnecting"
    failed = "failed"
    loggedOut = "loggedOut"  # noqa: N815  the contract's word
    blocked = "blocked"


class CloudCredentials(Shape):
    """What the `whatsapp-cloud` driver needs, from Meta's app dashboard. Kept encrypted, never shown again.

    In `credentials_encrypted` it stands as JSON under these (camelCase) names.
    """

    model_config = ConfigDict(extra="ignore")

    phone_number_id: Annotated[
        str,
        Field(
            pattern=r"^[0-9]{1,32}$",
            description="WhatsApp → API Setup; not the phone",
            examples=["106540352242922"],
        ),
    ]
    access_token: Annotated[
        str,
        Field(
            pattern=_SECRET,
            max_length=1024,
            repr=False,
            description="a system user's token, which does not expire",
        ),
    ]
    app_secret: Annotated[
        str,
        Field(
            pattern=_SECRET,
            max_length=256,
            repr=False,
            description="App settings → Basic; Meta signs its hooks with it",
        ),
    ]
    verify_token: Annotated[
        str,
        Field(
            pattern=_SECRET,
            max_length=256,
            repr=False,
            description="any text of your own, also entered where Meta's webhook is configured",
        ),
    ]


def as_text(given: Any) -> Any:
    """The vendor's clients write phones, and logins that are phones, as numbers too."""
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


Login = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    Field(
        min_length=1,
        max_length=64,
        pattern=NO_CONTROLS,
        description="the account's name, chosen by its owner: often its phone",
        examples=["14155550100"],
    ),
    BeforeValidator(as_text),
]
MOST_WEBHOOKS = 10

Phone = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    Field(
        pattern=r"^\+?[0-9]{5,15}$",
        description="its digits, with the country's; a + before them is let go",
        examples=["14155550100"],
    ),
    BeforeValidator(as_text),
]
Address = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    Field(max_length=2048, pattern=NO_CONTROLS, examples=["https://example.com/hook"]),
]
Proxy = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    Field(
        max_length=1024,
        pattern=NO_CONTROLS,
        description="socks5://user:password@host:port, socks4://… or http://…; empty: none",
        examples=["socks5://user:password@203.0.113.7:1080"],
    ),
]
AccountName = Annotated[
    str,
    Field(min_length=1, max_length=128, pattern=NO_CONTROLS, description="for people", examples=["Support"]),
]


class MessengerPerson(Shape):
    """Somebody as the messenger knows them; here the account itself."""

    model_config = ConfigDict(extra="ignore")

    # Not `id` in GraphQL: that would be the key of a node in the caches of clients.
    external_id: Annotated[
        str,
        Field(validation_alias="id", serialization_alias="id", description="the messenger's own"),
        strawberry.field(name="externalId", description="the messenger's own id"),
    ]
    phone: Annotated[str | None, Field(description="E.164")] = None
    username: Annotated[str | None, Field(description="without @")] = None
    first_name: Annotated[str | None, Field(description="as the messenger has it")] = None
    last_name: Annotated[str | None, Field(description="as the messenger has it")] = None
    avatar: Annotated[str | None, Field(description="an address, or a data: URL")] = None


class AccountFields(Shape):
    """An account as GraphQL shows it."""

    id: Id
    source: Annotated[MessengerSource, Field(description="which messenger")]
    login: Annotated[str, Field(description="its name, unique among the owner's accounts of that messenger")]
    name: Annotated[str, Field(description="for people")]
    driver: Annotated[MessengerDriver, Field(description="how it is connected")]
    wanted: Annotated[bool, Field(description="whether its owner has switched it on")]
    reason: Annotated[str | None, Field(description="why it is in this state, as a sentence")]
    reason_code: Annotated[str | None, Field(description="the same for programs")]
    until: Annotated[Timestamp | None, Field(description="the messenger wants no further try before")]
    attempts_left: Annotated[int | None, Field(description="of the code or password that it waits for")]
    state_at: Annotated[Timestamp | None, Field(description="since when it is in this state")]
    checked_at: Annotated[Timestamp | None, Field(description="when the messenger last confirmed the state")]
    phone: Annotated[
        str | None, Field(description="digits: it logs in with a code for this phone, not by QR")
    ]
    connected_phone: Annotated[str | None, Field(description="which phone the messenger says it is")]
    created_at: Created
    updated_at: Updated


class MessengerStep(Shape):
    """The vendor's number and sentence for the state."""

    value: Annotated[
        int | float | None,  # an int stays one: the vendor says 5, not 5.0
        Field(description="2.1 password, 2.2 QR, 2.21 phone, 2.22 code shown, 2.25 code, 4, 5 works"),
        strawberry.field(graphql_type=float | None),
    ]
    message: Annotated[str | None, Field(description="what `setState` says there")]


class MessengerAccountsSummary(Shape):
    """How many accounts are where."""

    total: Annotated[int, Field(description="all of them")] = 0
    working: Annotated[int, Field(description="connected")] = 0
    stopped: Annotated[int, Field(description="switched off")] = 0
    waiting: Annotated[int, Field(description="starting, reconnecting, or for somebody's code or scan")] = 0
    failed: Annotated[int, Field(description="failed, logged out or blocked")] = 0


class MessengerAccountWhere(Where):
    """What must hold for messenger accounts."""

    kinds: ClassVar = {"id": "MessengerAccount", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    owner_id: Annotated[Ids | None, Field(description="whose they are")] = None
    source: Annotated[Choice[MessengerSource] | None, Field(description="which messenger")] = None
    driver: Annotated[Choice[MessengerDriver] | None, Field(description="how they are connected")] = None
    state: Annotated[Choice[AccountState] | None, Field(description="where they stand now")] = None
    wanted: Annotated[Flag | None, Field(description="whether their owner has switched them on")] = None
    login: Annotated[Exactly | None, Field(description="their name at the owner's")] = None
    text: Annotated[Contains | None, Field(description="in the login or the name")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they were added")] = None


class MessengerAccountSort(StrEnum):
    """What messenger accounts are ordered by."""

    createdAt = "createdAt"  # noqa: N815  as GraphQL and its cursors write it
    name = "name"


class MessengerAccountOrder(Order):
    """An order to read messenger accounts in."""

    field: Annotated[MessengerAccountSort, Field(description="what decides")] = MessengerAccountSort.createdAt


class NewMessengerAccount(Shape):
    """An account to add. It is not connected before it is started."""

    source: Annotated[MessengerSource, Field(description="which messenger")]
    login: Login
    name: Annotated[AccountName | None, Field(description="for people; its login, if it has none")] = None
    driver: Annotated[
        MessengerDriver | None,
        Field(description="one of those enabled for the source; null: the default one"),
    ] = None
    proxy_string: Annotated[Proxy | None, Field(repr=False)] = None
    webhook_urls: Annotated[
        list[Address] | None,
        Field(max_length=MOST_WEBHOOKS, description="addresses that are told of everything"),
    ] = None
    credentials: Annotated[
        CloudCredentials | None,
        Field(description="of the driver whatsapp-cloud, which needs them", repr=False),
    ] = None


class MessengerAccountPatch(Shape):
    """What is left out or null stays. An empty `webhookUrls` removes all; an empty `proxyString` means no proxy."""

    name: Annotated[AccountName | None, Field(description="for people")] = None
    proxy_string: Annotated[
        Proxy | None, Field(description="only while the account is stopped", repr=False)
    ] = None
    webhook_urls: Annotated[
        list[Address] | None, Field(max_length=MOST_WEBHOOKS, description="these and no others from now on")
    ] = None
    credentials: Annotated[
        CloudCredentials | None,
        Field(
            description="of the driver whatsapp-cloud, all of them; a connected account connects again",
            repr=False,
        ),
    ] = None
