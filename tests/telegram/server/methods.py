"""Maps each request to the function that answers it."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from telethon.tl import TLRequest

if TYPE_CHECKING:
    from tests.telegram.server.link import Link
    from tests.telegram.server.telegram import Telegram

Method = Callable[["Telegram", "Link", Any], Awaitable[Any]]
METHODS: dict[type[TLRequest], Method] = {}


def answers(*requests: type[TLRequest]) -> Callable[[Method], Method]:
    def keep(method: Method) -> Method:
        for each in requests:
            METHODS[each] = method
        return method

    return keep


from tests.telegram.server import chatting, logins  # noqa: E402, F401  they fill METHODS
