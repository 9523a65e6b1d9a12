"""Runs a tool for a caller: arguments, the operation, and a short answer.

What the operation refuses is an answer, too, with its code and its sentence, so that a model can do better. What needs
an approval is no failure: the answer says where a person gives it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import orjson
from starlette.requests import HTTPConnection

from core.errors import AppError, ValidationFailed
from core.json_text import dumps_row
from core.rate_limits import Limit
from db.lists import CursorPage, PageArgs, conditions
from doors.mcp.tool import Tool
from resolvers import approvals
from runtime import links
from runtime.context import Context
from runtime.repeated_calls import key_of
from runtime.services import Services
from runtime.viewers import Viewer
from shapes.approvals import AskApproval

_APPROVAL: Final = "approval_required"
_CALLS: Final = Limit("tool-calls", 300, 60.0)
_LARGEST: Final = 64 * 1024
"""Bytes of the arguments of one call."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Holds the answer of a tool: one text, which is JSON."""

    text: str
    failed: bool


class ToolContext(Context):
    """The context of one call of a tool, whose idempotency key is an argument and not a header."""

    def __init__(self, services: Services, connection: HTTPConnection) -> None:
        super().__init__(services, connection)
        self.key: str | None = None

    @property
    def idempotency_key(self) -> str | None:
        """Returns the key under which the operation runs, or None."""
        return self.key

    @property
    def replayed(self) -> bool:
        """Returns whether the operation answered what it had answered before."""
        return "idempotent-replayed" in self.connection.scope["postern"]["headers"]


async def call(ctx: ToolContext, tool: Tool, sent: Mapping[str, Any]) -> Answer:
    """Runs a tool. Raises Unauthenticated; every other error of the operation is an answer."""
    viewer = await ctx.viewer()
    try:
        _require_small(sent)
        arguments = tool.arguments(sent)
        if tool.sends:
            ctx.key = await _key(ctx, viewer, tool, sent)
        answer = await tool.call(ctx, *arguments.values())
    except AppError as error:
        if error.code == _APPROVAL:
            return _result(await _approval(ctx, arguments, error))
        if error.status == HTTPStatus.UNAUTHORIZED:
            raise
        return _result(_failure(error), failed=True)
    return _result(_answer(tool, answer) | ({"repeated": True} if ctx.replayed else {}))


def _require_small(sent: Mapping[str, Any]) -> None:
    """Raises ValidationFailed for arguments that are too long, or nested too deeply."""
    try:
        size = len(orjson.dumps(sent))
    except TypeError as error:
        raise ValidationFailed(["the arguments are nested too deeply"]) from error
    if size > _LARGEST:
        raise ValidationFailed([f"the arguments have more than {_LARGEST} bytes"])


async def _key(ctx: ToolContext, viewer: Viewer, tool: Tool, sent: Mapping[str, Any]) -> str:
    """Returns the key under which a tool runs that sends. Raises ValidationFailed, Unprocessable, Forbidden, NotFound,
    RateLimited.
    """
    key, again = _idempotency(sent)
    # A caller who may not run it leaves no row.
    await tool.operation.refuse_first(ctx)
    if tool.operation.switch is not None:
        await ctx.services.choices.require(tool.operation.switch)
    caller = viewer.token_id or viewer.limited_by or viewer.session_id or viewer.actor_id
    await ctx.services.limiter.enforce(_CALLS, str(caller), "calls that send")
    work = {name: value for name, value in sent.items() if name not in ("idempotencyKey", "again")}
    act = {"tool": tool.name, "arguments": work}
    # What starts and stops again is not the same act twice: its state refuses a second start.
    return await key_of(ctx.services.db, viewer.id, caller, key, act, again=again or not tool.is_same_act)


def _idempotency(sent: Mapping[str, Any]) -> tuple[str, bool]:
    """Returns the caller's key, and whether the work is to be done again. Raises ValidationFailed."""
    key, again = sent["idempotencyKey"], sent.get("again", False)
    if not isinstance(key, str) or not 1 <= len(key) <= 200 or not key.isascii() or not key.isprintable():
        raise ValidationFailed(["idempotencyKey: it must have 1 to 200 printable ASCII characters"])
    if not isinstance(again, bool):
        raise ValidationFailed(["again: it must be true or false"])
    return key, again


def _answer(tool: Tool, answer: Any) -> dict[str, Any]:
    if isinstance(answer, CursorPage):
        items = [tool.answer(row) for row in answer.items]
        return {"items": items} | ({"next": answer.next} if answer.next else {})
    return tool.answer(answer)


def _failure(error: AppError) -> dict[str, Any]:
    wait = {"retryAfterSeconds": error.headers["Retry-After"]} if "Retry-After" in error.headers else {}
    details = {"details": error.details} if error.details else {}
    return {"error": {"code": error.code, "message": error.message, **wait, **details}}


async def _approval(ctx: ToolContext, arguments: Mapping[str, Any], error: AppError) -> dict[str, Any]:
    """Returns the answer for a call that needs an approval, which it asks for if the arguments have a plan's hash.
    Nothing is approved.
    """
    answer = {"approvalRequired": True, "code": error.code, "message": error.message}
    project, input = arguments.get("id"), arguments.get("input")
    hash = getattr(input, "plan_hash", None)
    if project is None or hash is None:
        return {**answer, "next": "Make a project for these people and plan it: a person can approve a plan."}
    ctx.key = None  # the key is that of the start
    try:
        approval = await approvals.ask(ctx, project, AskApproval(plan_hash=hash))
    except AppError as refused:
        if refused.code != "already_asked":
            return {**answer, "planHash": hash, "next": refused.message}
        where = conditions({("project_id", "eq"): project})
        page = await approvals.page(ctx, PageArgs(first=1), where)
        approval = page.items[0]
    address = f"{links.base(ctx.services.settings)}/console/approvals/{approval.id}"
    says = (
        "A person has to approve this plan there. Then call start_project again, with a new idempotencyKey."
    )
    return {**answer, "planHash": hash, "approvalAddress": address, "next": says}


def _result(content: Mapping[str, Any], *, failed: bool = False) -> Answer:
    return Answer(dumps_row(content).decode(), failed)
