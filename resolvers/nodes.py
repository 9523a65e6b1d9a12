"""Finds out what an id belongs to. Whether the caller may see the row is up to the operation that reads it."""

from uuid import UUID

from db import models
from runtime.services import Services

TABLES: dict[str, str] = {
    kind: model.__tablename__
    for kind, model in {
        "Account": models.Account,
        "ApiToken": models.ApiToken,
        "BlockedPhone": models.BlockedPhone,
        "WebhookDelivery": models.WebhookDelivery,
        "DeadLetter": models.WebhookDelivery,
        "ExportLink": models.ExportLink,
        "File": models.File,
        "HookSecret": models.HookSecret,
        "LedgerEntry": models.LedgerEntry,
        "Message": models.Message,
        "MessageRecord": models.MessageRecord,
        "MessengerAccount": models.MessengerAccount,
        "MessengerChat": models.Chat,
        "MessengerMessage": models.ChatMessage,
        "Recipient": models.Recipient,
        "RecipientImport": models.RecipientImport,
        "RepeatableSendingProject": models.RepeatableSendingProject,
        "SendingProject": models.SendingProject,
        "SourceAccount": models.SourceAccount,
        "TrialMessage": models.Message,
        "User": models.User,
        "Webhook": models.Webhook,
    }.items()
}
"""The table of each type of node. The first type of a table counts: a dead letter is shown as the delivery that it is.
"""

_FIND = "\nUNION ALL ".join(
    f"SELECT '{table}' AS name WHERE EXISTS (SELECT FROM {table} WHERE id = $1)"  # noqa: S608  our own table names
    for table in dict.fromkeys(TABLES.values())
)


async def kinds(services: Services, id: UUID) -> list[str]:
    """Returns the types that a row with this id can be of; none if there is no row. One statement."""
    tables = {row["name"] for row in await services.db.fetch(_FIND, id)}
    return [kind for kind, table in TABLES.items() if table in tables]
