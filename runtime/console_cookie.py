"""The cookie of the console: where it is accepted, and how it is set.

A browser sends cookies with every request, also with those that a page of another site has caused. So the cookie
counts only if `Origin` is this service's own and, where scripts can set headers, if the header X-Postern-Console is
there: a page of another origin can't send it without permission (fetch.spec.whatwg.org, "CORS-preflight request"). It
is accepted at /graphql and /console alone, never by the routes of the specification.
"""

from starlette.requests import HTTPConnection
from starlette.responses import Response

from core.settings import Settings
from runtime.origins import of_own_page
from runtime.viewers import SessionCookie

HEADER = "x-postern-console"
NAME = "postern-console"
SECURE_NAME = f"__Host-{NAME}"
"""The cookie has this name with TLS. A browser accepts it only from this very host (RFC 6265bis §4.1.3.2)."""


def from_request(connection: HTTPConnection, settings: Settings) -> SessionCookie | None:
    """Returns the cookie of a request, if the console has sent it."""
    if HEADER not in connection.headers:
        return None
    return from_handshake(connection, settings)


def from_handshake(connection: HTTPConnection, settings: Settings) -> SessionCookie | None:
    """Returns the cookie of a WebSocket's handshake, to which scripts can't add headers, if a page of ours has sent
    it.
    """
    if "cookie" not in connection.headers or not of_own_page(connection, settings):
        return None
    token = connection.cookies.get(_name(connection))
    return SessionCookie(token) if token else None


def stored(connection: HTTPConnection, token: str, seconds: int) -> Response:
    """Returns a response that sets the cookie. No script can read it, and no other site's request carries it."""
    response, name = Response(status_code=204), _name(connection)
    response.set_cookie(
        name, token, max_age=seconds, path="/", httponly=True, samesite="strict", secure=name == SECURE_NAME
    )
    return response


def removed(connection: HTTPConnection) -> Response:
    """Returns a response that removes the cookie."""
    response, name = Response(status_code=204), _name(connection)
    response.delete_cookie(name, path="/", httponly=True, samesite="strict", secure=name == SECURE_NAME)
    return response


def _name(connection: HTTPConnection) -> str:
    """Returns the cookie's name. A proxy may hide from us that the browser uses TLS; `Origin` tells."""
    return SECURE_NAME if connection.headers.get("origin", "").startswith("https://") else NAME
