"""The gates that a message of a project passes before its text is made. A feature adds a gate.

A gate says of a message: skip it, let it wait, or nothing. The first that says something decides, so they stand in
the order in which their reasons are told: what the person wants, what may have been sent already, what rules forbid,
what it costs, and at last the time and the provider of the mailbox.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias
from uuid import UUID

from engine.domains.senders import senders_of
from engine.projects import contact_audience, follow_states, follow_ups, series_gate
from engine.projects.concurrency import ProjectRoutes
from engine.projects.context import Content, ProjectContext
from engine.receivers import admission
from engine.receivers.rules import PAUSED, recipient_domain
from engine.sms import approved_senders, country_rules
from engine.sms.country_rules import Rules
from engine.sms.price_books import MessagePrice, PriceBook
from engine.sms.senders import CODE, NotApproved, Sender, choose
from engine.windows import BadZone, Window, zone_of
from runtime.services import Services
from shapes.sending_projects import ProjectChannel


class Skip(NamedTuple):
    """The message is not sent, for this reason."""

    code: str
    reason: str


class Wait(NamedTuple):
    """The message waits until this time."""

    until: datetime


class Defer(NamedTuple):
    """The message waits for so many seconds for something else than its window."""

    seconds: float
    code: str
    reason: str


Decision: TypeAlias = Skip | Wait | Defer


@dataclass(slots=True)
class Candidate:
    """A message before its gates, and what they have found out for its sending."""

    row: Any
    again: bool  # it may have been sent, and is asked for again under its old key and by its old route
    price: MessagePrice | None
    sender: str | None  # of SMS; None: the channel's own


@dataclass(slots=True)
class GateContext:
    """Holds what all messages of a batch have in common."""

    project: ProjectContext
    now: datetime
    window: Window | None
    rules: Rules | None
    book: PriceBook | None
    own_price: MessagePrice | None  # of every number that the book has no price for
    ways: Mapping[
        UUID | None, AbstractSet[str]
    ]  # the routes that each source account may take, by their labels
    domain_is_approved: bool
    sender: str | None  # that SMS of the project name
    approved: Sequence[Sender]  # for SMS that name a sender
    without_letters: Collection[str]
    overtaken: Collection[UUID]  # messages that follow one that has reached its recipient
    stopped: Collection[UUID]  # messages of a step of a series that has ended for the person
    paused: Mapping[str, tuple[float, str]]  # seconds and reason, by domain: its provider refuses the sender
    checks: list["Check"] = field(default_factory=list)  # of the gates that this batch has

    @property
    def prices_differ(self) -> bool:
        """Returns whether the price depends on the number."""
        return self.book is not None and self.book.has(self.project.channel)

    def candidate(self, row: Any, *, again: bool) -> Candidate:
        """Returns a message before its gates. One that may have been sent keeps its sender."""
        return Candidate(row, again, self.own_price, row["sender"] if again else None)

    def decide(self, message: Candidate) -> Decision | None:
        """Returns what the first gate says that does not let the message pass; None: it is sent now."""
        for check in self.checks:
            if (verdict := check(message, self)) is not None:
                return verdict
        return None


Check: TypeAlias = Callable[[Candidate, GateContext], Decision | None]


class Gate(NamedTuple):
    """A check, and whether it has anything to say of a batch: a call for each message costs more than the check."""

    check: Check
    concerns: Callable[[GateContext], bool] = lambda _: True


async def gate_context(
    services: Services,
    routes: ProjectRoutes,
    project: ProjectContext,
    content: Content,
    book: PriceBook | None,
    rows: Sequence[Any],
) -> GateContext:
    """Reads what the gates need for a batch of messages with this content. `rows`: the messages."""
    owner, is_sms = project.row["owner_id"], project.channel == ProjectChannel.sms
    from_address = None if is_sms else content.sender
    domains = await senders_of(services).load([(owner, from_address)])
    asked = {owner} if is_sms and content.sender is not None else set()
    overtaken: Collection[UUID] = ()
    if project.row["follows_uuid"] is not None:
        messages = [row["id"] for row in rows]
        overtaken = await follow_ups.overtaken(services.db, messages, project.row["category"])
    stopped: Collection[UUID] = ()
    if project.row["series_id"] is not None:
        stopped = await series_gate.stopped(services.db, [row["id"] for row in rows])
    paused: Mapping[str, tuple[float, str]] = {}
    if project.channel == ProjectChannel.email:
        paused = await admission.paused(services, owner, from_address, (row["to"] for row in rows))
    context = GateContext(
        project=project,
        now=services.db.now(),
        window=project.window,
        rules=project.country_rules,
        book=book,
        own_price=project.price("", book),
        # The route of a message that may have been sent depends on its source account.
        ways={
            account: {services.routes.label(route) for route in routes.of(project, account)}
            for account in (None, *project.accounts)
        },
        domain_is_approved=domains.approved(owner, from_address),
        sender=content.sender if asked else None,
        approved=(await approved_senders.read(services.db, asked)).get(owner, ()),
        without_letters=approved_senders.countries_without_letters(services),
        overtaken=overtaken,
        stopped=stopped,
        paused=paused,
    )
    context.checks.extend(gate.check for gate in GATES if gate.concerns(context))
    return context


def _blocked(message: Candidate, context: GateContext) -> Skip | None:
    blocked = message.row["blocked"]
    return None if blocked is None else Skip("blocked", f"The address is blocked ({blocked}).")


def _not_subscribed(message: Candidate, context: GateContext) -> Skip | None:
    return None if message.row["subscribed"] else Skip(contact_audience.CODE, contact_audience.REASON)


def _superseded(message: Candidate, context: GateContext) -> Skip | None:
    if message.again or message.row["id"] not in context.overtaken:
        return None
    return Skip(follow_states.SUPERSEDED, follow_ups.SUPERSEDED_REASON)


def _series_stopped(message: Candidate, context: GateContext) -> Skip | None:
    if message.again or message.row["id"] not in context.stopped:
        return None
    return Skip(series_gate.CODE, series_gate.REASON)


def _route_gone(message: Candidate, context: GateContext) -> Skip | None:
    ways = context.ways
    if not message.again or message.row["provider"] in ways.get(message.row["account_uuid"], ways[None]):
        return None
    return Skip(
        "route_gone",
        "The provider that may have this message is no longer configured, and only that provider can tell. Ask the"
        " operator to configure it, then retry with unknown.",
    )


def _country(message: Candidate, context: GateContext) -> Skip | None:
    if message.again or context.rules is None:
        return None
    country = country_rules.country(message.row["to"])
    refusal = context.rules.refusal(country)
    return None if refusal is None else Skip(country_rules.CODE, country_rules.refused(country, refusal))


def _domain(message: Candidate, context: GateContext) -> Skip | None:
    if message.again:
        return None
    return Skip(
        CODE, "The domain of the sender is not verified any more. Verify it, then retry with this code."
    )


def _price(message: Candidate, context: GateContext) -> Skip | None:
    """Finds the price of a number, which a message that may have been sent does not need: it is paid."""
    if context.book is not None:
        message.price = context.project.price(message.row["to"], context.book)
    if message.price is None and not message.again:
        return Skip("no_price", "The price list has no price for this number.")
    return None


def _sender(message: Candidate, context: GateContext) -> Skip | None:
    """Chooses the sender of an SMS."""
    if message.again:
        return None
    try:
        chosen = choose(message.row["to"], context.sender, context.approved, context.without_letters)
    except NotApproved as error:
        return Skip(CODE, str(error))
    message.sender = chosen.value
    return None


def _window(message: Candidate, context: GateContext) -> Skip | Wait | None:
    if context.window is None:
        return None
    try:
        opens_at = context.window.opens_at(context.now, _zone(message.row))
    except BadZone as error:
        return Skip("bad_timezone", str(error))
    return None if opens_at is None else Wait(opens_at)


def _paused(message: Candidate, context: GateContext) -> Defer | None:
    """Spares a text that would not be sent. What begins to wait only later is left to the admission."""
    if message.again or (pause := context.paused.get(recipient_domain(message.row["to"]))) is None:
        return None
    seconds, reason = pause
    return Defer(seconds, PAUSED, reason)


def _zone(row: Any) -> str | None:
    if row["timezone"]:
        return str(row["timezone"])
    return zone_of(row["to"]) if row["to"].startswith("+") else None


GATES: Final = (
    Gate(_blocked),
    Gate(_not_subscribed),
    Gate(_superseded, lambda context: bool(context.overtaken)),
    Gate(_series_stopped, lambda context: bool(context.stopped)),
    Gate(_route_gone),
    Gate(_country, lambda context: context.rules is not None),
    Gate(_domain, lambda context: not context.domain_is_approved),
    Gate(_price, lambda context: context.prices_differ or context.own_price is None),
    Gate(_sender, lambda context: context.sender is not None),
    Gate(_window, lambda context: context.window is not None),
    Gate(_paused, lambda context: bool(context.paused)),
)
"""All gates, in the order in which they are asked."""
