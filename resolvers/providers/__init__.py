"""Providers that administrators set up and try from a form. Each driver describes what it needs
(channels/provider_fields.py).
"""

import asyncio
import random
import string
import time
from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from channels import NAME_RULE, Channel, Kind, connect, is_name
from channels.dsn import BadDsn
from channels.port import Event, Outgoing, Result
from channels.providers import PROVIDERS, Provider
from core.errors import BadRequest
from core.ids import uuid7
from core.rate_limits import Limit
from engine.sms.route_rules import routing_of
from resolvers import reach
from resolvers.recipient_addresses import normalise
from resolvers.system import system_routes
from runtime import audit
from runtime.idempotency import stored_shape
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.messages import MessageChannel
from shapes.providers import (
    NewProvider,
    ProviderDescription,
    ProviderField,
    ProviderTest,
    ProviderTestResult,
)
from shapes.sending_projects import ProjectChannel
from shapes.system import NewSystemRoute, SystemRoute

TEST_SECONDS: Final = 30.0
_LONGEST_DSN: Final = 2000  # characters, as a DSN that is written by hand
_TESTS: Final = Limit.parse("provider-tests", "10/60")
_TEXT: Final = "This is a test message of Postern. The provider that you are setting up has sent it."
_LOCK_RULES: Final = "SELECT pg_advisory_xact_lock(hashtextextended('route_rules', 0))"
_FOR_ALL: Final = """
INSERT INTO route_rules (id, prefix, route) SELECT $1, '', $2
WHERE NOT EXISTS (SELECT FROM route_rules WHERE prefix = '' AND owner_id IS NULL AND category IS NULL)
"""


class _Made(NamedTuple):
    dsn: str
    channel: Channel


@operation(Permission.system_read, "read")
async def every(op: Op) -> Sequence[ProviderDescription]:
    """Lists the providers that can be set up, with what each needs. Administrators only."""
    return [_shape(provider) for provider in PROVIDERS.values()]


def _shape(provider: Provider) -> ProviderDescription:
    return ProviderDescription(
        name=provider.name,
        label=provider.label,
        about=provider.about,
        channels=[channel for channel in MessageChannel if channel.value in provider.kinds],
        fields=[
            ProviderField(
                name=each.name,
                label=each.label,
                about=each.about,
                secret=each.secret,
                required=each.required,
                example=each.example,
                default=each.default,
                choices=[*each.choices],
            )
            for each in provider.requested
        ],
    )


async def _made(op: Op, input: NewProvider) -> _Made:
    return await _channel(op, input)


async def _learned(op: Op, route: SystemRoute) -> SystemRoute:
    await system_routes.learn(op)
    return route


@operation(Permission.users_admin, "sql", idempotent=stored_shape(SystemRoute), before=_made, after=_learned)
async def set_up(op: Op, input: NewProvider) -> SystemRoute:
    """Sets up a provider: within two seconds its route gets the messages of the channel, of SMS unless a rule of routes
    is about all numbers already. Administrators only. Honours Idempotency-Key. Raises BadRequest (`bad_provider`,
    `bad_route`, `too_many_routes`), Conflict (`route_exists`).
    """
    made: _Made = op.prepared
    await op.connection.execute(_LOCK_RULES)
    name = input.name or f"{input.provider}-{''.join(random.choices(string.ascii_lowercase, k=4))}"
    route = await system_routes.make(
        op, NewSystemRoute(name=name, dsn=made.dsn), made.channel, ProjectChannel(input.channel.value)
    )
    if input.channel is MessageChannel.sms:
        await op.connection.execute(_FOR_ALL, uuid7(), name)
    return route


@operation(Permission.users_admin, "outside")
async def test(op: Op, input: ProviderTest) -> ProviderTestResult:
    """Sends one message by a provider that is not set up yet, and returns what the provider answered. The message costs
    nothing and is in no list. Administrators only. Raises BadRequest (`bad_provider`, `bad_route`), RateLimited.
    """
    await op.services.limiter.enforce(_TESTS, str(op.viewer.actor_id), "test messages")
    to = normalise(input.channel, input.to, op.services.settings.default_region, op.services.guard)
    made = await _channel(op, input)
    async with op.db.transaction() as connection:
        await reach.require(op, connection, [to])
        await audit.record(
            connection, None, "provider", input.provider, {"tested": [None, input.channel.value]}
        )
    message = Outgoing(uuid7(), str(uuid7()), to, _TEXT, subject="A test message of Postern")
    began = time.monotonic()
    try:
        async with asyncio.timeout(TEST_SECONDS):
            await made.channel.open(_ignore)
            (outcome,) = await made.channel.send([message])
    except TimeoutError:
        return _result(
            Result.unknown, "timeout", "The provider did not answer within 30 seconds.", None, began
        )
    finally:
        await made.channel.close()
    return _result(outcome.result, outcome.code, outcome.reason, outcome.provider_message_id, began)


def _result(
    result: Result, code: str | None, reason: str | None, id: str | None, began: float
) -> ProviderTestResult:
    return ProviderTestResult(
        sent=result in (Result.sent, Result.delivered),
        result=result.value,
        code=code,
        reason=reason,
        provider_message_id=id,
        seconds=round(time.monotonic() - began, 3),
    )


async def _ignore(channel: Channel, events: Sequence[Event]) -> None:
    """Takes the events of a channel that is only tried."""


async def _channel(op: Op, input: NewProvider | ProviderTest) -> _Made:
    """Returns the DSN and the channel, which is not opened. Raises BadRequest."""
    await routing_of(op.services).refresh()
    if isinstance(input, NewProvider) and input.name is not None and not is_name(input.name):
        raise BadRequest(f"The name of a route must be {NAME_RULE}.", code="bad_provider")
    provider = PROVIDERS.get(input.provider)
    if provider is None or input.channel.value not in provider.kinds:
        fit = ", ".join(name for name, each in PROVIDERS.items() if input.channel.value in each.kinds)
        raise BadRequest(
            f"By {input.channel.value} these can be set up: {fit or 'none, only by the settings'}.",
            code="bad_provider",
        )
    try:
        dsn = provider.dsn(input.values)
        if len(dsn) > _LONGEST_DSN:
            raise BadDsn(f"the values are too long: together they may have {_LONGEST_DSN} characters")
        channel = connect(cast(Kind, input.channel.value), dsn, guard=op.services.guard)
    except BadDsn as error:
        raise BadRequest(f"{provider.label}: {error}.", code="bad_provider") from error
    except ValueError as error:  # of a library; its text may repeat a part of the password
        raise BadRequest(f"{provider.label}: the server's name is not valid.", code="bad_provider") from error
    if (target := channel.target()) is not None:
        await system_routes.require_permitted(op, target.host, target.port)
    return _Made(dsn, channel)
