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
from engine.clicks import links as click_links
from engine.domains.senders import senders_of
from engine.mail_reports import reference
from engine.projects.concurrency import ProjectRoutes
from engine.projects.contact_audience import topics_of
from engine.projects.context import Content, ContentCache, ProjectContext
from engine.projects.gates import Candidate, Defer, Skip, Wait, gate_context
from engine.projects.items import Item, NotHandedOver, PreparedBatch
from engine.sms.price_books import MessagePrice, price_books
from engine.texts import bodies, project_texts, recipient_links, run_clock
from runtime import link_domains
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
_EMPTY = Skip("empty_text", "The rendered text is empty for this recipient.")


def _item(
    message: Candidate, content: int, variant: int | None, text: project_texts.Rendered, channel: str
) -> Item:
    row = message.row
    amount, prefix, version = message.price or _UNPRICED
    paid = row["price"] if message.again else _FREE
    parts = segments(text.body) if channel == ProjectChannel.sms and (amount or paid) else None
    amount *= parts or 1
    if paid:
        amount, prefix, version = paid, row["price_prefix"], row["price_version_id"]
    return Item(
        row["id"], row, content, variant, text, amount, paid, row["attempts"], row["tries"], message.again,
        prefix, version, parts, sms_sender=message.sender,
    )  # fmt: skip


class Preparation:
    """Prepares the messages of projects in this worker."""

    def __init__(self, services: Services, cache: ContentCache, routes: ProjectRoutes) -> None:
        self._services, self._cache, self._routes = services, cache, routes
        self._click_key = services.key(click_links.MESSAGE_KEY)

    async def sort(self, project: ProjectContext, rows: Sequence[Any]) -> PreparedBatch:
        """Renders the messages that may be sent now. The others are skipped, wait for their window, or are left for
        later.
        """
        chosen, owner, number = PreparedBatch(), project.row["owner_id"], project.row["content"]
        try:
            book = await price_books(self._services).of(project.row["price_version_id"], project.channel)
        except Unavailable:  # the database is slow; all of it waits
            return await self._later(chosen)
        current = await self._cache.of(project.id, owner, number)
        context = await gate_context(self._services, self._routes, project, current, book, rows)
        channel = project.channel
        base = await link_domains.base_of(self._services, owner)
        begun = breath = time.monotonic()
        for row in rows:
            if (at := time.monotonic()) - breath > _BREATH:
                if at - begun > _RENDERING and (chosen.ready or chosen.skipped):
                    chosen.all = False
                    break
                await asyncio.sleep(0)
                breath = time.monotonic()
            # A message that is asked for again under its old key must have its old text.
            again = row["handed_at"] is not None and row["content"] is not None
            message = context.candidate(row, again=again)
            verdict = context.decide(message)
            if verdict is None:
                content = await self._cache.of(project.id, owner, row["content"]) if again else current
                variables = self._variables(content, channel, row, base)
                variant = row["variant"] if again else content.choice.pick(row["id"], variables)
                try:
                    if content.plain and content.text is not None:
                        text = content.text.render(variant, variables)
                    else:
                        text = await self._cache.render(content, owner, variant, variables)
                except (RateLimited, Unavailable):  # no process can render it just now; the rest waits
                    return await self._later(chosen)
                except project_texts.MissingVariable as error:
                    verdict = Skip("missing_variable", str(error))
                except project_texts.TextError as error:
                    verdict = Skip("bad_text", str(error))
                else:
                    if again or not content.silent(text, channel):
                        of_content = row["content"] if again else number
                        chosen.ready.append(_item(message, of_content, variant, text, channel))
                        continue
                    verdict = _EMPTY
            if isinstance(verdict, Wait):
                chosen.closed.setdefault(verdict.until, []).append(row["id"])
                continue
            if isinstance(verdict, Defer):
                put_off = NotHandedOver(row["id"], "queued", verdict.code, verdict.reason)
                chosen.limited.append((verdict.seconds, put_off))
                continue
            # A message that may have arrived is not called skipped.
            status = "unknown" if again else "skipped"
            chosen.skipped.append(NotHandedOver(row["id"], status, verdict.code, verdict.reason))
        return chosen

    async def _later(self, chosen: PreparedBatch) -> PreparedBatch:
        chosen.all = False
        await asyncio.sleep(REFUSED_SECONDS)
        return chosen

    def _variables(self, content: Content, channel: str, row: Any, base: str) -> dict[str, Any]:
        variables = run_clock.of(content.raw, row["to"], row["timezone"])
        variables |= bodies.variables(channel, row["to"], row["name"], row["variables"])
        if content.links:
            variables |= recipient_links.of(self._services, content.links, row["id"], row["contact_id"], base)
        if content.counts_clicks:
            variables[click_links.VARIABLE] = click_links.url(base, self._click_key, row["id"])
        return variables

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
        senders = base = None
        if email:
            base = await link_domains.base_of(self._services, owner)
            addresses = {content.sender for content in content_of.values()}
            senders = await senders_of(self._services).load((owner, address) for address in addresses)
        topics, repeatable = topics_of(project.row), project.row["repeatable_uuid"]
        list_name = unsubscribe.list_name(owner, project.id, topics=topics, repeatable=repeatable)
        for item in items:
            item.outgoing = Outgoing(
                id=item.id,
                key=f"{item.id}.{item.attempts}",
                to=item.row["to"],
                body=item.text.body,
                subject=item.text.subject,
                html=item.text.html,
                metadata=self._metadata(project, item, content_of[item.content], attachments[item.content]),
                headers=unsubscribe.headers(
                    self._services.settings, key, item.id, list_name, content_of[item.content].sender, base
                )
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

    async def sender_of(self, project: ProjectContext, number: int) -> str | None:
        """Returns the From of a content; None: the channel's own."""
        return (await self._cache.of(project.id, project.row["owner_id"], number)).sender

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
