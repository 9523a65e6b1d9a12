"""The links in promotional texts that are a recipient's own: to unsubscribe, to choose what to get, and to the copy of
the email on the web.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final
from uuid import UUID

from engine import unsubscribe
from engine.texts import web_copies
from runtime import links
from runtime.services import Services

PREFERENCES_KEY: Final = "preferences"
"""The purpose of the key that signs links to pages of preferences."""

PREFERENCES: Final = "preferences_url"
"""The variable of the link to the contact's page of preferences. For recipients who are no contacts it is the link to
unsubscribe.
"""

VARIABLES: Final = (unsubscribe.VARIABLE, PREFERENCES, web_copies.VARIABLE)

HIDDEN: Final[Mapping[str, str]] = {
    unsubscribe.VARIABLE: unsubscribe.EXAMPLE,
    PREFERENCES: "https://example.com/preferences/…",
    web_copies.VARIABLE: "https://example.com/web-copy/…",
}
"""Histories show these instead of links, whose readers must not be able to use them."""


def variables_in(content: Mapping[str, Any]) -> frozenset[str]:
    """Returns the variables of links that a content names; none if its recipients can't unsubscribe."""
    if not unsubscribe.offered(content):
        return frozenset()
    text = str(content)
    return frozenset(name for name in VARIABLES if name in text)


def of(
    services: Services,
    names: Collection[str],
    message_id: UUID,
    contact_id: UUID | None,
    base: str | None = None,
) -> dict[str, str]:
    """Returns the links of a message to a recipient. They do not expire. `base` is the address of the owner's links
    (`link_domains.base_of`).
    """
    values = {}
    if unsubscribe.VARIABLE in names or (PREFERENCES in names and contact_id is None):
        stop = unsubscribe.url(services.settings, services.key("unsubscribe"), message_id, base)
        values = dict.fromkeys((unsubscribe.VARIABLE, PREFERENCES), stop)
    if PREFERENCES in names and contact_id is not None:
        token = unsubscribe.token(services.key(PREFERENCES_KEY), contact_id)
        values[PREFERENCES] = f"{base or links.base(services.settings)}/preferences/{token}"
    if web_copies.VARIABLE in names:
        values[web_copies.VARIABLE] = web_copies.url(
            services.settings, services.key(web_copies.KEY), message_id, base
        )
    return values


def examples(services: Services, owner_id: UUID, base: str | None = None) -> dict[str, str]:
    """Returns links to pages that say that they belong to a preview or trial of this owner, and do nothing. `base` is
    the address of the owner's links (`link_domains.base_of`).
    """
    stop = unsubscribe.trial_url(services.settings, services.key("unsubscribe"), owner_id, base)
    return dict.fromkeys(VARIABLES, stop)
