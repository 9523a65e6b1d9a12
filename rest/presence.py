"""Presence at the vendor's paths (contract §4, area C)."""

from typing import Any

from resolvers import presence
from rest.frame.vendor import vendor
from runtime.context import Ctx
from shapes.presence import ResetPresence, ShowPresence
from shapes.vendor import Answer

api = vendor("presence", "Typing and recording indicators that the other side sees.")


@api.post("/sendTyping", response_model=Answer)
async def send_typing(ctx: Ctx, body: ShowPresence) -> Any:
    return await presence.typing(ctx, body, body.to, body.seconds)


@api.post("/sendRecording", response_model=Answer)
async def send_recording(ctx: Ctx, body: ShowPresence) -> Any:
    return await presence.recording(ctx, body, body.to, body.seconds)


@api.post("/resetTyping", response_model=Answer)
async def reset_typing(ctx: Ctx, body: ResetPresence) -> Any:
    return await presence.reset(ctx, body, body.to)
