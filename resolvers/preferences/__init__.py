"""The page on which a person chooses what to get, behind a link in the messages to them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from core.errors import NotFound
from engine import unsubscribe as tokens
from engine.consent import changes
from engine.consent.changes import DesiredState, Proof
from engine.consent.topic_names import name_of
from engine.texts.recipient_links import PREFERENCES_KEY
from resolvers.brands.pages import answers_here, dress_page
from resolvers.preferences.model import Choice, PreferencesPage
from resolvers.signups import PAGES, visitor
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.consents import ConsentSource
from shapes.self_service import SelfService
from shapes.topic_subscriptions import SubscriptionState

_CONTACT = """
SELECT c.id, c.owner_id, COALESCE(c.locale, u.locale) AS locale, u.self_service,
  EXISTS (SELECT FROM contact_addresses WHERE contact_id = c.id AND channel IN ('email', 'sms')) AS is_reachable
FROM contacts AS c JOIN users AS u ON u.id = c.owner_id
WHERE c.id = COALESCE((SELECT contact_id FROM contact_merges WHERE id = $1), $1) AND u.status = 'active'
"""
# A topic that is not shown to everybody is shown to those who have to do with it.
_TOPICS = """
SELECT t.id, t.name, t.description, t.translations, COALESCE(
  (SELECT jsonb_object_agg(s.channel, s.state) FROM topic_subscriptions AS s
   WHERE s.topic_id = t.id AND s.contact_id = $1), '{}') AS states
FROM topics AS t WHERE t.owner_id = $2 AND (t.public OR EXISTS (
  SELECT FROM topic_subscriptions AS s WHERE s.topic_id = t.id AND s.contact_id = $1))
ORDER BY t.position, t.id
"""
_CHANNELS = "SELECT DISTINCT channel FROM contact_addresses WHERE contact_id = $1 ORDER BY channel"
_WISHED = (SubscriptionState.active, SubscriptionState.pending)
_LOCALE = "UPDATE contacts SET locale = $2, updated_at = now() WHERE id = $1 AND locale IS DISTINCT FROM $2"


@dataclass(frozen=True, slots=True)
class Selection:
    """The boxes that a person has seen and ticked, each a topic's id and a channel, and the person's language.

    `nothing`: the person wants no message at all, whatever the boxes say.
    """

    seen: Collection[tuple[str, str]]
    boxes: Collection[tuple[str, str]]
    locale: str | None
    nothing: bool


@operation(Permission.public, "read")
async def show(op: Op, token: str) -> PreferencesPage:
    """Returns an HTML page on which a person chooses what to get. Raises NotFound, RateLimited."""
    contact = await contact_of_token(op, token)
    dress = await dress_page(op, contact["owner_id"])
    return replace(await _page(op.db, contact), self_service=_offered(contact), token=token, dress=dress)


@operation(Permission.public, "outside")
async def save(op: Op, token: str, input: Selection) -> PreferencesPage:
    """Subscribes a person to what is chosen, and withdraws all else that the person saw.

    The person has the link from a message to one of their addresses, so nothing has to be confirmed. Raises NotFound,
    RateLimited.
    """
    contact = await contact_of_token(op, token)
    dress = await dress_page(op, contact["owner_id"])
    proof = Proof(ConsentSource.page, revives=True, ip=visitor.ip(op), user_agent=visitor.user_agent(op))
    async with op.db.transaction() as connection:
        if input.locale is not None:
            await connection.execute(_LOCALE, contact["id"], input.locale)
        desired = []
        page = await _page(connection, contact)
        for choice in page.choices:
            box = (str(choice.topic_id), choice.channel)
            if input.nothing or (box in input.seen and box not in input.boxes and choice.state in _WISHED):
                desired.append(_wish(contact, choice, SubscriptionState.withdrawn))
            elif box in input.boxes:
                desired.append(_wish(contact, choice, SubscriptionState.active))
        await changes.apply(connection, contact["owner_id"], desired, proof)
        if input.nothing:  # also on channels on which there is no address now
            await changes.withdraw(connection, contact["owner_id"], [contact["id"]], None, None, proof)
        saved = {**contact, "locale": input.locale or contact["locale"]}
        page = await _page(connection, saved, saved=True)
        return replace(page, self_service=_offered(contact), token=token, dress=dress)


def _offered(contact: Any) -> Sequence[SelfService]:
    """Returns the requests that the person may make: a link is sent, so there must be an address for it."""
    return [SelfService(each) for each in contact["self_service"]] if contact["is_reachable"] else []


def _wish(contact: Any, choice: Choice, state: SubscriptionState) -> DesiredState:
    return DesiredState(contact["id"], choice.topic_id, choice.channel, state)


async def _page(db: Any, contact: Any, *, saved: bool = False) -> PreferencesPage:
    channels = [row["channel"] for row in await db.fetch(_CHANNELS, contact["id"])]
    choices = [
        Choice(
            topic["id"],
            *name_of(topic, contact["locale"]),
            channel,
            topic["states"].get(channel),
        )
        for topic in await db.fetch(_TOPICS, contact["id"], contact["owner_id"])
        for channel in channels
    ]
    return PreferencesPage(contact["locale"], choices, saved)


async def contact_of_token(op: Op, token: str) -> Any:
    """Returns the contact that a token is of: id, owner_id, locale, self_service, is_reachable.

    Only tokens with a valid signature reach the database. Raises NotFound, RateLimited.
    """
    await op.services.limiter.enforce(PAGES, op.ctx.client_address, "requests to this page")
    id: UUID | None = tokens.read(op.services.keys(PREFERENCES_KEY), token)
    row = await op.db.fetchrow(_CONTACT, id) if id is not None else None
    if row is None or not await answers_here(op, row["owner_id"]):
        raise NotFound(
            "This link is invalid or has expired. Ask the sender to change what you get.",
            code="preferences_link_invalid",
        )
    return row
