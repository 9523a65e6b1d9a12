"""Every table. Importing this package fills `Base.metadata`."""

from db.base import Base
from db.models.accounts import Account, LedgerEntry, Tariff
from db.models.idempotency import IdempotencyKey
from db.models.messages import Claim, EarlyReceipt, Message
from db.models.settings import Setting
from db.models.users import ApiToken, RefreshToken, Session, User

__all__ = [
    "Account",
    "ApiToken",
    "Base",
    "Claim",
    "EarlyReceipt",
    "IdempotencyKey",
    "LedgerEntry",
    "Message",
    "RefreshToken",
    "Session",
    "Setting",
    "Tariff",
    "User",
]
