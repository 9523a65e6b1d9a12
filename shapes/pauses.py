"""Names the reasons for which a Sending Project sends nothing."""

from enum import StrEnum


class PauseReason(StrEnum):
    """The reason for which a project is paused, or is running but sends nothing. It continues automatically when the
    cause is gone, except after `recipients_failed`. `missed_start` is the reason of a project that was stopped.
    """

    no_sender_online = "no_sender_online"
    balance_used_up = "balance_used_up"
    tariff_used_up = "tariff_used_up"
    provider_refuses_credentials = "provider_refuses_credentials"
    owner_suspended = "owner_suspended"
    recipients_failed = "recipients_failed"
    recipients_pending = "recipients_pending"
    window_closed = "window_closed"
    missed_start = "missed_start"
