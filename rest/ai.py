"""Route /ai-integration (contract §3, area B)."""

from typing import Any

from resolvers import ai
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.ai import GeneratedText, GenerateText

api = router("ai")


@api.post(
    "/ai-integration",
    response_model=GeneratedText,
    responses=errors(400, 401, 404, 429, 502, 503, 504),
    openapi_extra={**BEARER},
)
async def generate(ctx: Ctx, body: GenerateText) -> Any:
    """Generates texts with a language model, for a project or without one."""
    return await ai.generate(ctx, body)
