"""Routes /docs, an extension: the OpenAPI document as HTML, rendered here without scripts and external files."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from rest.frame.caching import matches
from rest.frame.html import page, paragraphs, prose, tag
from rest.frame.reference import Reference
from rest.frame.routing import router
from runtime.operation_index import operations_of

api = router("docs", any_query=True)

_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_STYLE = Path(__file__).with_name("docs.css").read_bytes()


@api.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    """Returns the reference of the API as a page."""
    return _answer(request, _kept(request, "docs_page", _reference))


@api.get("/docs/style.css", include_in_schema=False)
async def style(request: Request) -> Response:
    """Returns the style sheet of the pages."""
    return _answer(request, _STYLE, "text/css")


def graphql_page(request: Request) -> Response:
    """Returns the page that a browser gets at `/graphql` without GraphiQL: how to call GraphQL."""
    return _answer(request, _kept(request, "graphql_page", _graphql), vary="Accept")


def _answer(request: Request, body: bytes, kind: str = "text/html", *, vary: str | None = None) -> Response:
    """Returns the body with an ETag. Browsers revalidate it each time, so an upgrade is visible at once; an unchanged
    page costs only an empty 304.
    """
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Content-Security-Policy": _POLICY}
    if vary is not None:
        headers["Vary"] = vary
    if matches(request.headers.getlist("if-none-match"), tag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=kind)


def _kept(request: Request, name: str, build: Callable[[Any], bytes]) -> bytes:
    """Returns the page, built on the first request and then cached in this process."""
    state = request.app.state
    if (body := getattr(state, name, None)) is None:
        body = build(request.app)
        setattr(state, name, body)
    return bytes(body)


def _reference(app: Any) -> bytes:
    behind = {
        (method, route.path_format): operations_of(route.endpoint)
        for route in app.router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    return Reference(
        app.openapi(),
        app.state.graphql_fields(),
        lambda method, path: behind.get((method, path), ()),
        _base(app),
    ).render()


def _base(app: Any) -> str:
    settings = app.state.services.settings
    return str(settings.public_url or f"http://{settings.host}:{settings.port}").rstrip("/")


_EXAMPLES = (
    ("Who am I, and what can I spend?", "{ me { email accounts { nodes { balance currency } } } }"),
    (
        "The newest messages, and what became of them",
        "{ messages(first: 3) { nodes { to deliveryState failureReason } } }",
    ),
    (
        "Send one",
        'mutation { sendMessage(input: {channel: sms, to: "+15005550000", body: "Hello"}) { uuid price } }',
    ),
)


_MISSING = tag(
    "p",
    prose(
        "GraphiQL, an explorer for the browser, would be here, but its files are not installed. With a network, "
        "`make setup` installs them (or `postern graphiql`); then load this page again. Nothing else needs them."
    ),
    class_="soft",
)


def _graphql(app: Any) -> bytes:
    url = f"{_base(app)}/graphql"
    examples = []
    for title, query in _EXAMPLES:
        asked = query.replace("\\", "\\\\").replace('"', '\\"')
        line = (
            f'curl -s "{url}" \\\n  -H "authorization: Bearer $TOKEN" \\\n  -H \'content-type: application/json\''
            f' \\\n  -d \'{{"query": "{asked}"}}\''
        )
        examples += [tag("h4", title), tag("pre", tag("code", line), class_="copy", tabindex="0")]
    return page(
        "Postern: GraphQL",
        tag(
            "main",
            tag("h1", "GraphQL"),
            paragraphs(
                "This address takes queries and mutations: POST a JSON object with `query`, and `variables` and "
                "`operationName` where you need them, as `application/json`. Queries may also come by GET, in "
                "`?query=`.\n\nMost of it needs `Authorization: Bearer …`, with an access token or an API token."
            ),
            tag("p", "How to get one, and all operations: ", tag("a", "/docs", href="/docs#credential"), "."),
            *examples,
            tag(
                "p",
                prose("The schema is `schema.graphql` in the repository; `postern schema` prints it."),
            ),
            _MISSING if app.state.services.settings.explorable else None,
            class_="narrow",
        ),
    )
