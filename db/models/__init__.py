"""Every table. Importing this package fills `Base.metadata`."""

from db.base import Base
from db.models.accounts import Account, LedgerEntry
from db.models.ai import AiUsage
from db.models.blocks import BlockedPhone
from db.models.exports import ExportLink
from db.models.files import File
from db.models.hooks import EarlyEvent, HookEvent, HookSecret
from db.models.idempotency import IdempotencyKey
from db.models.imports import ImportRow, RecipientImport
from db.models.leases import Lease
from db.models.message_records import MessageRecord
from db.models.messages import Claim, EarlyReceipt, Message
from db.models.recipients import Recipient
from db.models.repeatable import RepeatableSendingProject
from db.models.sending_projects import (
    FailureCounter,
    ProjectContent,
    SendingCounter,
    SendingProject,
    SendingUnit,
    StatisticsBucket,
)
from db.models.settings import Setting
from db.models.source_accounts import SourceAccount
from db.models.tariffs import Tariff, TariffUsage
from db.models.users import ApiToken, RefreshToken, Session, User

__all__ = [
    "Account",
    "AiUsage",
    "ApiToken",
    "Base",
    "BlockedPhone",
    "Claim",
    "EarlyEvent",
    "EarlyReceipt",
    "ExportLink",
    "FailureCounter",
    "File",
    "HookEvent",
    "HookSecret",
    "IdempotencyKey",
    "ImportRow",
    "Lease",
    "LedgerEntry",
    "Message",
    "MessageRecord",
    "ProjectContent",
    "Recipient",
    "RecipientImport",
    "RefreshToken",
    "RepeatableSendingProject",
    "SendingCounter",
    "SendingProject",
    "SendingUnit",
    "Session",
    "Setting",
    "SourceAccount",
    "StatisticsBucket",
    "Tariff",
    "TariffUsage",
    "User",
]
