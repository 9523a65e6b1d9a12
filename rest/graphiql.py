"""GraphiQL at /graphql, an extension, for browsers if the schema may be explored.

All files come from this service, and the policy allows nothing else: the page has no inline script and may connect
only to this service (`connect-src 'self'` covers its WebSocket, CSP 3 §6.7.2.8).
"""

from pathlib import Path

import orjson
from fastapi import Request, Response

from core.assets import GRAPHIQL
from core.errors import NotFound
from core.http.html import POLICY, page, prose, tag
from rest.frame.asset_pages import AssetPage
from rest.frame.routing import router

api = router("docs", any_query=True, extension=True)

# GraphiQL's dialogs insert one style element, which stops the page behind them from scrolling.
_SCROLL_LOCK = "'sha256-Y/huXlwoYkVyQlxwSVcCi1RCDGDCSVBzDt0hYP9qlTc='"


def examples(folder: Path) -> list[dict[str, str]]:
    """Returns `{area, title, query, variables}` for each `.graphql` file, in order.

    The first line of a file is `# Area: title`. A `.json` file of the same name contains the initial variables.
    """
    entries = []
    for path in sorted(folder.glob("*.graphql")):
        query = path.read_text()
        area, _, title = query.partition("\n")[0].removeprefix("#").partition(":")
        beside = path.with_suffix(".json")
        entries.append(
            {
                "area": area.strip(),
                "title": title.strip(),
                "query": query.strip(),
                "variables": beside.read_text().strip() if beside.exists() else "",
            }
        )
    return entries


PAGE = AssetPage(
    GRAPHIQL,
    "graphql/assets",
    (
        *(f"graphiql/{name}" for name in ("page.css", "session.js", "fetcher.js", "examples.js", "page.js")),
        "icon.svg",
    ),
    f"default-src 'none'; script-src 'self'; style-src 'self' {_SCROLL_LOCK}; connect-src 'self'; "
    "img-src 'self' data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    lambda: {"examples.json": orjson.dumps(examples(GRAPHIQL / "examples"))},
)


@api.get("/graphql/assets/{name}", include_in_schema=False)
async def asset(request: Request, name: str) -> Response:
    """Returns one file of the page."""
    if not request.app.state.services.settings.explorable:
        raise NotFound("GraphiQL is off.")
    return await PAGE.asset(request, name)


def welcome(request: Request) -> Response:
    """Returns the page that a browser gets at `/graphql`: GraphiQL, or a page on how to call GraphQL without it."""
    explorable = request.app.state.services.settings.explorable
    if explorable and (answer := PAGE.answer(request, vary="Accept")) is not None:
        return answer
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache", "Vary": "Accept"}
    return Response(_without_files(request, explorable=explorable), headers=headers, media_type="text/html")


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


def _without_files(request: Request, *, explorable: bool) -> str:
    settings = request.app.state.services.settings
    base = str(settings.public_url or f"http://{settings.host}:{settings.port}").rstrip("/")
    examples = []
    for title, query in _EXAMPLES:
        asked = query.replace("\\", "\\\\").replace('"', '\\"')
        line = (
            f'curl -s "{base}/graphql" \\\n  -H "authorization: Bearer $TOKEN" \\\n'
            f"  -H 'content-type: application/json' \\\n  -d '{{\"query\": \"{asked}\"}}'"
        )
        examples += [tag("h2", title), tag("pre", tag("code", line), tabindex="0")]
    missing = prose(
        "GraphiQL, an explorer for the browser, would be here, but its files are not installed. With a network, "
        "`make setup` installs them (or `postern assets`); then load this page again. Nothing else needs them."
    )
    return page(
        "Postern: GraphQL",
        tag("h1", "GraphQL"),
        tag(
            "p",
            prose(
                "This address takes queries and mutations: POST a JSON object with `query`, and `variables` and "
                "`operationName` where you need them, "
                "as `application/json`. Queries may also come by GET, in `?query=`."
            ),
        ),
        tag(
            "p",
            prose(
                "Most of it needs `Authorization: Bearer …`, with an access token (from `POST /auth/login`) or an API "
                "token. The REST operations: "
            ),
            tag("a", "/docs", href="docs"),
            ".",
        ),
        *examples,
        tag("p", prose("The schema is `schema.graphql` in the repository; `postern schema` prints it.")),
        tag("p", missing) if explorable else None,
    )
