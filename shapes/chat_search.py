"""Defines a hit of the search in chats by REST, and the bounds of a search. In GraphQL a hit is a MessengerMessage."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from shapes.chats import ChatMessage

LONGEST_TEXT = 200
MOST_WORDS = 8
MOST_ACCOUNTS = 100
"""Accounts that are searched at once. Who has more names one."""


class MessageHit(ChatMessage):
    """A message that a search returns, with its account and its chat."""

    account_id: Annotated[UUID, Field(description="id of the messenger account")]
    chat_id: Annotated[
        UUID | None, Field(description="id of the chat; null until the messenger has reported it")
    ]
