"""The dry run of an SMS: which routes it would take, from which sender, and what it would cost."""

from typing import Any, Final, NamedTuple
from uuid import UUID

from core.errors import AppError, NotFound
from engine.direct.new_messages import priced
from engine.sending.limits import OFF
from engine.sms import approved_senders, country_rules
from engine.sms.countries import country_of
from engine.sms.price_books import MessagePrice, price_books
from engine.sms.route_rules import ALL_OFF_REASON, NO_ROUTE, NO_ROUTE_REASON, routing_of
from engine.sms.routing import Rule
from resolvers.messages import admission
from resolvers.recipient_addresses import normalise
from runtime import breakers
from runtime.operation import Op
from shapes.messages import MessageChannel
from shapes.route_rules import RouteCandidate, RouteObstacle, RouteTrace, RouteUse, TraceRoute
from shapes.statistics import RouteState

_SMS: Final = MessageChannel.sms.value


class _Terms(NamedTuple):
    """The sender and the price of a message, and the errors that would refuse it; sending gives the first of them."""

    sender: str | None
    sender_why: str
    price: MessagePrice | None
    refusals: list[AppError]


async def trace(op: Op, input: TraceRoute) -> RouteTrace:
    """Returns how an SMS would go. Raises BadRequest (`invalid_recipient`), NotFound (account), Unavailable."""
    to = normalise(MessageChannel.sms, input.to, op.services.settings.default_region, op.services.guard)
    payer = await _payer(op, input.account_id)
    owner = op.viewer.id if payer is None else payer.owner_id
    candidates, waits = await _candidates(op, to, input.category.value, owner)
    terms = await _terms(op, to, owner, input.sender, payer)
    refusal = next(iter(terms.refusals), None)
    return RouteTrace(
        to=to,
        country=country_of(to),
        candidates=candidates,
        waits=waits,
        sender=terms.sender,
        sender_why=terms.sender_why,
        price=terms.price.amount if terms.price else None,
        currency=payer.currency if payer else None,
        price_prefix=terms.price.prefix if terms.price else None,
        refusal=RouteObstacle(code=refusal.code, message=refusal.message) if refusal else None,
    )


async def _payer(op: Op, account_id: UUID | None) -> Any:
    """Returns the account that pays; None for a caller who has none."""
    try:
        return await admission.paying(op, account_id)
    except NotFound:
        if account_id is not None:
            raise
        return None


async def _terms(op: Op, to: str, owner: UUID, asked: str | None, payer: Any) -> _Terms:
    sender, why, price, refusals = None, "", None, []
    try:
        if payer is not None:
            country_rules.counted(payer, _SMS, to)
    except AppError as error:
        refusals.append(error)
    try:
        if payer is not None:
            book = await price_books(op.services).of(payer.price_version_id, _SMS)
            price = priced(payer, _SMS, to, book)
    except AppError as error:
        refusals.append(error)
    try:
        choice = await approved_senders.chosen(op.services, op.db, owner, to, asked)
        sender, why = choice.value, choice.why
    except AppError as error:
        why = error.message
        refusals.append(error)
    return _Terms(sender, why, price, refusals)


async def _candidates(
    op: Op, to: str, category: str, owner: UUID
) -> tuple[list[RouteCandidate], RouteObstacle | None]:
    """Returns the routes that are tried, in their order, and after them those that are passed over, for administrators;
    and why the message would wait, if none is tried.
    """
    routes, routing = op.services.routes, routing_of(op.services)
    await routing.refresh()
    names = routes.by_name(_SMS)
    chosen = [*routing.candidates(to, category, owner)]
    rules = {rule.route: rule for rule in reversed(routing.rules_for(to, category, owner))}
    passed = [name for name in rules if name in routes.off or name not in names]
    statuses = {
        status.name: RouteState(status.state)
        for status in await breakers.breaker_statuses(op.services.db, routes)
    }

    degraded = {name: routing.is_behind(name, to) for name, rule in chosen if rule is not None}
    # One that is behind others: the only route, or the first of those that deliver nothing, is behind none.
    behind = {name for name in degraded if degraded[name] and not all(degraded.values())}

    def shape(name: str, rule: Rule | None) -> RouteCandidate:
        use = (
            RouteUse.missing if name not in names else RouteUse.off if name in routes.off else RouteUse.tried
        )
        return RouteCandidate(
            route=name,
            use=use,
            state=statuses.get(name, RouteState.closed) if name in names else None,
            rule_id=rule.id if rule is not None else None,
            why=_why(rule, use, behind=use is RouteUse.tried and name in behind),
        )

    shapes = [shape(name, rule) for name, rule in [*chosen, *((name, rules[name]) for name in passed)]]
    visible = shapes if op.viewer.admin else []
    if any(each.use is RouteUse.tried for each in shapes):
        return visible, None
    code, reason = (NO_ROUTE, NO_ROUTE_REASON) if rules else (OFF, ALL_OFF_REASON)
    return visible, RouteObstacle(code=code, message=reason)


def _why(rule: Rule | None, use: RouteUse, *, behind: bool) -> str:
    if rule is None:
        why = "No rule is about this number, so the configured order holds"
    else:
        numbers = f"+{rule.prefix}" if rule.prefix else "all numbers"
        category = f" in {rule.category} messages" if rule.category else ""
        user = " of this user" if rule.owner_id else ""
        why = f"The rule for {numbers}{category}{user} names it, with priority {rule.priority}"
    match use:
        case RouteUse.off:
            return f"{why}; it is passed over, since it is switched off."
        case RouteUse.missing:
            return f"{why}; it is passed over, since no route of this name is there."
    if behind:
        return f"{why}; others are tried before it, since it has delivered nothing to these numbers lately."
    return f"{why}."
