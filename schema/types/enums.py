"""The enums of the shapes, made known to GraphQL. Strawberry marks a class; the class stays what it is."""

import strawberry

from schema.types import accounts, health, legacy, messages, settings, users

for one in (
    accounts.EntryKind,
    accounts.Plan,
    health.IndicatorStatus,
    health.ReadinessStatus,
    legacy.LegacyMethod,
    messages.DeliveryState,
    messages.Direction,
    messages.MessageChannel,
    messages.MessageStatus,
    settings.Scope,
    users.Role,
    users.UserStatus,
):
    strawberry.enum(one, description=one.__doc__)
