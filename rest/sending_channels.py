"""The route /sending-channels, an extension."""

import builtins
from typing import Any

from resolvers import sending_channels
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.sending_channels import SendingChannel

api = router("messages", prefix="/sending-channels", extension=True)


@api.get(
    "", response_model=builtins.list[SendingChannel], responses=errors(401, 503), openapi_extra={**BEARER}
)
async def list_channels(ctx: Ctx) -> Any:
    return await sending_channels.every(ctx)
