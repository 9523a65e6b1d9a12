"""Accounts: the specification's Account (§2), its balance and its ledger."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import AfterValidator, Field

from postern.currencies import known_currency
from schema.types.shape import Created, Id, Line, Money, Shape, Text, Timestamp
from schema.types.where import Choice, Exactly, Ids, TimeSpan, Where


class Plan(StrEnum):
    """What an account has subscribed to."""

    free = "free"
    pro = "pro"
    enterprise = "enterprise"


class EntryKind(StrEnum):
    """Why a balance moved."""

    credit = "credit"
    charge = "charge"
    refund = "refund"


AccountName = Annotated[
    Line, Field(min_length=1, max_length=128, description="shown to people", examples=["Marketing"])
]
Currency = Annotated[
    str,
    Field(pattern="^[A-Z]{3}$", description="ISO 4217 code", examples=["USD"]),
    AfterValidator(known_currency),
]
Amount = Annotated[
    Decimal,
    Field(
        gt=0,
        max_digits=18,
        decimal_places=6,
        allow_inf_nan=False,
        description="in the account's currency",
        examples=["25.00"],
    ),
]
Note = Annotated[Text, Field(max_length=256, description="why, for the ledger")]


class Account(Shape):
    """What messages are paid from."""

    id: Id
    owner_id: Annotated[UUID, Field(description="the user whose it is")]
    name: Annotated[str, Field(description="shown to people")]
    plan: Annotated[Plan, Field(description="what it has subscribed to")]
    balance: Annotated[Money, Field(description="what is left to spend; the sum of its ledger")]
    currency: Annotated[str, Field(description="ISO 4217 code")]
    created_at: Created


class NewAccount(Shape):
    """An account to open."""

    name: AccountName
    plan: Annotated[Plan, Field(description="what it subscribes to")] = Plan.free
    currency: Currency = "USD"


class AccountPatch(Shape):
    """The fields of an account that a PATCH may carry. Read-only ones are accepted when they don't change."""

    id: Annotated[UUID, Field(description="read-only")] | None = None
    owner_id: Annotated[UUID, Field(description="a new owner; for administrators")] | None = None
    name: AccountName | None = None
    plan: Annotated[Plan, Field(description="what it subscribes to")] | None = None
    balance: Annotated[Money | None, Field(description="read-only; it moves by the ledger alone")] = None
    currency: Currency | None = None
    created_at: Annotated[Timestamp, Field(description="read-only")] | None = None


class Balance(Shape):
    """What is left to spend."""

    account_id: Annotated[UUID, Field(description="whose balance")]
    balance: Annotated[Money, Field(description="in the account's currency")]
    currency: Annotated[str, Field(description="ISO 4217 code")]


class Credit(Shape):
    """Money put into an account by an administrator."""

    account_id: Annotated[UUID, Field(description="who gets it")]
    amount: Amount
    note: Note | None = None


class LedgerEntry(Shape):
    """One movement of an account's balance; the balance is the sum of them."""

    id: Id
    account_id: Annotated[UUID, Field(description="whose balance moved")]
    kind: Annotated[EntryKind, Field(description="why")]
    amount: Annotated[Money, Field(description="negative for a charge")]
    reference: Annotated[UUID, Field(description="the message, or the credit, that it is for")]
    note: Annotated[str, Field(description="the administrator's word on a credit")] | None
    created_at: Created


class LedgerWhere(Where):
    """What must hold for movements of a balance."""

    kinds: ClassVar = {"id": "LedgerEntry"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    kind: Annotated[Choice[EntryKind] | None, Field(description="why they were made")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they were made")] = None


class AccountWhere(Where):
    """What must hold for accounts."""

    kinds: ClassVar = {"id": "Account", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    owner_id: Annotated[Ids | None, Field(description="whose they are")] = None
    plan: Annotated[Choice[Plan] | None, Field(description="what they subscribe to")] = None
    currency: Annotated[Exactly | None, Field(description="ISO 4217 code")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they were made")] = None
