"""Accounts: the specification's Account (§2), its balance and its ledger."""

from decimal import Decimal
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import AfterValidator, Field

from shapes.currencies import check_currency
from shapes.described import DescribedEnum
from shapes.shape import Created, Id, Line, Money, Shape, Text, Timestamp
from shapes.where import Choice, Exactly, Flag, Ids, TimeSpan, Where


class Plan(DescribedEnum):
    """The plan of an account."""

    free = "free", "free of charge"
    pro = "pro", "for regular use"
    enterprise = "enterprise", "by agreement"


class EntryKind(DescribedEnum):
    """The reason for which a balance changed."""

    credit = "credit", "money added by an administrator"
    charge = "charge", "the price of a message"
    refund = "refund", "the refund of a failed message's price"


AccountName = Annotated[
    Line, Field(min_length=1, max_length=128, description="display name", examples=["Marketing"])
]
Currency = Annotated[
    str,
    Field(pattern="^[A-Z]{3}$", description="ISO 4217 currency code", examples=["USD"]),
    AfterValidator(check_currency),
]
Amount = Annotated[
    Decimal,
    Field(
        gt=0,
        max_digits=18,
        decimal_places=6,
        allow_inf_nan=False,
        description="amount in the account's currency",
        examples=["25.00"],
    ),
]
Note = Annotated[Text, Field(max_length=256, description="reason for the credit, kept in the ledger")]


class Account(Shape):
    """An account with a balance, from which messages are paid."""

    id: Id
    owner_id: Annotated[UUID, Field(description="uuid of the user who owns the account")]
    name: Annotated[str, Field(description="display name")]
    plan: Annotated[Plan, Field(description="the plan of the account")]
    balance: Annotated[
        Money, Field(description="the amount left to spend: the sum of the account's ledger entries")
    ]
    owed: Annotated[
        Money,
        Field(
            description="refunds of messages that were delivered after all, as far as the balance lacked them; the "
            "next credit pays them first"
        ),
    ]
    currency: Annotated[str, Field(description="ISO 4217 currency code")]
    created_at: Created


class NewAccount(Shape):
    """An account to create."""

    name: AccountName
    plan: Annotated[Plan, Field(description="the plan of the account")] = Plan.free
    currency: Currency = "USD"


class AccountPatch(Shape):
    """The fields of an account that a PATCH may contain. Read-only fields are accepted if they do not change."""

    id: Annotated[UUID, Field(description="read-only")] | None = None
    owner_id: Annotated[UUID, Field(description="uuid of the new owner; for administrators")] | None = None
    name: AccountName | None = None
    plan: Annotated[Plan, Field(description="the plan of the account")] | None = None
    balance: Annotated[Money | None, Field(description="read-only; only ledger entries change it")] = None
    owed: Annotated[
        Money | None, Field(description="read-only; only refunds that are taken back change it")
    ] = None
    currency: Currency | None = None
    created_at: Annotated[Timestamp, Field(description="read-only")] | None = None


LowBalance = Annotated[
    Money,
    Field(
        gt=0,
        description="an event `account.low` says when the balance falls below it",
        examples=[25],
    ),
]


class LowBalanceInput(Shape):
    """The balance below which an account is low."""

    below: Annotated[
        LowBalance | None,
        Field(
            description="the amount in the account's currency; null: the account is never low",
            json_schema_extra={"exclusiveMinimum": 0},
        ),
    ] = None


class AccountLowBalance(Shape):
    """The balance below which an account is low."""

    account_id: Annotated[UUID, Field(description="the account")]
    below: Annotated[Money | None, Field(description="the amount in the account's currency; null: none")]


class Balance(Shape):
    """The amount left to spend."""

    account_id: Annotated[UUID, Field(description="the account of the balance")]
    balance: Annotated[Money, Field(description="amount in the account's currency")]
    currency: Annotated[str, Field(description="ISO 4217 currency code")]


class Credit(Shape):
    """A credit: money that an administrator adds to an account."""

    account_id: Annotated[UUID, Field(description="the account to credit")]
    amount: Amount
    note: Note | None = None


class CreditInput(Shape):
    """Money that an administrator adds to the account of the path."""

    amount: Amount
    note: Note | None = None


class LedgerEntry(Shape):
    """One movement of an account's balance. The balance is the sum of all its entries."""

    id: Id
    account_id: Annotated[UUID, Field(description="the account whose balance changed")]
    kind: Annotated[EntryKind, Field(description="why the balance changed")]
    amount: Annotated[
        Money, Field(description="amount of the movement in the account's currency; negative for a charge")
    ]
    reference: Annotated[
        UUID,
        Field(
            description="the message, the batch of a project, or the credit that the entry belongs to; of a sum of "
            "several entries its own id"
        ),
    ]
    project_id: (
        Annotated[
            UUID,
            Field(
                description="uuid of the project whose messages were charged or refunded; null for other entries"
            ),
        ]
        | None
    )
    entry_count: (
        Annotated[
            int,
            Field(
                description="how many charges, or refunds, of one day (UTC) are added up in this entry, because their "
                "messages were deleted long ago; null for a single one"
            ),
        ]
        | None
    )
    note: (
        Annotated[str, Field(description="the administrator's note on a credit; null if there is none")]
        | None
    )
    created_at: Created


class LedgerWhere(Where):
    """The filter of a list of balance movements."""

    kinds: ClassVar = {"id": "LedgerEntry", "project_id": "SendingProject"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    project_id: Annotated[Ids | None, Field(description="filter by project")] = None
    grouped: Annotated[
        Flag | None,
        Field(description="true: of each project's entries only the newest, which stands for all of them"),
    ] = None
    kind: Annotated[Choice[EntryKind] | None, Field(description="filter by kind")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by the time of the movement")] = None


class AccountWhere(Where):
    """Filter for accounts."""

    kinds: ClassVar = {"id": "Account", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    plan: Annotated[Choice[Plan] | None, Field(description="filter by plan")] = None
    currency: Annotated[Exactly | None, Field(description="ISO 4217 currency code")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by creation time")] = None
