"""The reason for which a queued message waits, as both doors show it."""

from typing import Annotated

from pydantic import Field

from shapes.described import DescribedEnum
from shapes.shape import BesideRow, Shape, Timestamp


class WaitingCode(DescribedEnum):
    """The reason for which a queued message waits. Later versions may have further ones."""

    route = "route", "a route: the provider does not answer, or no route may be used"
    rate = (
        "rate",
        "a rate: the provider, the project, the tariff, a country's cap or a rule of receivers allows no more now",
    )
    window = "window", "the sending window of its project or recipient"
    money = "money", "the account: its balance is too low"
    account = "account", "a source account that is connected and answers"
    project = "project", "its project, which does not send now"
    retry = "retry", "the next attempt, since the last one failed"
    restored = "restored", "the operator, since the service was restored from a backup"
    scheduled = "scheduled", "its `sendAt`"
    owner = "owner", "its owner, who is suspended"
    answer = "answer", "the provider's answer about an attempt that it may have accepted"


class WaitingFor(Shape):
    """The reason for which a queued message waits."""

    code: Annotated[WaitingCode, Field(description="the reason, for programs")]
    reason: Annotated[str, Field(description="the reason, as a sentence")]
    until: Annotated[
        Timestamp | None,
        Field(
            description="when it is looked at again at the latest, as far as that is known; null: it is not"
        ),
    ] = None


WAITING_FOR = "why it waits; null unless it is queued, and while it waits for nothing but a worker"
Waiting = Annotated[WaitingFor | None, Field(description=WAITING_FOR), BesideRow()]
