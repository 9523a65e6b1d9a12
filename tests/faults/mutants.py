"""Engines that are broken on purpose: the fault test must turn red with each of them, or it proves nothing.

`python -m tests.faults.mutants NAME` is a worker with that fault; further arguments are those of `postern worker`.
"""

import sys
from datetime import timedelta
from uuid import uuid4

import pytest

from engine.projects import batch_run, batches, contact_audience, follow_ups, groups, preparation
from engine.projects.claim import BatchClaim
from engine.series import decide, entering, stepping
from engine.webhooks import feed
from runtime.breakers import Breakers
from tests.support.shifted import shift


def no_key() -> None:
    """Gives every hand-over a key of its own."""
    made = preparation.Outgoing

    def outgoing(**fields):
        return made(**{**fields, "key": str(uuid4())})

    preparation.Outgoing = outgoing


def sent_before_the_call() -> None:
    """Marks messages as sent when their intents are recorded, before the call."""
    for module, name, start in (
        (batches, "_RECORD_INTENTS", "SET"),
        (batches, "_RECORD_ALL_INTENTS", "SET"),
        (groups, "_STORE_GROUP", "intents AS ("),
    ):
        head, set_, rest = getattr(module, name).partition(start)
        setattr(
            module,
            name,
            head + set_ + rest.replace("status = 'sending'", "status = 'sent', sent_at = now()", 1),
        )


def small_pages() -> None:
    """Reads audiences in small pages, and looks soon at series; nothing is broken by that."""
    contact_audience.PAGE = follow_ups.PAGE = entering.PAGE = 25
    stepping.PAGE = 10
    stepping.SOON = decide.SOON = stepping._ENDED = timedelta(seconds=0.5)


def no_consent() -> None:
    """Sends to everybody who was subscribed when the audience was read."""
    small_pages()
    for module, name in (
        (batches, "_MESSAGES"),
        (batches, "_RECORD_INTENTS"),
        (batches, "_RECORD_ALL_INTENTS"),
        (groups, "_STORE_GROUP"),
    ):
        statement = getattr(module, name)
        assert "s.state = 'active'" in statement
        setattr(module, name, statement.replace("s.state = 'active'", "s.state IS NOT NULL"))


def no_fencing() -> None:
    """Removes the check that a claim still holds its batch."""
    batches.LOCK_CLAIMED = (
        "SELECT FROM sending_units WHERE id = $1 AND $2::uuid IS NOT NULL FOR NO KEY UPDATE"
    )
    batches._RECORD_INTENTS = batches._RECORD_INTENTS.replace(
        "AND (status = 'queued' OR (status = 'sending' AND claim_id = $2))", "AND $2::uuid IS NOT NULL"
    )
    groups._STORE_GROUP = groups._STORE_GROUP.replace(
        "AND claim_id = $2 AND expires_at > now() FOR NO KEY UPDATE", "FOR NO KEY UPDATE"
    ).replace("AND (status = 'queued' OR (status = 'sending' AND claim_id = $2))", "")
    batches._SENT = batches._SENT.replace(
        "AND claim_id = $1 AND status IN ('sending', 'unknown')", "AND $1::uuid IS NOT NULL"
    )
    BatchClaim.ended = BatchClaim.lost = property(lambda self: False)  # a worker that lost a claim goes on
    BatchClaim.stop = lambda self: None
    Breakers.all_closed = property(
        lambda self: True
    )  # or the answers that are lost by freezing would stop it
    batch_run.CYCLE_SECONDS = 600.0  # however long the worker was away


def clock_ahead() -> None:
    """Sets the machine's clock 25 hours ahead. The engine is not changed, and all must hold."""
    shift(pytest.MonkeyPatch(), 25)


def forgets_events() -> None:
    """Some events of a feed get no delivery, though the webhook's position is behind them."""
    feed._PUT_NEW = feed._PUT_NEW.replace("ORDER BY d.number", "WHERE d.number % 100 <> 1 ORDER BY d.number")


def forgets_order() -> None:
    """No event waits for an earlier one about the same object, and some are sent late."""
    feed._PUT_NEW = (
        feed._PUT_NEW.replace("thread, replayed)", "thread, replayed, next_at)")
        .replace("d.body, d.thread, false", "d.body, d.event_id::text, false, late.at")
        .replace(
            "ORDER BY d.number",
            "CROSS JOIN LATERAL (SELECT CASE WHEN d.number % 100 = 1 THEN now() + interval '20 s' END AS at) AS late"
            " ORDER BY d.number",
        )
    )


DELIVERERS = {mutant.__name__: mutant for mutant in (forgets_events, forgets_order)}
"""The webhook's receiver finds these out under fire; the others are found out at the crash points."""

MUTANTS = DELIVERERS | {
    mutant.__name__: mutant
    for mutant in (no_key, sent_before_the_call, small_pages, no_consent, no_fencing, clock_ahead)
}

if __name__ == "__main__":
    import engine.worker  # noqa: F401  all that a worker runs is there before it is changed
    from postern.cli import app

    MUTANTS[sys.argv[1]]()
    sys.argv = ["postern", "worker", *sys.argv[2:]]
    app()
