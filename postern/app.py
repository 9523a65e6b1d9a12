"""The ASGI application: two doors on one set of operations, behind the allowlist and the request log."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

import rest
from core.http.allowlist import AllowlistFile, AllowlistMiddleware
from core.http.refusals import Refusals
from core.settings import Settings
from core.tasks import end
from core.version import __version__
from doors import largest_bodies, routes
from engine.media.limits import UPLOADED_BYTES
from engine.restore.fence import BEAT_SECONDS, fence_of
from engine.sms.route_rules import routing_of
from postern.doctor.running import Examiner
from postern.link_hosts import LinkHosts
from postern.middleware import RequestMiddleware
from rest import graphiql
from rest.frame import errors, openapi
from runtime.fast.router import FastRouter
from runtime.installation import Installation
from runtime.services import Services, open_services
from runtime.webhook_documents import register
from schema.frame.requests import OPENAPI_SCHEMAS
from schema.frame.sse import stream_router
from schema.root import build
from schema.router import graphql_router
from schema.webhook_documents import runner

_ROUTES_SECONDS = 2.0  # between two looks at the routes that administrators have made
_LOOK_SECONDS = 2.0  # by which a database that does not answer may delay a start
ALLOWED_HEADERS = [
    "authorization",
    "content-type",
    "idempotency-key",
    "x-request-id",
    "x-postern-errors",
    "x-postern-owner",
    "graphql-require-preflight",
    "apollo-require-preflight",
    "x-apollo-operation-name",
]
"""Request headers that a page of another origin may send (docs/frontends.md)."""
EXPOSED_HEADERS = [
    "x-request-id",
    "retry-after",
    "idempotent-replayed",
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
]
"""Response headers that such a page may read."""


class Application:
    """FastAPI inside, the two middlewares of the specification (§1) outside, in its order."""

    def __init__(self, settings: Settings, *, embedded: bool = False) -> None:
        """`embedded`: the settings name servers that this process has started itself."""
        self.settings = settings
        # Before anything is opened: an enforced list that can't be used must prevent the start.
        self.allowlist = AllowlistFile.of(settings)
        self.services: Services = open_services(settings, pooler=True)
        self.refusals = Refusals(self.services.store)
        self.services.single(
            Installation,
            lambda: Installation(
                embedded=embedded,
                allowlist=self.allowlist,
                refusals=self.refusals,
                examine=Examiner(settings, self.allowlist, embedded=embedded).examine,
            ),
        )
        self.api = self._api()
        inner: ASGIApp = FastRouter(self.api) if settings.fast_routes else self.api
        if settings.cors_origins:
            inner = CORSMiddleware(
                inner,
                allow_origins=settings.cors_origins,
                allow_methods=["*"],
                allow_headers=ALLOWED_HEADERS,
                expose_headers=EXPOSED_HEADERS,
            )
        inner = LinkHosts(inner, self.services)
        # The paths that accept a file; the extra megabyte is for the form around the file.
        upload = max(settings.max_body_bytes, settings.max_file_bytes + 2**20)
        larger = {("POST", path): upload for path in ("/file-uploader", "/recipient-import", "/graphql")}
        larger["POST", "/media"] = max(settings.max_body_bytes, UPLOADED_BYTES + 2**20)
        larger |= largest_bodies(settings)
        inner = RequestMiddleware(
            inner,
            max_body_bytes=settings.max_body_bytes,
            larger=larger,
            draining=lambda: self.services.draining,
        )
        self._outermost: ASGIApp = AllowlistMiddleware(inner, self.allowlist, self.refusals)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._outermost(scope, receive, send)

    def drain(self) -> None:
        """Makes `/` and `/health` answer 503 from now on, and ends each connection with its next response, so that a
        load balancer sends requests elsewhere.
        """
        self.services.draining = True

    def _api(self) -> FastAPI:
        api = doors(explorable=self.settings.explorable, lifespan=self._lifespan)
        api.router.routes += routes(self.settings)
        api.state.services = self.services
        register(self.services, runner)
        api.state.allowlist = self.allowlist  # for /metrics
        return api

    @asynccontextmanager
    async def _lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        await self.services.learn_time()
        looked = asyncio.Event()
        looking = asyncio.create_task(self._look_at_the_fence(looked))
        with suppress(TimeoutError):
            await asyncio.wait_for(looked.wait(), _LOOK_SECONDS)
        beside = [
            looking,
            asyncio.create_task(self.allowlist.watch()),
            asyncio.create_task(self.refusals.run()),
            asyncio.create_task(self._follow_routes()),
            asyncio.create_task(self.services.viewers.local_cache.listen()),
        ]
        loop = asyncio.get_running_loop()
        with suppress(NotImplementedError, RuntimeError, ValueError):  # not in the main thread, or no signals
            loop.add_signal_handler(signal.SIGHUP, self.allowlist.reload)
        try:
            yield
        finally:
            try:
                await end(beside)
                await self.refusals.flush()
            finally:
                await self.services.close()

    async def _follow_routes(self) -> None:
        """Reads the routes that administrators have made, as workers do: mails about users leave by them, too."""
        while True:
            with suppress(Exception):  # whatever an unreachable server makes its client raise
                if await self.services.db.fetchval("SELECT EXISTS (SELECT FROM routes)"):
                    await routing_of(self.services).refresh(older=_ROUTES_SECONDS / 2)
            await asyncio.sleep(_ROUTES_SECONDS)

    async def _look_at_the_fence(self, looked: asyncio.Event) -> None:
        """Looks whether the database was restored: as soon as it answers, then every ten seconds, so that each new
        connection is compared with a beat that is no older.

        What is accepted after a restore was not in the backup, so a start waits for the first look.
        """
        fence = fence_of(self.services)
        fence.guard(refuses=False)
        while True:
            seconds = 1.0
            with suppress(Exception):  # whatever an unreachable server makes its client raise
                await fence.look()
                looked.set()
                seconds = BEAT_SECONDS
            await asyncio.sleep(seconds)


def doors(*, explorable: bool, lifespan: Any = None) -> FastAPI:
    """Returns the API of both doors, without services behind it."""
    api = FastAPI(
        title="Postern",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # rest/docs.py serves it
        redirect_slashes=False,
        # Telemetry is not configured here, and FastAPI's check for it on each request costs more than the allowlist.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    errors.install(api)
    # The routes themselves, without nested routers. `FastRouter` must be made after the last one.
    api.router.routes += [
        *rest.ROUTES,
        *graphql_router(explorable=explorable, welcome=graphiql.welcome).routes,
        *stream_router(build(explorable=explorable)).routes,
    ]
    openapi.install(api, OPENAPI_SCHEMAS, rest.TAGS)
    return api


def make_app(settings: Settings, *, embedded: bool = False) -> Application:
    """Returns the application for these settings; `embedded` is as in `Application`.

    Raises BadSettings, AllowlistUnusable.
    """
    return Application(settings, embedded=embedded)
