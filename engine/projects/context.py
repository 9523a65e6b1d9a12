"""Reads in one statement the data of a project that a cycle needs."""

import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from cachetools import LRUCache

from core.errors import RateLimited, Unavailable
from db.session import Database
from engine import unsubscribe
from engine.clicks import links as click_links
from engine.rates.send_rate import Rate
from engine.sms.country_rules import RULES, Rules, rules_of
from engine.sms.price_books import MessagePrice, PriceBook, has_price, price_of
from engine.texts import plain_part, project_texts, recipient_links
from engine.texts.choices import Choice
from engine.windows import Window
from runtime.render_pool import TooComplex
from runtime.services import Services
from shapes.sending_projects import ProjectChannel

_PROJECT = f"""
SELECT p.id, p.owner_id, p.account_id, p.status, p.status_reason, p.recipients_pending, p.channel, p.category,
  p.content, p.audience, p.follows_uuid, p.series_id, p.window, p.speed, p.retry, p.account_uuids,
  p.stop_on_reply, p.repeatable_uuid, p.price_version_id, l.is_strict AS price_list_strict,
  a.currency, t.prices, t.channels, t.messages_per_day,
  (SELECT pl.at_most FROM project_plans AS pl WHERE pl.id = p.plan_id) AS at_most,
  t.messages_per_minute, u.status AS owner_status,
  a.owner_id = p.owner_id AS pays, {RULES.format(owner="p.owner_id")} AS country_rules
FROM sending_projects AS p
JOIN accounts AS a ON a.id = p.account_id
JOIN users AS u ON u.id = p.owner_id
JOIN tariffs AS t ON t.code = u.tariff_code
LEFT JOIN price_list_versions AS v ON v.id = p.price_version_id LEFT JOIN price_lists AS l ON l.id = v.list_id
WHERE p.id = $1
"""  # noqa: S608  our own expression
_CONTENT = "SELECT content FROM project_contents WHERE project_id = $1 AND number = $2"
_SENDERS = """
SELECT id, CASE WHEN source = $3 THEN messenger_account_uuid END AS account FROM source_accounts
WHERE id = ANY($1) AND owner_id = $2 AND status = 'connected' ORDER BY id
"""

ATTEMPTS = 3
BACKOFF = 60.0  # seconds before the second attempt; doubled before each further one
LONGEST = 3600.0
_CACHED = 256
_ENOUGH_SECONDS = 0.05  # seconds of processor time after which their mean is believed
_WINDOW = 200  # renderings of which the mean is taken
READ_MS, RENDERED_MS = 50.0, 1.0  # that a text may take in the worker itself


@dataclass(slots=True)
class ProjectContext:
    row: Any
    senders: list[UUID]
    accounts: dict[UUID, UUID]  # the messenger accounts behind them, of those that have one

    @property
    def id(self) -> UUID:
        return self.row["id"]  # type: ignore[no-any-return]

    @property
    def channel(self) -> str:
        return self.row["channel"]  # type: ignore[no-any-return]

    def price(self, to: str, book: PriceBook | None) -> MessagePrice | None:
        """Returns the price of one message or of one part of an SMS; None if there is none.

        `book`: the prices of the list that was pinned at the start.
        """
        return price_of(self.row, self.channel, to, book)

    def allowed(self, *, is_free: bool) -> bool:
        """Returns whether the owner's tariff, which may have changed since the start, has the channel and a price for
        it.
        """
        return allowed(self.row, is_free=is_free)

    @property
    def country_rules(self) -> Rules | None:
        """Returns the rules of countries; None if nothing is limited."""
        return rules_of(self.row["country_rules"]) if self.channel == ProjectChannel.sms else None

    @property
    def window(self) -> Window | None:
        return Window.of(self.row["window"])

    @property
    def attempts(self) -> int:
        return int(self.row["retry"].get("maxAttempts") or ATTEMPTS)

    def backoff(self, tries: int) -> timedelta:
        first = float(self.row["retry"].get("backoffSeconds") or BACKOFF)
        return timedelta(seconds=min(first * 2 ** max(tries - 1, 0), max(LONGEST, first)))

    @property
    def jitter(self) -> float:
        return float(self.row["speed"].get("jitterSeconds") or 0)

    @property
    def rates(self) -> list[Rate]:
        """Returns the rate of the project, and that of its owner across all projects."""
        rates = [Rate(f"user:{self.row['owner_id']}", self.row["messages_per_minute"])]
        if own := self.row["speed"].get("perMinute"):
            rates.append(Rate(f"project:{self.id}", own))
        if self.jitter:  # half of it on average from one to the next
            rates.append(Rate(f"jitter:{self.id}", 120 / self.jitter))
        return rates

    @property
    def limits(self) -> tuple[Any, ...]:
        """Returns all that determines how long this project waits for its rates."""
        return (*self.rates, self.row["speed"].get("perAccountPerMinute"))

    def sender_rates(self, sender: UUID) -> list[Rate]:
        own = self.row["speed"].get("perAccountPerMinute")
        return [Rate(f"sender:{sender}", own)] if own else []


def allowed(row: Any, *, is_free: bool) -> bool:
    """Returns whether the tariff allows the channel. `row`: channel, currency, the tariff's channels and prices, and
    the version of its price list. `is_free`: billing is off, so that a price is not needed.
    """
    return row["channel"] in row["channels"] and has_price(row, row["channel"], is_free=is_free)


async def load_context(db: Database, project: UUID) -> ProjectContext | None:
    row = await db.fetchrow(_PROJECT, project)
    if row is None:
        return None
    ids = row["account_uuids"]
    rows = await db.fetch(_SENDERS, ids, row["owner_id"], row["channel"]) if ids else []
    accounts = {sender["id"]: sender["account"] for sender in rows if sender["account"]}
    return ProjectContext(row, [sender["id"] for sender in rows], accounts)


@dataclass(slots=True)
class Content:
    """The content of a project's messages since one of its starts.

    A text that takes long is rendered by a render process, so that it does not delay the messages of
    others; `text` is None then.
    """

    raw: dict[str, Any]
    choice: Choice
    plain: bool  # no part of it is a program
    text: project_texts.Compiled | None
    attachments: list[UUID]
    template: dict[str, Any] | None  # of WhatsApp Cloud: name, language, params
    promotional: bool
    links: frozenset[str]  # the variables of recipients' own links that it names
    sender: str | None  # the From of emails, or the sender of SMS; None: the channel's own
    counts_clicks: bool  # on links of it
    rendered: int = 0  # times, in this process
    spent: float = 0.0  # seconds of processor time on these

    def silent(self, text: project_texts.Rendered, channel: str) -> bool:
        """Returns whether a message of this content would have nothing in it but white space."""
        if text.body.strip() or self.template is not None:
            return False
        if channel == ProjectChannel.email and text.html is not None and text.html.strip():
            return False
        return not self.attachments


class ContentCache:
    """Keeps the parsed contents of projects, each parsed once; a worker has the newest few hundred."""

    def __init__(self, services: Services) -> None:
        self._services, self._db, self._render_pool = services, services.db, services.render_pool
        self._cache: LRUCache[tuple[UUID, int], Content] = LRUCache(_CACHED)

    def measured(self, project: UUID, number: int) -> bool:
        """Returns whether it is known how long the text takes."""
        return (project, number) in self._cache

    async def of(self, project: UUID, owner: UUID, number: int) -> Content:
        """Returns the content, after its first use from memory. A text that can't be measured now counts as slow for
        now.
        """
        content = self._cache.get((project, number))
        if content is None:
            row = await self._db.fetchval(_CONTENT, project, number)
            plain, measured = False, True
            quick = False
            try:
                row = await self._with_text(owner, row)
            except (RateLimited, Unavailable):  # each message's text is made where it is rendered
                measured = False
            # Afterwards, so that the text part has the links as they were written.
            counted = await click_links.counted(self._services, project, owner, row)
            row = row if counted is None else counted
            if measured:
                plain = project_texts.is_plain(row)
                try:
                    quick = plain or await self._quick(owner, row)
                except (RateLimited, Unavailable):
                    measured = False
            content = Content(
                row,
                Choice(row),
                plain,
                project_texts.compiled(row) if quick else None,
                [UUID(id) for id in row.get("attachment_uuids") or ()],
                row.get("template"),
                unsubscribe.offered(row),
                recipient_links.variables_in(row),
                row.get("from_address") or row.get("sender"),
                counted is not None,
            )
            if not measured:
                return content
            self._cache[project, number] = content
        return content

    async def _with_text(self, owner: UUID, row: dict[str, Any]) -> dict[str, Any]:
        """Returns the content with a text part, made once for all its messages. Raises RateLimited, Unavailable."""
        if not plain_part.lacks_text(row):
            return row
        try:
            made: dict[str, Any] = await self._render_pool.run(owner, "with_text", {"content": row})
        except TooComplex:
            return row
        return made

    async def _quick(self, owner: UUID, row: Any) -> bool:
        """Returns whether it may be parsed and rendered in this process. Raises RateLimited, Unavailable."""
        try:
            took = await self._render_pool.run(owner, "measure", {"content": row})
        except TooComplex:
            return False
        return bool(took["read"] < READ_MS and took["rendered"] < RENDERED_MS)

    def _count(self, content: Content, took: float) -> None:
        """Decides whether the text goes on being rendered in this process."""
        if content.rendered == _WINDOW:
            content.rendered, content.spent = 0, 0.0
        content.rendered += 1
        content.spent += took
        # The clock of the processor's time may move by 10 ms at once: one quick rendering says little.
        mean = content.spent / content.rendered * 1000
        if not content.plain and (
            took > _ENOUGH_SECONDS or (content.spent > _ENOUGH_SECONDS and mean > RENDERED_MS)
        ):
            content.text = None  # from now on in another process

    async def render(
        self, content: Content, owner: UUID, variant: int | None, variables: dict[str, Any]
    ) -> project_texts.Rendered:
        """Renders one message. Raises MissingVariable, TextError, RateLimited, Unavailable."""
        if content.text is not None:
            begun = time.thread_time()  # of the processor: a busy machine makes no text slow
            try:
                return content.text.render(variant, variables)
            finally:
                self._count(content, time.thread_time() - begun)
        arguments = {"content": content.raw, "variant": variant, "variables": variables}
        try:
            rendered = await self._render_pool.run(owner, "render", arguments)
        except TooComplex:
            raise project_texts.TextError(
                "This text takes too long to render. Simplify it.", limit=True
            ) from None
        if "missing" in rendered:
            raise project_texts.MissingVariable(rendered["missing"])
        if "bad" in rendered:
            raise project_texts.TextError(rendered["bad"], limit=rendered["limit"])
        return project_texts.Rendered(
            rendered["subject"], rendered["body"], rendered["html"], tuple(rendered["params"])
        )
