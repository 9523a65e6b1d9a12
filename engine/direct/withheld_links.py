"""Links that are for the recipient of a message alone: they confirm a subscription, or erase a person.

A message with such a link is stored with an example of it, since any user who may read messages could use the link
otherwise. The token of the link is made of the message's id when the message is handed over, so the purpose of the link
is stored with that id. The address before the token stays the one with which the message was queued and priced.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from core.settings import Settings
from engine import unsubscribe
from runtime import links


@dataclass(frozen=True, slots=True)
class WithheldLink:
    """A kind of such links."""

    purpose: str  # of the key that signs them
    path: str
    metadata_key: str  # the metadata of a message with one have this key

    def url(self, settings: Settings, key: bytes, message_id: UUID) -> str:
        """Returns the link of a message."""
        return f"{links.base(settings)}/{self.path}/{unsubscribe.token(key, message_id)}"

    def example(self, settings: Settings, base: str | None = None) -> str:
        """Returns the example that the stored text of a message has instead of its link, with the same length; `base`
        is the address of the owner's links.
        """
        return f"{base or links.base(settings)}{self.example_path}"

    @property
    def example_path(self) -> str:
        """Returns the end of the example, in place of which `with_links` puts that of the link."""
        return f"/{self.path}/{unsubscribe.EXAMPLE_TOKEN}"


OPT_IN: Final = WithheldLink("opt-ins", "opt-in", "optIn")
YOUR_DATA: Final = WithheldLink("self-service", "your-data", "selfService")
EVERY: Final = (OPT_IN, YOUR_DATA)


def with_links(keys: Mapping[str, bytes], row: Any) -> tuple[str, str | None]:
    """Returns the text of a message (`id`, `body`, `metadata`) as it is handed over, and its HTML part: None, if that
    is as it is stored, or if there is none. `keys` are by their purpose.
    """
    body, html = row["body"], None
    for link in EVERY:
        if row["metadata"].get(link.metadata_key):
            example = link.example_path
            path = f"/{link.path}/{unsubscribe.token(keys[link.purpose], row['id'])}"
            body = body.replace(example, path)
            part = html or row["metadata"].get("html")
            if isinstance(part, str):  # in the metadata of other channels it may be anything
                html = part.replace(example, path)
    return body, html
