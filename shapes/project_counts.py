"""Counts the messages of a Sending Project by state."""

from typing import Annotated

from pydantic import Field

from shapes.shape import Shape


class ProjectCounts(Shape):
    """Number of messages in each state. Each message is counted in exactly one of them; messages that were replied to,
    came back or were reported as spam are also counted as such.
    """

    total: Annotated[int, Field(description="all messages")] = 0
    queued: Annotated[int, Field(description="waiting to be sent")] = 0
    sending: Annotated[int, Field(description="being sent by a worker")] = 0
    sent: Annotated[int, Field(description="accepted by the provider")] = 0
    delivered: Annotated[int, Field(description="delivered to the recipient")] = 0
    read: Annotated[int, Field(description="read by the recipient")] = 0
    failed: Annotated[int, Field(description="not delivered, for certain")] = 0
    skipped: Annotated[int, Field(description="not sent: blocked, invalid, or a variable is missing")] = 0
    unknown: Annotated[int, Field(description="sent, but the provider did not confirm it")] = 0
    canceled: Annotated[int, Field(description="not sent, because the project was deleted")] = 0
    replied: Annotated[int, Field(description="answered by the recipient, in any of the states")] = 0
    bounced: Annotated[
        int,
        Field(description="emails that came back, in any of the states: most of them are `failed`"),
    ] = 0
    complained: Annotated[
        int, Field(description="emails that the recipient reported as spam, in any of the states")
    ] = 0
