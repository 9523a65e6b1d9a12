"""The address of the copy of an email on the web, for recipients whose program does not show it well."""

import re
from typing import Final
from uuid import UUID

from core.settings import Settings
from engine import unsubscribe
from runtime import links

KEY: Final = "web-copies"
"""The purpose of the key that signs the addresses."""

VARIABLE: Final = "web_copy_url"
"""The texts of promotional projects, and of promotional direct emails, have this variable."""

_PLACEHOLDER = re.compile(rf"\{{\{{-?[ \t]*{VARIABLE}[ \t]*-?\}}\}}")


def url(settings: Settings, key: bytes, message_id: UUID, base: str | None = None) -> str:
    """Returns the address of a message's copy; `key` is `services.key(KEY)`, and `base` the address of the owner's
    links (`link_domains.base_of`).
    """
    return f"{base or links.base(settings)}/web-copy/{unsubscribe.token(key, message_id)}"


def with_link(text: str, link: str) -> str:
    """Returns the text of a promotional direct email with its link in place of `{{ web_copy_url }}`."""
    return _PLACEHOLDER.sub(lambda _: link, text)
