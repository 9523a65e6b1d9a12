"""The parts of the page of preferences."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from core.http.dress import Dress
from shapes.self_service import SelfService
from shapes.topic_subscriptions import SubscriptionState


@dataclass(frozen=True, slots=True)
class Choice:
    """A topic on one channel of the person's, and whether the person gets its messages."""

    topic_id: UUID
    name: str
    description: str | None
    channel: str
    state: str | None  # None: there never was a subscription

    @property
    def subscribed(self) -> bool:
        return self.state == SubscriptionState.active


@dataclass(frozen=True, slots=True)
class PreferencesPage:
    """The parts of the page."""

    locale: str | None
    choices: Sequence[Choice]
    saved: bool  # it answers a form
    self_service: Sequence[SelfService] = ()  # requests that the person may make
    token: str = ""  # of the page's own link
    dress: Dress | None = None  # of the owner
