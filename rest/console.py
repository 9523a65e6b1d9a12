"""Routes under /console/session, an extension: the login of the web console (docs/console.md)."""

from fastapi import Depends, Request, Response

from core.errors import Forbidden, NotFound
from resolvers import console
from rest.frame.errors import errors
from rest.frame.routing import router
from runtime import console_cookie
from runtime.context import Ctx
from runtime.origins import of_own_page
from shapes.auth import ConsoleToken, Credentials, DemoLogin


def is_on(ctx: Ctx) -> None:
    """Raises NotFound if the console is off."""
    if not ctx.services.settings.has_console:
        raise NotFound("The console is off. An operator can set POSTERN_CONSOLE=true.", code="console_off")


def _from_console(ctx: Ctx, request: Request) -> None:
    """Makes the cookie the caller's credential.

    Raises Forbidden unless a page of ours has sent the request: another site must not log anybody in or out.
    """
    settings = ctx.services.settings
    if not of_own_page(request, settings) or console_cookie.HEADER not in request.headers:
        raise Forbidden(
            "Only the console can use this address. Programs log in with POST /auth/login.",
            code="not_the_console",
        )
    ctx.credential = console_cookie.from_request(request, settings)


api = router(
    "console",
    "The login of the web console, for its own pages alone.",
    prefix="/console/session",
    dependencies=[Depends(_from_console)],
    extension=True,
)


@api.post("", status_code=204, dependencies=[Depends(is_on)], responses=errors(400, 401, 403, 404, 429, 503))
async def log_in(ctx: Ctx, request: Request, body: Credentials) -> Response:
    login = await console.log_in(ctx, body)
    return console_cookie.stored(request, login.token, login.seconds)


@api.delete("", status_code=204, dependencies=[Depends(is_on)], responses=errors(403, 404, 503))
async def log_out(ctx: Ctx, request: Request) -> Response:
    await console.log_out(ctx)
    return console_cookie.removed(request)


# A page asks for it before it knows whether the console is on, so "off" is no error here.
@api.post(
    "/token",
    response_model=ConsoleToken,
    responses={204: {"description": "the user is not logged in to the console"}, **errors(403, 503)},
)
async def access_token(ctx: Ctx) -> ConsoleToken | Response:
    token = await console.access_token(ctx)
    return Response(status_code=204) if token is None else token


@api.post(
    "/demo",
    response_model=DemoLogin,
    dependencies=[Depends(is_on)],
    responses={
        204: {"description": "there is no demo login, or it is not shown to this client"},
        **errors(403, 404, 503),
    },
)
async def demo_login(ctx: Ctx) -> DemoLogin | Response:
    login = await console.demo_login(ctx)
    return Response(status_code=204) if login is None else login
