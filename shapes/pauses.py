"""Names the reasons for which a Sending Project sends nothing."""

from shapes.described import DescribedEnum


class PauseReason(DescribedEnum):
    """The reason for which a project is paused, or is running but sends nothing. It continues automatically when the
    cause is gone, except after `recipients_failed` and `over_approved`. `missed_start`, `approval_expired` and
    `restored` are reasons of a project that was stopped.
    """

    no_sender_online = "no_sender_online", "no source account of the project is connected"
    balance_used_up = "balance_used_up", "the account's balance is too low for the next message"
    tariff_used_up = "tariff_used_up", "a limit of the tariff is reached"
    provider_refuses_credentials = (
        "provider_refuses_credentials",
        "the provider rejects its credentials; an administrator must correct them",
    )
    owner_suspended = "owner_suspended", "the project's owner is suspended"
    recipients_failed = (
        "recipients_failed",
        "an import was added only in part; stop the project, then start it to send to the recipients that were added",
    )
    recipients_pending = (
        "recipients_pending",
        "the project is running, and rows of an import are still being added",
    )
    window_closed = "window_closed", "the project is running, but the sending window of no recipient is open"
    missed_start = (
        "missed_start",
        (
            "the project was stopped, because it could not be started within startWithinSeconds of its startAt; "
            "start it, or schedule it anew"
        ),
    )
    over_approved = (
        "over_approved",
        (
            "the next messages would cost more than the plan allows, or the audience has grown beyond it; stop the "
            "project, make a new plan, and have it approved if a rule asks for that"
        ),
    )
    approval_expired = (
        "approval_expired",
        "the project was stopped at its startAt, because its approval had expired or did not hold any more",
    )
    restored = (
        "restored",
        "the project was stopped, because the service was restored from a backup; start it if it is still wanted",
    )
