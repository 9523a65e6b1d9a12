"""One message over one connection: MAIL, RCPT, DATA, and the content.

The final dot decides (RFC 5321 §4.1.1.4): before it was sent the server has accepted nothing, after it only the
server's reply tells. "Sent" means that the kernel has its last octet. Octets that this process still has are dropped
when the connection is aborted, so a message that is reported as `transient` cannot arrive.
"""

from typing import Final, NamedTuple

from aiosmtplib.response import SMTPResponse

from channels.port import Outcome, Result
from channels.smtp.connection import BadReply, Connection, Disconnected, Failed
from channels.smtp.mail import Mail
from channels.smtp.replies import read_reply

_SINGLE_WRITE: Final = 64 * 1024  # octets of content that are written at once, with the dot
_CHUNK: Final = 256 * 1024  # octets of longer content between two checks whether the server has replied early
_DOT: Final = b".\r\n"
_CLOSING: Final = 421
_STEPS: Final = ("MAIL FROM", "RCPT TO", "DATA")


class Stale(Exception):
    """A pooled connection was closed before anything was sent over it."""


class Answer(NamedTuple):
    """The outcome of a message, and whether its connection can be used again."""

    outcome: Outcome
    reusable: bool


async def send(
    connection: Connection, mail: Mail, seconds: float, *, pooled: bool, pipelined: bool
) -> Answer:
    """Sends one message; each step may take `seconds`. The caller aborts a connection that is not reusable.

    Raises Stale if a pooled connection was closed while it was idle.
    """
    if mail.utf8 and "smtputf8" not in connection.extensions:
        reason = "the server cannot take addresses with letters beyond ASCII (no SMTPUTF8)"
        return Answer(Outcome(Result.refused, code="invalid_recipient", reason=reason), reusable=True)
    if mail.eight_bit and "8bitmime" not in connection.extensions:
        reason = (
            "the server takes no content beyond ASCII (no 8BITMIME); encode it as quoted-printable or base64"
        )
        return Answer(Outcome(Result.refused, code="invalid_content", reason=reason), reusable=True)
    pipelined = pipelined and "pipelining" in connection.extensions
    commands = _commands(connection, mail)
    replies: list[SMTPResponse] = []
    error: Exception | None = None
    try:
        for octets, count in (
            [(b"".join(commands), 3)] if pipelined else [(command, 1) for command in commands]
        ):
            replies += await connection.ask(octets, count, seconds)
            if read_reply(_STEPS[len(replies) - 1], replies[-1]) is not None:
                break
    except Failed as failed:
        replies += failed.replies
        error = failed.error
    if pooled and (replies[0].code == _CLOSING if replies else isinstance(error, Disconnected)):
        raise Stale
    for step, reply in zip(_STEPS, replies, strict=False):
        if (outcome := read_reply(step, reply)) is not None:
            return Answer(outcome, error is None and await _start_anew(connection, replies, seconds))
    if error is not None:
        return Answer(broken_before_dot(_STEPS[len(replies)], error), reusable=False)
    return await _content(connection, mail, seconds)


def _commands(connection: Connection, mail: Mail) -> tuple[bytes, bytes, bytes]:
    """Returns MAIL with the parameters that the server offers (RFC 1870, RFC 6152, RFC 6531), RCPT and DATA."""
    size = b" SIZE=%d" % mail.size if "size" in connection.extensions else b""
    body = (mail.utf8 or mail.eight_bit) and "8bitmime" in connection.extensions
    utf8 = (b" BODY=8BITMIME" if body else b"") + (b" SMTPUTF8" if mail.utf8 else b"")
    return (
        b"MAIL FROM:<%b>%b%b\r\n" % (mail.sender.encode(), size, utf8),
        b"RCPT TO:<%b>\r\n" % mail.recipient.encode(),
        b"DATA\r\n",
    )


async def _start_anew(connection: Connection, replies: list[SMTPResponse], seconds: float) -> bool:
    """Ends a refused transaction. Returns whether the connection can be used again."""
    if any(reply.code == _CLOSING for reply in replies):
        return False
    try:
        if len(replies) == len(_STEPS) and read_reply("DATA", replies[-1]) is None:
            # The server waits for content although it refused the recipient: it gets a single dot (RFC 2920 §3.1).
            # If it took the recipient, it would deliver an empty message.
            if read_reply("RCPT TO", replies[1]) is None:
                return False
            [reply] = await connection.ask(_DOT, 1, seconds)
            return reply.code != _CLOSING
        return await reset(connection, seconds)
    except Failed:
        return False


async def reset(connection: Connection, seconds: float) -> bool:
    """Ends a transaction by RSET. Returns whether the server agrees. Raises Failed."""
    [reply] = await connection.ask(b"RSET\r\n", 1, seconds)
    return reply.code == 250


async def _content(connection: Connection, mail: Mail, seconds: float) -> Answer:
    """Sends the content after the 354.

    After a failure the connection must be aborted and not closed: close() would still send buffered octets, and a
    message reported as `transient` must not arrive.
    """
    connection.expect(1)  # the reply can come before the dot
    connection.limit(seconds)
    dotted = False
    try:
        if sum(map(len, mail.pieces)) <= _SINGLE_WRITE:
            connection.write(b"".join((*mail.pieces, _DOT)))
            dotted = True
        else:
            dotted = await _long_content(connection, mail)
        connection.limit(seconds)
        [reply] = await connection.replies()
    except Failed as failed:
        if not dotted or connection.unwritten:
            return Answer(broken_before_dot("content", failed.error), reusable=False)
        code = "timeout" if isinstance(failed.error, TimeoutError) else "disconnected"
        reason = f"the message was handed over whole, but the server did not confirm it ({failed.error})"
        return Answer(Outcome(Result.unknown, code=code, reason=reason), reusable=False)
    whole = dotted and not connection.unwritten
    if reply.code // 100 in (4, 5):
        outcome = read_reply("content", reply) or Outcome(Result.sent)
        return Answer(outcome, whole)
    if not whole:  # a positive reply to an incomplete message means nothing
        return Answer(broken_before_dot("content", BadReply("unexpected reply")), reusable=False)
    if reply.code // 100 != 2:
        reason = f"the message was handed over whole, but the server's reply means nothing ({reply.code})"
        return Answer(Outcome(Result.unknown, code="disconnected", reason=reason), reusable=False)
    return Answer(Outcome(Result.sent), reusable=True)


async def _long_content(connection: Connection, mail: Mail) -> bool:
    """Writes the content, and the dot when the kernel has all of it. Returns False if the server replied before.

    Raises Failed.
    """
    for piece in mail.pieces:
        for start in range(0, len(piece), _CHUNK):
            if connection.answered:
                return False
            connection.write(piece[start : start + _CHUNK])
            await connection.written()
    if connection.answered:
        return False
    connection.write(_DOT)
    return True


def broken_before_dot(step: str, error: Exception) -> Outcome:
    """Returns the outcome of a message whose end the server has not got."""
    code = "timeout" if isinstance(error, TimeoutError) else "disconnected"
    reason = f"{step}: {error}; the server has not taken the message"
    return Outcome(Result.transient, code=code, reason=reason)
