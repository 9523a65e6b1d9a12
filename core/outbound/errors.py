"""The errors that a call to another server raises if there is no response."""

from typing import Literal

# `busy`: all connections of the client were in use. `bad_answer`: the answer is not HTTP.
Code = Literal[
    "busy",
    "connect_timeout",
    "connect_failed",
    "proxy_failed",
    "timeout",
    "connection_lost",
    "bad_answer",
]


class UrlRefused(Exception):
    """The URL may not be called. Not a network failure: a retry never helps, only another URL does.

    `code` is `url_invalid`, `url_scheme`, `url_userinfo`, `url_port` or `url_private`; `reason` is a
    sentence for the user. Neither repeats the URL, which may contain a secret.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class CallFailed(Exception):
    """No response came. The text says why; it may name the host, but no path and no secret.

    `may_have_left` says whether the server may have received the whole request, and so may have acted on it.
    """

    def __init__(self, code: Code, reason: str, *, may_have_left: bool) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.may_have_left = may_have_left

    @property
    def timed_out(self) -> bool:
        """Returns whether the time was over, be it before or after the request was sent."""
        return self.code in ("busy", "connect_timeout", "timeout")
