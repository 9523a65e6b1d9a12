"""Presence in chats (contract §4, area C). The holder of the account renews it until it ends or a message is sent."""

from core.errors import BadRequest
from engine.messengers import call_client
from messengers.port import Action
from resolvers.chats.chat_history import address
from resolvers.messenger_accounts.account_rows import Key, mine
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.presence import DEFAULT_SECONDS

MOST_SECONDS = 60


@operation(Permission.messengers_send, "outside")
async def typing(op: Op, key: Key, to: str, seconds: int = DEFAULT_SECONDS) -> None:
    """Shows "typing" to the other side for some seconds, or until a message is sent. Raises NotFound, BadRequest,
    Conflict (`wrong_state`).
    """
    await _show(op, key, to, "typing", seconds)


@operation(Permission.messengers_send, "outside")
async def recording(op: Op, key: Key, to: str, seconds: int = DEFAULT_SECONDS) -> None:
    """Shows "recording a voice message" to the other side for some seconds, or until a message is sent. Raises
    NotFound, BadRequest, Conflict (`wrong_state`).
    """
    await _show(op, key, to, "recording", seconds)


@operation(Permission.messengers_send, "outside")
async def reset(op: Op, key: Key, to: str) -> None:
    """Stops showing "typing" or "recording".

    A repeated call is no error. Raises NotFound, BadRequest, Conflict (`wrong_state`).
    """
    await _show(op, key, to, "none", 1)


async def _show(op: Op, key: Key, to: str, action: Action, seconds: int) -> None:
    account = await mine(op, key)
    if not 1 <= seconds <= MOST_SECONDS:
        raise BadRequest(f"seconds must be from 1 to {MOST_SECONDS}.", code="validation_failed")
    whom = await address(op.services.db, account, to)
    await call_client.ask(op.services, account.id, "act", {"to": whom, "action": action, "seconds": seconds})
