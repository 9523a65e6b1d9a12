"""How many messages of a Sending Project are in which state."""

from typing import Annotated

from pydantic import Field

from schema.types.shape import Shape


class ProjectCounts(Shape):
    """Messages by state; each is in exactly one of them, those that were answered apart."""

    total: Annotated[int, Field(description="all of them")] = 0
    queued: Annotated[int, Field(description="waiting")] = 0
    sending: Annotated[int, Field(description="in a worker's hands")] = 0
    sent: Annotated[int, Field(description="taken by the provider")] = 0
    delivered: Annotated[int, Field(description="arrived")] = 0
    read: Annotated[int, Field(description="read")] = 0
    failed: Annotated[int, Field(description="surely not delivered")] = 0
    skipped: Annotated[int, Field(description="never tried: blocked, invalid, a variable missing")] = 0
    unknown: Annotated[int, Field(description="handed over, and no answer came")] = 0
    canceled: Annotated[int, Field(description="the project was deleted before")] = 0
    replied: Annotated[int, Field(description="answered, in whatever state")] = 0
