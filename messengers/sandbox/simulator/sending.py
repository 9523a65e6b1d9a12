"""Sends a message of a sandbox account, with the result that the recipient's magic number asks for."""

import asyncio
from datetime import UTC, datetime, timedelta

from messengers.port import Outgoing, Refused, Sent, Throttled, Uncertain, Unreachable, Unsupported
from messengers.sandbox.simulator import contacts
from messengers.sandbox.simulator.connections import Gone, Home, Link
from messengers.sandbox.simulator.scenarios import Recipient, address, recipient
from messengers.sandbox.simulator.simulation import Simulation

LONGEST = 4096  # characters, as at Telegram
MOST_MEDIA = 50 * 2**20  # bytes
MOST_CONTENT = 10
FLOOD_SECONDS = 60


async def send(simulation: Simulation, link: Link, message: Outgoing) -> Sent:
    """Sends a message. Raises Refused, Throttled, Unreachable, Uncertain, Unsupported."""
    to, text = _address(message), _text(message)
    scenario = recipient(to)
    if scenario is not None:
        await _before(simulation, link.home, scenario, message)
    try:
        sent = await contacts.write(
            simulation,
            link.home,
            to,
            text,
            media=message.media,
            reply_to=message.reply_to,
            item=message.item,
            by=link,
        )
    except Gone:
        raise Unreachable("The connection was closed by the messenger; nothing was sent.") from None
    if scenario is Recipient.timeout and await simulation.first_time(f"{link.home}:{message.item}"):
        await asyncio.sleep(simulation.moment)
        raise Uncertain("The sandbox took the message and did not answer.")
    return sent


def _address(message: Outgoing) -> str:
    if message.template is not None:
        raise Unsupported("The sandbox does not support templates. Send a text.")
    if (to := address(message.to)) is None:
        raise Refused(
            "The messenger has no account for this recipient. Check the address.", code="invalid_recipient"
        )
    return to


def _text(message: Outgoing) -> str:
    """Returns the text without NUL, as the real messengers do. Raises Refused."""
    text = message.text.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Refused(
            "The text is not valid Unicode. Remove lone surrogates from it.", code="invalid_text"
        ) from None
    if not text.strip() and not message.media:
        raise Refused("A message needs a text or a file. Send one of them.", code="empty_message")
    if len(text) > LONGEST:
        raise Refused(f"A text may have at most {LONGEST} characters. Shorten it.", code="message_too_long")
    if len(message.media) > MOST_CONTENT or any(len(file.data) > MOST_MEDIA for file in message.media):
        raise Refused(
            f"A message may have at most {MOST_CONTENT} files of at most {MOST_MEDIA >> 20} MiB each. Send"
            " fewer or smaller files.",
            code="media_too_large",
        )
    return text


async def _before(simulation: Simulation, home: Home, scenario: Recipient, message: Outgoing) -> None:
    """Plays the recipient's magic before the message is accepted."""
    now = datetime.now(UTC)
    if scenario is Recipient.failed:
        raise Refused(
            "The sandbox's recipient for failures has no account. Use another recipient.",
            code="invalid_recipient",
        )
    if scenario is Recipient.privacy:
        raise Refused(
            "This recipient accepts no messages from unknown senders. Use another recipient.", code="privacy"
        )
    if scenario is Recipient.flood:
        until = now + timedelta(seconds=FLOOD_SECONDS)
        raise Throttled("The sandbox's flood recipient: too many messages.", until=until)
    if scenario is Recipient.silent:
        await asyncio.sleep(2 * simulation.moment)
        raise Uncertain("The sandbox's silent recipient never answers.")
    if scenario is Recipient.slow:
        await asyncio.sleep(2 * simulation.moment)
    if scenario in (Recipient.flaky, Recipient.throttled) and await simulation.first_time(
        f"{home}:{message.item}"
    ):
        if scenario is Recipient.flaky:
            raise Unreachable("The sandbox's flaky recipient: try again.")
        until = now + timedelta(seconds=simulation.moment)
        raise Throttled("The sandbox's throttled recipient: try again in a moment.", until=until)
