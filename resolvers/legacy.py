"""The legacy bridge: contract §2. One request to the old system, its answer re-wrapped."""

from collections.abc import Iterable

from postern.errors import BadRequest, Unavailable, UpstreamFailed, UpstreamTimeout
from postern.legacy_bridge import LegacyPathRefused, LegacyTimeout, LegacyUnavailable
from postern.operation import Op, operation
from postern.permissions import Permission
from schema.types.legacy import LegacyEnvelope


@operation(Permission.legacy_call, "outside")
async def call(
    op: Op,
    method: str,
    path: str,
    query: str = "",
    headers: Iterable[tuple[str, str]] = (),
    body: bytes = b"",
) -> LegacyEnvelope:
    """`path` and `query` as they stand on a request line, still percent-encoded.

    Any answer of the old system is a success here. Raises Unavailable (not configured), BadRequest (a path
    that isn't forwarded), UpstreamFailed, UpstreamTimeout.
    """
    bridge = op.services.legacy
    if bridge is None:
        raise Unavailable(
            "The legacy bridge is not configured. Ask the operator to set POSTERN_LEGACY_URL.",
            code="legacy_not_configured",
        )
    # The id under which we log this request, so that both systems' logs can be joined.
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
