"""The legacy bridge (contract §2): forwards one request to the old system and wraps the answer."""

from collections.abc import Iterable

from core.errors import BadRequest, Unavailable, UpstreamFailed, UpstreamTimeout
from core.legacy_bridge import LegacyPathRefused, LegacyTimeout, LegacyUnavailable
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.legacy import LegacyEnvelope


@operation(Permission.legacy_call, "outside")
async def call(
    op: Op,
    method: str,
    path: str,
    query: str = "",
    headers: Iterable[tuple[str, str]] = (),
    body: bytes = b"",
) -> LegacyEnvelope:
    """Forwards a request to the legacy system. It is a mutation even with GET, because Postern can't know whether a
    path changes something.

    Any HTTP answer of the old system counts as a success. `path` and `query` are still percent-encoded. Raises
    Unavailable (not configured), BadRequest (a path that is not forwarded), UpstreamFailed, UpstreamTimeout.
    """
    bridge = op.services.legacy
    if bridge is None:
        raise Unavailable(
            "The legacy bridge is not configured. Ask the operator to set POSTERN_LEGACY_URL.",
            code="legacy_not_configured",
        )
    # Our request id goes along, so that the logs of both systems can be joined.
    sent = [(name, value) for name, value in headers if name.lower() != "x-request-id"]
    sent.append(("x-request-id", op.ctx.request_id))
    try:
        answer = await bridge.call(method, path, query, sent, body)
    except LegacyPathRefused as error:
        raise BadRequest(str(error), code="legacy_path_refused") from error
    except LegacyUnavailable as error:
        raise UpstreamFailed(str(error), code="legacy_unavailable") from error
    except LegacyTimeout as error:
        raise UpstreamTimeout(str(error), code="legacy_timeout") from error
    return LegacyEnvelope(
        ok=200 <= answer.legacy_status < 300,
        legacy_status=answer.legacy_status,
        data=answer.data,
        warnings=answer.warnings,
    )
