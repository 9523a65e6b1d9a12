"""The condition under which a recipient may be written to. The statements that record intents check it.

A withdrawal, or a block, that was answered before such a transaction begins holds for it.
"""

from typing import Any
from uuid import UUID

from db.address_keys import key_of
from engine import blocks
from engine.projects.contact_audience import CONSENTS, topics_of


def may_send(topics: str, category: str) -> str:
    """Returns the condition on a row of `message_records` under which its recipient is subscribed, and not blocked for
    messages of `category`; both are SQL expressions.

    Names are qualified, since blocks and subscriptions have columns of the same names.
    """
    row = "message_records"
    consents = CONSENTS.format(topics=topics, recipient=f"{row}.recipient_id", channel=f"{row}.channel")
    blocked = blocks.IS_BLOCKED_SINGLY.format(
        owner=f"{row}.owner_id", key=key_of(f'{row}."to"'), category=category
    )
    return f"{consents} AND NOT {blocked}"


def conditions_of(project: Any) -> tuple[list[UUID] | None, str]:
    """Returns the values of `may_send`: the topics and the category of a project."""
    return topics_of(project), project["category"]
