"""What providers tell us by HTTP: delivery reports and inbound messages, under the provider's own signature."""

from channels.port import BadHook, BadSignature, HookRequest
from engine.worker import take_events
from postern.errors import BadRequest, NotFound, Unauthenticated
from postern.operation import Op, operation
from postern.permissions import Permission


@operation(Permission.public, "outside")
async def receive(op: Op, driver: str, name: str, request: HookRequest) -> int:
    """How many events changed something. Raises NotFound, Unauthenticated (signature), BadRequest."""
    channel = op.services.routes.named(driver, name)
    if channel is None:
        raise NotFound("There is no such channel.", code="channel_not_found")
    try:
        events = channel.hook(request)
    except BadSignature as error:
        raise Unauthenticated("The signature is missing or wrong.", code="bad_signature") from error
    except BadHook as error:
        raise BadRequest(f"The callback can't be read: {error}", code="bad_hook") from error
    return await take_events(op.services, channel, events)
