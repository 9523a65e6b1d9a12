"""Route /messages/quote. It is Postern's own."""

from typing import Any

from resolvers import quotes
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.quotes import Quote, QuoteMessage

api = router("quotes", "What a message costs.", prefix="/messages/quote", extension=True)


@api.post("", response_model=Quote, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, body: QuoteMessage) -> Any:
    return await quotes.get(ctx, body)
