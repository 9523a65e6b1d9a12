"""Messenger accounts: Telegram and WhatsApp accounts that Postern keeps connected (contract §4)."""

from typing import Annotated, Any, ClassVar

import strawberry
from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints

from shapes.described import DescribedEnum
from shapes.shape import NO_CONTROLS, Created, Id, Shape, Timestamp, Updated
from shapes.where import Choice, Contains, Exactly, Flag, Ids, Order, TimeSpan, Where

_SECRET = r"^[!-~]+$"  # of a credential that goes into a header: visible ASCII


class MessengerSource(DescribedEnum):
    """The messenger."""

    telegram = "telegram", "Telegram"
    whatsapp = "whatsapp", "WhatsApp"


class MessengerDriver(DescribedEnum):
    """The driver that connects a messenger account."""

    telegram = "telegram", "as a Telegram client of the account's user"
    whatsapp = "whatsapp", "as a linked device of a WhatsApp account"
    whatsapp_cloud = "whatsapp-cloud", "through Meta's WhatsApp Cloud API"
    sandbox = "sandbox", "a simulated messenger for tests; nothing leaves the service"


class AccountState(DescribedEnum):
    """State of a messenger account's connection; docs/states.md shows the transitions."""

    stopped = "stopped", "switched off, or not started yet"
    starting = "starting", "a worker has taken the account over and connects it"
    waitQr = "waitQr", "waits until the QR code is scanned"  # noqa: N815  the contract's word
    waitPhone = "waitPhone", "waits for the account's phone number"  # noqa: N815  the contract's word
    waitCode = "waitCode", "waits for the login code that the messenger has sent"  # noqa: N815  the contract's word
    waitPassword = "waitPassword", "waits for the account's cloud password"  # noqa: N815  the contract's word
    showCode = "showCode", "waits until the pairing code is entered on the phone"  # noqa: N815  the contract's word
    syncing = "syncing", "logged in, and synchronising with the messenger"
    working = "working", "connected; messages are sent and received"
    reconnecting = "reconnecting", "the connection was lost and is being restored"
    failed = "failed", "failed; it stays so until it is started again"
    loggedOut = "loggedOut", "the messenger has ended the session"  # noqa: N815  the contract's word
    blocked = "blocked", "the messenger has blocked the account"


class CloudCredentials(Shape):
    """Credentials of the `whatsapp-cloud` driver, from Meta's app dashboard. They are stored encrypted and never
    returned.
    """

    model_config = ConfigDict(extra="ignore")

    phone_number_id: Annotated[
        str,
        Field(
            pattern=r"^[0-9]{1,32}$",
            description="from WhatsApp → API Setup; not the phone number itself",
            examples=["106540352242922"],
        ),
    ]
    access_token: Annotated[
        str,
        Field(
            pattern=_SECRET,
            max_length=1024,
            repr=False,
            description="token of a system user, which does not expire",
        ),
    ]
    app_secret: Annotated[
        str,
        Field(
            pattern=_SECRET,
            max_length=256,
            repr=False,
            description="from App settings → Basic; Meta signs its webhook requests with it",
        ),
    ]
    verify_token: Annotated[
        str,
        Field(
            pattern=_SECRET,
            max_length=256,
            repr=False,
            description="any text of your choice; enter the same text in Meta's webhook configuration",
        ),
    ]


def as_text(value: Any) -> Any:
    """The vendor's clients write phones, and logins that are phones, as numbers too."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Login = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    Field(
        min_length=1,
        max_length=64,
        pattern=NO_CONTROLS,
        description="name of the account, chosen by its owner",
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
        description="the phone's digits with the country code; a leading + is removed",
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
        description="socks5://user:password@host:port, socks4://… or http://…; empty: no proxy",
        examples=["socks5://user:password@203.0.113.7:1080"],
    ),
]
AccountName = Annotated[
    str,
    Field(
        min_length=1, max_length=128, pattern=NO_CONTROLS, description="display name", examples=["Support"]
    ),
]


class MessengerPerson(Shape):
    """The account's own profile at the messenger."""

    model_config = ConfigDict(extra="ignore")

    # Not `id` in GraphQL: that would be the key of a node in the caches of clients.
    messenger_id: Annotated[
        str,
        Field(
            validation_alias="id", serialization_alias="id", description="the messenger's own id of the user"
        ),
        strawberry.field(name="messengerId", description="the messenger's own id of the user"),
    ]
    phone: Annotated[str | None, Field(description="phone in E.164 format")] = None
    username: Annotated[str | None, Field(description="username without @; null if there is none")] = None
    first_name: Annotated[str | None, Field(description="first name")] = None
    last_name: Annotated[str | None, Field(description="last name")] = None
    avatar: Annotated[
        str | None, Field(description="URL of the profile picture (http(s) or data:); null if not known")
    ] = None


class AccountFields(Shape):
    """An account as GraphQL shows it."""

    id: Id
    source: Annotated[MessengerSource, Field(description="messenger of the account")]
    login: Annotated[
        str, Field(description="name of the account, unique among its owner's accounts of that messenger")
    ]
    name: Annotated[str, Field(description="display name")]
    driver: Annotated[MessengerDriver, Field(description="driver that connects the account")]
    wanted: Annotated[bool, Field(description="whether the owner has switched it on")]
    reason: Annotated[str | None, Field(description="reason for the state, as a sentence")]
    reason_code: Annotated[str | None, Field(description="reason for the state, as a code for programs")]
    until: Annotated[
        Timestamp | None,
        Field(description="earliest time at which the messenger allows another attempt; null: no wait"),
    ]
    attempts_left: Annotated[
        int | None,
        Field(description="remaining attempts for the code or password that it waits for; null if not known"),
    ]
    state_at: Annotated[Timestamp | None, Field(description="when it entered this state")]
    checked_at: Annotated[
        Timestamp | None, Field(description="when the messenger last confirmed the state; null: never")
    ]
    phone: Annotated[
        str | None,
        Field(description="phone in digits: it logs in with a code for this phone; null: by a QR code"),
    ]
    connected_phone: Annotated[
        str | None,
        Field(description="phone of the logged-in account, as the messenger reports it; null if it does not"),
    ]
    restriction: Annotated[
        str | None,
        Field(
            description="what the messenger does not let a working account do: `reachOut`, to write to people who "
            "never wrote to it; null: nothing"
        ),
    ]
    restriction_reason: Annotated[
        str | None, Field(description="reason for the restriction, as a sentence; null: there is none")
    ]
    restricted_at: Annotated[
        Timestamp | None, Field(description="when the messenger restricted it; null: it is not restricted")
    ]
    restricted_until: Annotated[
        Timestamp | None,
        Field(description="end of the restriction, as the messenger has named it; null: it has named none"),
    ]
    created_at: Created
    updated_at: Updated


MOST_STATE_CHANGES = 100  # that are kept of one account


class MessengerStateChange(Shape):
    """A state that a messenger account has entered."""

    state: Annotated[AccountState, Field(description="state of the connection; see AccountState")]
    reason: Annotated[str | None, Field(description="reason for the state, as a sentence")]
    reason_code: Annotated[str | None, Field(description="reason for the state, as a code for programs")]
    until: Annotated[
        Timestamp | None,
        Field(description="earliest time at which the messenger allowed another attempt; null: no wait"),
    ]
    created_at: Annotated[Timestamp, Field(description="when it entered this state")]


class EnabledDriver(Shape):
    """A driver that the operator has enabled. New accounts of a messenger use the first one of its drivers."""

    source: Annotated[MessengerSource, Field(description="messenger that it connects")]
    driver: Annotated[MessengerDriver, Field(description="the driver")]
    label: Annotated[str, Field(description="what people call the driver, in English")]
    about: Annotated[
        str, Field(description="what its accounts are, and what a user needs for one, in English")
    ]


class MessengerStep(Shape):
    """The account's state as the vendor API's number and sentence."""

    value: Annotated[
        int | float | None,  # an int stays one: the vendor says 5, not 5.0
        Field(
            description="2.1 password, 2.2 QR code, 2.21 phone, 2.22 pairing code shown, 2.25 login code, 4 and 5 "
            "working"
        ),
        strawberry.field(graphql_type=float | None),
    ]
    message: Annotated[str | None, Field(description="the sentence of `setState` for this state")]


class MessengerAccountsSummary(Shape):
    """Number of messenger accounts by state."""

    total: Annotated[int, Field(description="all accounts")] = 0
    working: Annotated[int, Field(description="connected accounts")] = 0
    stopped: Annotated[int, Field(description="accounts that are switched off")] = 0
    waiting: Annotated[
        int, Field(description="accounts that are starting or reconnecting, or wait for a code or scan")
    ] = 0
    failed: Annotated[int, Field(description="accounts that have failed, are logged out or are blocked")] = 0


class MessengerAccountWhere(Where):
    """Filter for messenger accounts."""

    kinds: ClassVar = {"id": "MessengerAccount", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    source: Annotated[Choice[MessengerSource] | None, Field(description="messenger of the account")] = None
    driver: Annotated[Choice[MessengerDriver] | None, Field(description="filter by driver")] = None
    state: Annotated[Choice[AccountState] | None, Field(description="filter by current state")] = None
    wanted: Annotated[Flag | None, Field(description="filter by whether the owner has switched them on")] = (
        None
    )
    login: Annotated[Exactly | None, Field(description="filter by login")] = None
    text: Annotated[
        Contains | None, Field(description="filter by a part of the login, the name or the phone")
    ] = None
    created_at: Annotated[
        TimeSpan | None, Field(description="filter by the time at which they were added")
    ] = None


class MessengerAccountSort(DescribedEnum):
    """Sort keys of messenger accounts."""

    createdAt = "createdAt", "time of creation"  # noqa: N815  as GraphQL and its cursors write it
    name = "name", "by name, compared character by character"  # type: ignore[assignment]  # Enum.name


class MessengerAccountOrder(Order):
    """Sort order of messenger accounts."""

    field: Annotated[MessengerAccountSort, Field(description="sort key")] = MessengerAccountSort.createdAt


class NewMessengerAccount(Shape):
    """A messenger account to add. It is connected only after it is started."""

    source: Annotated[MessengerSource, Field(description="messenger of the account")]
    login: Login
    name: Annotated[AccountName | None, Field(description="display name; default: the login")] = None
    driver: Annotated[
        MessengerDriver | None,
        Field(description="one of the drivers that are enabled for the source; null: the default driver"),
    ] = None
    proxy_string: Annotated[Proxy | None, Field(repr=False)] = None
    webhook_urls: Annotated[
        list[Address] | None,
        Field(
            max_length=MOST_WEBHOOKS, description="URLs of webhooks that receive all events of the account"
        ),
    ] = None
    credentials: Annotated[
        CloudCredentials | None,
        Field(description="credentials of the driver whatsapp-cloud, which requires them", repr=False),
    ] = None


class MessengerAccountPatch(Shape):
    """Changes to a messenger account. Fields that are omitted or null stay unchanged. An empty `webhookUrls` removes
    all webhooks; an empty `proxyString` removes the proxy.
    """

    name: Annotated[AccountName | None, Field(description="display name")] = None
    proxy_string: Annotated[
        Proxy | None,
        Field(description="proxy URL; it can be changed only while the account is stopped", repr=False),
    ] = None
    webhook_urls: Annotated[
        list[Address] | None,
        Field(max_length=MOST_WEBHOOKS, description="the complete new list of webhook URLs"),
    ] = None
    credentials: Annotated[
        CloudCredentials | None,
        Field(
            description="all credentials of the driver whatsapp-cloud; a connected account reconnects with them",
            repr=False,
        ),
    ] = None
