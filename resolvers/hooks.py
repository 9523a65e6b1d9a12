"""Callbacks from providers by HTTP: delivery reports and inbound messages, under the provider's own signature."""

from collections.abc import Mapping

from channels.port import BadHook, BadSignature, Channel, HookFailed, HookRequest, NoPublicUrl
from core.errors import BadRequest, NotFound, Unauthenticated, Unavailable
from engine.hooks.turns import HookTurns
from engine.mail_reports import providers
from engine.messengers import cloud_hooks
from engine.sms.route_rules import routing_of
from engine.worker import receive_events
from runtime.operation import Op, operation
from runtime.permissions import Permission

_POST = "post"  # channels.post.PostChannel.name; the module is imported where the driver is configured


@operation(Permission.public, "outside")
async def receive(op: Op, driver: str, name: str, request: HookRequest) -> int:
    """Receives delivery reports and inbound messages from a provider. `name` is the channel (`sms`), or `sms-2` for the
    second provider of that channel. Each driver checks the signature of its provider.

    Returns how many events changed something, or were about messages of ours. Raises NotFound, Unauthenticated
    (signature), BadRequest, RateLimited, Unavailable.
    """
    await _admit(op)
    channel = await _channel(op, driver, name)
    try:
        if (mail_hook := getattr(channel, "mail_hook", None)) is not None:
            return await providers.receive(op.services, mail_hook, request, op.ctx.client_address)
        events = channel.hook(request)
    except BadSignature as error:
        raise _bad_signature() from error
    except NoPublicUrl as error:
        raise Unavailable(
            "This provider signs the address that it calls. The operator must set POSTERN_PUBLIC_URL to"
            " the public address of this service.",
            code="public_url_missing",
        ) from error
    except HookFailed as error:
        raise Unavailable(f"The callback can't be checked now: {error}. Call again later.") from error
    except BadHook as error:
        raise BadRequest(
            f"The callback can't be read: {error}. Check the provider's webhook settings.", code="bad_hook"
        ) from error
    return await receive_events(op.services, channel, events)


@operation(Permission.public, "outside")
async def verify_cloud(op: Op, account_id: str, query: Mapping[str, str]) -> str:
    """Answers Meta's verification of the callback URL of a WhatsApp Cloud account with its `hub.challenge`. Raises
    NotFound, Forbidden (wrong verify token), BadRequest.
    """
    return await cloud_hooks.verify(op.services, account_id, query)


@operation(Permission.public, "outside")
async def receive_cloud(op: Op, account_id: str, request: HookRequest) -> int:
    """Receives messages and status reports of a WhatsApp Cloud account, signed by Meta. 200 means that they are stored.

    Returns how many events belong to our accounts. Raises NotFound, Unauthenticated (signature), BadRequest,
    RateLimited.
    """
    await _admit(op)
    signature = request.headers.get("x-hub-signature-256")
    return await cloud_hooks.receive(op.services, account_id, request.body, signature)


async def _channel(op: Op, driver: str, name: str) -> Channel:
    """Returns the channel of a hook. What this process knows of a route that an administrator has made is at most a
    second old. Raises NotFound, and Unauthenticated for an unknown `post` route.
    """
    routes = op.services.routes
    channel = routes.by_hook(driver, name)
    if channel is None or name in routes.names_made:
        await routing_of(op.services).refresh(older=1.0)
        channel = routes.by_hook(driver, name)
    if channel is None and driver == _POST:
        raise _bad_signature()  # the names of these routes may be the operator's own: the answer tells none
    if channel is None:
        raise NotFound(
            "There is no channel with this driver and name. Check the address of the hook.",
            code="channel_not_found",
        )
    return channel


def _bad_signature() -> Unauthenticated:
    return Unauthenticated(
        "The signature of this request is missing or wrong. Check the signing secret on both sides.",
        code="bad_signature",
    )


async def _admit(op: Op) -> None:
    await op.services.single(HookTurns, HookTurns).wait(op.ctx.client_networks[-1])
