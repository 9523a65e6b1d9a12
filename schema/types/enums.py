"""The enums of the shapes, made known to GraphQL. Strawberry marks a class; the class stays what it is."""

import strawberry

from schema.types import (
    accounts,
    blocks,
    events,
    exports,
    health,
    imports,
    legacy,
    message_records,
    messages,
    recipients,
    repeatable,
    sending_projects,
    settings,
    source_accounts,
    statistics,
    users,
)

for one in (
    accounts.EntryKind,
    accounts.Plan,
    blocks.BlockReason,
    events.HookCredential,
    exports.ExportFormat,
    exports.ExportStatus,
    health.IndicatorStatus,
    health.ReadinessStatus,
    imports.ImportStatus,
    legacy.LegacyMethod,
    message_records.RecordStatus,
    messages.DeliveryState,
    messages.Direction,
    messages.MessageChannel,
    messages.MessageStatus,
    recipients.RecipientStatus,
    repeatable.Misfire,
    repeatable.RepeatableStatus,
    sending_projects.OnMissingVariable,
    sending_projects.PauseReason,
    sending_projects.ProjectChannel,
    sending_projects.ProjectStatus,
    settings.Scope,
    source_accounts.SenderStatus,
    statistics.Interval,
    statistics.ProcessingStatus,
    users.Role,
    users.UserStatus,
):
    strawberry.enum(one, description=one.__doc__)
