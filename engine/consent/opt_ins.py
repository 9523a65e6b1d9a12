"""Asks contacts to confirm subscriptions: one message for all topics that a request names, with a link to a page.

Opening the page changes nothing, since programs that look for malware open every link; its button confirms. A contact
that does not answer is reminded once, and then deleted. A request has the id of its message.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg

from core.errors import BadRequest, Conflict
from core.http.dress import Dress
from core.ids import uuid7
from engine.brands import letters
from engine.brands.dressing import dress_of
from engine.consent.opt_in_texts import OptInTexts, texts_of
from engine.consent.topic_names import name_of
from engine.direct.new_messages import NewMessage
from engine.direct.service_messages import send_for_owner
from engine.direct.withheld_links import OPT_IN
from runtime import link_domains
from runtime.services import Services
from shapes.addresses import address_key
from shapes.messages import MessageCategory
from shapes.sending_projects import ProjectChannel

VALID = timedelta(days=7)
"""A link can be used for so long."""

ASKING = (ProjectChannel.email, ProjectChannel.sms)
"""The channels whose messages can ask: a link in a push message or in a chat opens in a program of its own."""

_CONTACTS = """
SELECT c.id, a.address, COALESCE(c.locale, u.locale) AS locale FROM contacts AS c
JOIN users AS u ON u.id = c.owner_id
CROSS JOIN LATERAL (
  SELECT address FROM contact_addresses WHERE contact_id = c.id AND channel = $2
    AND ($3::text IS NULL OR COALESCE(address_key, address) = $3)
  ORDER BY "primary" DESC, id LIMIT 1
) AS a WHERE c.id = ANY($1) ORDER BY c.id
"""
_TEXT = "SELECT text FROM consent_texts WHERE id = $1"
_TOPICS = "SELECT id, name, description, translations FROM topics WHERE id = ANY($1) ORDER BY position, id"
# The token of a link has the id of its message: that of the request, or of the reminder.
_REMINDED = "UPDATE opt_ins SET reminder_id = $2 WHERE id = $1"
_ADD = """
INSERT INTO opt_ins (id, owner_id, contact_id, new_contact, channel, address, topic_ids, text_id, from_address)
SELECT n.id, $1, n.contact_id, $2, $3, n.address, n.topic_ids::uuid[], $4, $5
FROM unnest($6::uuid[], $7::uuid[], $8::text[], $9::text[]) AS n (id, contact_id, address, topic_ids)
"""


@dataclass(frozen=True, slots=True)
class OptInDress:
    """The dress of the messages of an owner, and the text that the person has agreed to."""

    dress: Dress
    agreed: str | None


@dataclass(frozen=True, slots=True)
class OptInRequest:
    """The circumstances of a request: the text that was seen, the sender and the address of the message."""

    text_id: UUID | None = None
    from_address: str | None = None
    address_key: str | None = None  # of the contact's address that is asked; None: its first choice
    new_contact: bool = False  # the request has added the contact, which is forgotten with it


async def ask_to_confirm(
    services: Services,
    connection: asyncpg.Connection,
    owner_id: UUID,
    channel: ProjectChannel,
    pending: Mapping[UUID, Sequence[UUID]],
    request: OptInRequest,
) -> Collection[UUID]:
    """Queues a message to each contact of `pending` about its topics, in the caller's transaction.

    The owner's oldest account pays for them. Returns the contacts that are blocked, to whom nothing was sent. Raises
    BadRequest (`evidence_needed`, `no_price`), Conflict (`public_url_missing`), NotFound (`no_account`), Forbidden,
    PaymentRequired.
    """
    if not pending:
        return ()
    if channel not in ASKING:
        raise BadRequest(
            f"Nobody can be asked by {channel} to confirm a subscription. Send `evidence` of the consent.",
            code="evidence_needed",
        )
    if services.settings.public_url is None and services.routes.real(channel):
        raise Conflict(
            "The message that asks for a confirmation has a link, and the public address of this service is not"
            " configured. Ask the operator to set POSTERN_PUBLIC_URL.",
            code="public_url_missing",
        )
    contacts = await connection.fetch(_CONTACTS, [*pending], channel.value, request.address_key)
    topics = await connection.fetch(_TOPICS, [*{id for ids in pending.values() for id in ids}])
    dress = await dress_of_request(services, connection, owner_id, channel, request.text_id)
    base = await link_domains.base_of(services, owner_id)
    messages = [
        message(
            services,
            channel,
            person,
            [topic for topic in topics if topic["id"] in pending[person["id"]]],
            request.from_address,
            dress,
            base,
        )
        for person in contacts
    ]
    sent = await send_for_owner(services, connection, owner_id, messages)
    await connection.execute(
        _ADD,
        owner_id,
        request.new_contact,
        channel.value,
        request.text_id,
        request.from_address,
        [message_id or uuid7() for message_id in sent],
        [person["id"] for person in contacts],
        [person["address"] for person in contacts],
        ["{" + ",".join(map(str, pending[person["id"]])) + "}" for person in contacts],
    )
    return [person["id"] for person, message_id in zip(contacts, sent, strict=True) if message_id is None]


async def remind(services: Services, connection: asyncpg.Connection, row: Any) -> None:
    """Queues the message of an earlier request again. `row`: id, owner_id, contact_id, channel, address, text_id,
    from_address and the topics that are left.

    Raises as `ask_to_confirm` does.
    """
    channel = ProjectChannel(row["channel"])
    contacts = await connection.fetch(
        _CONTACTS, [row["contact_id"]], channel.value, address_key(row["address"])
    )
    topics = await connection.fetch(_TOPICS, row["topics"])
    dress = await dress_of_request(services, connection, row["owner_id"], channel, row["text_id"])
    base = await link_domains.base_of(services, row["owner_id"])
    again = [
        message(services, channel, person, topics, row["from_address"], dress, base) for person in contacts
    ]
    for message_id in await send_for_owner(services, connection, row["owner_id"], again):
        await connection.execute(_REMINDED, row["id"], message_id)


async def dress_of_request(
    services: Services, connection: Any, owner_id: UUID, channel: ProjectChannel, text_id: UUID | None
) -> OptInDress | None:
    """Returns the dress of the emails about a request; None if the owner has no brand, or the channel shows none."""
    dress = None
    if channel is ProjectChannel.email:
        dress = await dress_of(services, connection, owner_id)
    if dress is None:
        return None
    return OptInDress(dress, await connection.fetchval(_TEXT, text_id) if text_id is not None else None)


def message(
    services: Services,
    channel: ProjectChannel,
    person: Any,
    topics: Sequence[Any],
    from_address: str | None,
    dress: OptInDress | None = None,
    base: str | None = None,
) -> NewMessage:
    """Returns the message of an opt-in to a person (`address`, `locale`) about topics; its link, under the address
    `base` of the owner's links, is put in later.
    """
    texts = texts_of(person["locale"])
    link = OPT_IN.example(services.settings, base)
    metadata: dict[str, Any] = {OPT_IN.metadata_key: True}
    body = texts.sms.format(link=link)
    if channel is ProjectChannel.email:
        names = [name_of(topic, person["locale"])[0] for topic in topics]
        bullets = "\n".join(f"- {name}" for name in names)
        agreed = "" if dress is None or dress.agreed is None else f"{texts.agreed}\n\n{dress.agreed}\n\n"
        body = f"{texts.ask}\n\n{bullets}\n\n{link}\n\n{agreed}{texts.ignore}\n"
        metadata["subject"] = texts.subject
        if dress is not None:
            body += letters.footer_text(dress.dress, texts.language)
            metadata |= _in_dress(dress, texts, names, link)
    return NewMessage(
        channel.value,
        person["address"],
        body,
        metadata,
        category=MessageCategory.transactional,
        from_address=from_address,
    )


def _in_dress(dressed: OptInDress, texts: OptInTexts, names: Sequence[str], link: str) -> Mapping[str, Any]:
    """Returns the metadata with an HTML part: what the text part has, in the owner's dress."""
    dress = dressed.dress
    agreed = (
        []
        if dressed.agreed is None
        else [letters.paragraph(dress, texts.agreed), letters.quote(dress, dressed.agreed)]
    )
    return letters.metadata(
        dress,
        texts.language,
        texts.subject,
        letters.paragraph(dress, texts.ask),
        letters.bullets(dress, names),
        letters.button(dress, texts.button, link),
        *agreed,
        letters.paragraph(dress, texts.ignore),
    )
