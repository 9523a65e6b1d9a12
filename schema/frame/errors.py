"""Renders errors in GraphQL: `errors[].extensions {code, message, details}`, with REST's code and sentence."""

import re
from typing import Any

import structlog
from graphql import GraphQLError
from strawberry.exceptions import StrawberryInputCoercionError
from strawberry.pydantic.error import InputValidationError

from core.errors import AppError, ValidationFailed
from core.logs import redact
from core.validation import readable_message

_LONGEST = 1000
"""Characters of a message of graphql-core, which quotes the caller's text: the patterns here take quadratic time."""
_SUGGESTION = re.compile(r" Did you mean [^?]*\?")

log = structlog.get_logger("postern.graphql")
# graphql-core quotes the whole input, which may contain a password.
_QUOTED = re.compile(r"(represent [\w -]*value): .*|, found: .*", re.DOTALL)


def render(error: GraphQLError, request_id: str, *, explorable: bool = True) -> GraphQLError:
    """Returns the error as the caller may see it. Called once for every error of a request.

    graphql-core suggests names for a misspelled field, argument or value, in several messages;
    `explorable=False` removes them.
    """
    cause = error.original_error
    if isinstance(error, InputValidationError) or isinstance(cause, InputValidationError):
        invalid = error if isinstance(error, InputValidationError) else cause
        assert isinstance(invalid, InputValidationError)
        return _as_graphql(error, ValidationFailed([_rule(item) for item in invalid.errors]))
    if isinstance(cause, AppError):
        return _as_graphql(error, cause)
    if cause is None or isinstance(cause, (GraphQLError, StrawberryInputCoercionError)):
        # An invalid document or variable: graphql-core's own message is good.
        error.extensions = {"code": "bad_request", **(error.extensions or {})}
        message = error.message if len(error.message) <= _LONGEST else f"{error.message[:_LONGEST]}…"
        error.message = _QUOTED.sub(lambda match: match[1] or "", message)
        if not explorable:
            error.message = _SUGGESTION.sub("", error.message)
        return error
    log.error("unexpected failure", path=error.path, error=redact(str(cause)), exc_info=cause)
    return GraphQLError(
        f"Something went wrong on our side. Tell the operator this request id: {request_id}",
        nodes=error.nodes,
        path=error.path,
        extensions={"code": "internal_error"},
    )


def _as_graphql(error: GraphQLError, cause: AppError) -> GraphQLError:
    extensions: dict[str, Any] = {"code": cause.code, "message": cause.message}
    if cause.details:
        extensions["details"] = cause.details
    return GraphQLError(cause.message, nodes=error.nodes, path=error.path, extensions=extensions)


def rules_of(invalid: InputValidationError, depth: int) -> list[str]:
    """Returns one sentence for each broken rule of an input that lies so deep in the arguments."""
    return [_rule(item, depth) for item in invalid.errors]


def _rule(item: Any, depth: int = 0) -> str:
    where = ".".join(part for part in item.location[depth:] if part != "input")
    message = readable_message(item.type, item.message)
    if item.type == "extra_forbidden":
        return f"{where} is not a known field; leave it out"
    return f"{where}: {message[:1].lower()}{message[1:]}" if where else message
