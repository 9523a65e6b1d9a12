"""The messages of a batch before they are sent: their recipients, their texts, and their form for a channel."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from channels.port import Attachment, Outgoing
from channels.sms_text import segments
from core.errors import NotFound, RateLimited, Unavailable
from engine import unsubscribe
from engine.domains.senders import senders_of
from engine.mail_reports import reference
from engine.projects import contact_audience
from engine.projects.concurrency import ProjectRoutes
from engine.projects.context import Content, ContentCache, ProjectContext
from engine.projects.items import Item, NotHandedOver, PreparedBatch, SkipMessage
from engine.sms import approved_senders, country_rules
from engine.sms.price_books import MessagePrice, price_books
from engine.sms.senders import CODE, NotApproved, choose
from engine.texts import bodies, project_texts, recipient_links, run_clock
from engine.windows import BadZone, zone_of
from runtime.services import Services
from shapes.sending_projects import ProjectChannel

ATTACHED_BYTES = 25 * 1024 * 1024
REFUSED_SECONDS = 0.5
"""Seconds until a text is rendered that no process had room for."""

_BREATH = 0.005  # seconds of rendering after which others of this process have their turn
_RENDERING = 0.5  # seconds of rendering after which the ready messages are sent first

_ATTACHMENTS = """
SELECT id, name, mime FROM files WHERE id = ANY($1) AND owner_id = $2 ORDER BY array_position($1, id)
"""
_NOTHING: dict[str, str] = {}
_FREE = Decimal(0)
_UNPRICED = MessagePrice(_FREE)
_CODES: dict[type[Exception], str] = {
    BadZone: "bad_timezone", project_texts.MissingVariable: "missing_variable", project_texts.TextError: "bad_text",
    NotApproved: CODE,
}  # fmt: skip
_SKIPPED = (
    SkipMessage, BadZone, project_texts.MissingVariable, project_texts.TextError, NotApproved,
)  # fmt: skip


class Preparation:
    """Prepares the messages of projects in this worker."""

    def __init__(self, services: Services, cache: ContentCache, routes: ProjectRoutes) -> None:
        self._services, self._cache, self._routes = services, cache, routes

    async def sort(self, project: ProjectContext, rows: Sequence[Any]) -> PreparedBatch:
        """Renders the messages that may be sent now. The others are skipped, wait for their window, or are left for
        later.
        """
        chosen = PreparedBatch()
        window, now, channel = project.window, self._services.db.now(), project.channel
        number = project.row["content"]
        try:
            book = await price_books(self._services).of(project.row["price_version_id"], channel)
        except Unavailable:  # the database is slow; all of it waits
            chosen.all = False
            await asyncio.sleep(REFUSED_SECONDS)
            return chosen
        own_price = project.price("", None)  # the tariff's, for every number
        owner = project.row["owner_id"]
        current = await self._cache.of(project.id, owner, number)
        routes, rules = self._services.routes, project.country_rules
        # A message that may have been sent is asked for again by the route that it took, which depends on its sender.
        ways = {
            sender: {routes.label(route) for route in self._routes.of(project, sender)}
            for sender in (None, *project.accounts)
        }
        is_sms = channel == ProjectChannel.sms
        from_address = None if is_sms else current.sender
        approved = (await senders_of(self._services).load([(owner, from_address)])).approved(
            owner, from_address
        )
        asked = {owner} if is_sms and current.sender is not None else set()
        sms_senders = (await approved_senders.read(self._services.db, asked)).get(owner, ())
        without_letters = approved_senders.countries_without_letters(self._services)
        begun = breath = time.monotonic()
        for row in rows:
            if (at := time.monotonic()) - breath > _BREATH:
                if at - begun > _RENDERING and (chosen.ready or chosen.skipped):
                    chosen.all = False
                    break
                await asyncio.sleep(0)
                breath = time.monotonic()
            id, to = row["id"], row["to"]
            # A message that is asked for again under its old key must have its old text.
            again = row["handed_at"] is not None and row["content"] is not None
            content = await self._cache.of(project.id, owner, row["content"]) if again else current
            variant = row["variant"] if again else content.pick(id)
            try:
                if row["blocked"] is not None:
                    raise SkipMessage("blocked", f"The address is blocked ({row['blocked']}).")
                if not row["subscribed"]:
                    raise SkipMessage(contact_audience.CODE, contact_audience.REASON)
                if again and row["provider"] not in ways.get(row["account_uuid"], ways[None]):
                    raise SkipMessage(
                        "route_gone",
                        (
                            "The provider that may have this message is no longer configured, "
                            "and only that provider can"
                            " tell. Ask the operator to configure it, then retry with unknown."
                        ),
                    )
                if rules is not None and not again:
                    of_number = country_rules.country(to)
                    if (refusal := rules.refusal(of_number)) is not None:
                        raise SkipMessage(country_rules.CODE, country_rules.refused(of_number, refusal))
                if not (again or approved):
                    raise SkipMessage(
                        CODE,
                        "The domain of the sender is not verified any more. Verify it, then retry with this code.",
                    )
                price = own_price if book is None else project.price(to, book)
                if price is None and not again:
                    raise SkipMessage("no_price", "The price list has no price for this number.")
                sender = row["sender"] if again else None
                if asked and not again:
                    sender = choose(to, current.sender, sms_senders, without_letters).value
                if window is not None and (opens_at := window.opens_at(now, self._zone(row))) is not None:
                    chosen.closed.setdefault(opens_at, []).append(id)
                    continue
                variables = run_clock.of(content.raw, to, row["timezone"])
                variables |= bodies.variables(channel, to, row["name"], row["variables"])
                if content.links:
                    variables |= recipient_links.of(self._services, content.links, id, row["contact_id"])
                if content.plain and content.text is not None:
                    text = content.text.render(variant, variables)
                else:
                    text = await self._cache.render(content, owner, variant, variables)
                if not again and content.silent(text, channel):
                    raise SkipMessage("empty_text", "The rendered text is empty for this recipient.")
            except (RateLimited, Unavailable):  # no process can render it just now; the rest waits
                chosen.all = False
                await asyncio.sleep(REFUSED_SECONDS)
                break
            except _SKIPPED as error:
                code = error.code if isinstance(error, SkipMessage) else _CODES.get(type(error), "bad_text")
                # A message that may have arrived is not called skipped.
                chosen.skipped.append(NotHandedOver(id, "unknown" if again else "skipped", code, str(error)))
                continue
            amount, prefix, version = price or _UNPRICED
            if amount and channel == "sms":
                amount *= segments(text.body)
            paid = row["price"] if again else _FREE
            if paid:
                amount, prefix, version = paid, row["price_prefix"], row["price_version_id"]
            chosen.ready.append(
                Item(
                    id, row, row["content"] if again else number, variant, text, amount, paid,
                    row["attempts"], row["tries"], again, prefix, version, sms_sender=sender,
                )
            )  # fmt: skip
        return chosen

    def _zone(self, row: Any) -> str | None:
        if row["timezone"]:
            return str(row["timezone"])
        return zone_of(row["to"]) if row["to"].startswith("+") else None

    async def address(
        self, project: ProjectContext, items: list[Item], attachments: dict[int, list[Attachment]]
    ) -> None:
        content_of = {
            number: await self._cache.of(project.id, project.row["owner_id"], number)
            for number in attachments
        }
        # A recipient who unsubscribes still gets transactional mails: they don't offer it.
        email, owner = project.channel == "email", project.row["owner_id"]
        key, reference_key = self._services.key("unsubscribe"), self._services.key(reference.KEY)
        feedback_id = reference.feedback_id(project.row["owner_id"], project.id)
        senders = None
        if email:
            addresses = {content.sender for content in content_of.values()}
            senders = await senders_of(self._services).load((owner, address) for address in addresses)
        for item in items:
            item.outgoing = Outgoing(
                id=item.id,
                key=f"{item.id}.{item.attempts}",
                to=item.row["to"],
                body=item.text.body,
                subject=item.text.subject,
                html=item.text.html,
                metadata=self._metadata(project, item, content_of[item.content], attachments[item.content]),
                headers=unsubscribe.headers(self._services.settings, key, item.id)
                if email and content_of[item.content].promotional
                else _NOTHING,
                attachments=attachments[item.content],
                reference=partial(reference.of_message, reference_key, item.id, feedback_id)
                if email
                else None,
                sender=content_of[item.content].sender if email else item.sms_sender,
                signers=senders.signers(owner, content_of[item.content].sender) if senders else None,
            )

    def _metadata(
        self, project: ProjectContext, item: Item, content: Content, attachments: Sequence[Attachment]
    ) -> Mapping[str, Any]:
        """Returns the data that a messenger's driver needs beside the text: the sender, and a template with its
        values.
        """
        metadata: dict[str, Any] = {}
        if item.sender is not None:
            metadata["sender"] = str(item.sender)
            if account := project.accounts.get(item.sender):
                metadata["messenger_account"] = str(account)
                if item.uncertain:
                    metadata["handed_at"] = item.row["handed_at"]
                metadata["files"] = [
                    {"id": str(id), "mime": file.mime, "name": file.name}
                    for id, file in zip(dict.fromkeys(content.attachments), attachments, strict=True)
                ]
        if content.template is not None:
            metadata["template"] = {**content.template, "params": list(item.text.params)}
        return metadata or _NOTHING

    async def attachments(self, project: ProjectContext, number: int) -> list[Attachment]:
        """Reads the attachments of a content. Raises NotFound, TooLarge, Unavailable."""
        content = await self._cache.of(project.id, project.row["owner_id"], number)
        if not content.attachments:
            return []
        rows = await self._services.db.fetch(_ATTACHMENTS, content.attachments, project.row["owner_id"])
        if len(rows) < len(set(content.attachments)):
            raise NotFound(
                "An attachment of this project was deleted. Remove it from the project, or attach another file.",
                code="file_not_found",
            )
        return [
            Attachment(row["name"], row["mime"], await self._services.files.read(row["id"], ATTACHED_BYTES))
            for row in rows
        ]
