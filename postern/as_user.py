"""`postern send` and `postern import`: operations that a person at a shell runs as a user, without a login."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from postern.command import fail, with_services

T = TypeVar("T")

_CHUNK = 256 * 1024
_LOOK = 0.25  # seconds between two looks at the state
_ENDED = {"sent", "delivered", "failed", "unknown", "canceled"}
_As = Annotated[str | None, typer.Option("--as", help="the user's email; default: the oldest administrator")]
_Wait = Annotated[float, typer.Option(min=0, help="seconds to wait for the result; 0: do not wait")]


def send(
    channel: Annotated[str, typer.Argument(help="sms, email or push")],
    to: Annotated[str, typer.Argument(help="a phone such as +4915112345678, an email address, or a token")],
    text: Annotated[str, typer.Argument(help="the message")],
    subject: Annotated[str | None, typer.Option(help="of an email; default: its first line")] = None,
    user: _As = None,
    wait: _Wait = 30,
) -> None:
    """Sends one message as a user, and prints what became of it. The exit code is 1 if it failed or is unknown."""

    async def work(opened: Any) -> tuple[Any, str]:
        from postern.operator import checked
        from resolvers import messages
        from shapes.messages import MessageChannel, SendMessage

        metadata = {"subject": subject or text.partition("\n")[0][:100]} if channel == "email" else None
        input = SendMessage(
            to=to, channel=checked("CHANNEL", MessageChannel, channel), body=text, metadata=metadata
        )
        context = await _context(opened, user)
        row = await messages.send(context, input)
        return await _until(
            wait, lambda: messages.get(context, row.id), lambda row: row.state in _ENDED
        ), str(row.id)

    row, id = with_services(work)
    reason = f": {row.failure_reason}" if row.failure_reason else ""
    typer.echo(f"message   {id}")
    typer.echo(f"state     {row.state}{f' by {row.provider}' if row.provider else ''}{reason}")
    if row.provider == "sandbox":
        typer.echo("          The channel is the sandbox, so nothing left this machine.")
    elif row.state not in _ENDED:
        typer.echo("          It is under way: a worker has to run (`postern serve` has one).")
    if row.state in ("failed", "unknown"):
        raise typer.Exit(1)


def import_contacts(
    file: Annotated[
        Path, typer.Argument(help="CSV, TXT, JSON, NDJSON, XLSX, XLS or ODS", exists=True, dir_okay=False)
    ],
    topic: Annotated[
        list[str] | None, typer.Option(help="the key of a topic to subscribe them to; may be repeated")
    ] = None,
    evidence: Annotated[
        str | None, typer.Option(help="where the proof is that these people want it; needed with --topic")
    ] = None,
    channel: Annotated[str, typer.Option(help="the channel of the subscriptions")] = "email",
    user: _As = None,
    wait: _Wait = 600,
) -> None:
    """Imports contacts from a file as a user; columns are recognized by their names and contents.

    The exit code is 1 if the file could not be read.
    """
    if topic and not evidence:
        fail('With --topic say where the proof of consent is: --evidence "ticked at the order in our shop".')

    async def work(opened: Any) -> Any:
        from core.http.multipart import Reader
        from postern.operator import checked
        from resolvers import contact_imports, files, imports
        from shapes.contact_imports import ImportSubscription, NewContactImport
        from shapes.imports import ImportStatus
        from shapes.sending_projects import ProjectChannel

        context = await _context(opened, user)
        owner = (await context.viewer()).id
        subscribe = None
        if topic:
            subscribe = ImportSubscription(
                topic_uuids=[await _topic(opened, owner, key) for key in topic],
                channel=checked("--channel", ProjectChannel, channel),
                evidence=evidence or "",
            )
        uploaded = await files.upload(context, Reader("multipart/form-data; boundary=postern", _form(file)))
        made = await contact_imports.create(
            context, NewContactImport(file_uuid=uploaded.id, create_fields=True, subscribe=subscribe)
        )
        return await _until(
            wait, lambda: imports.get(context, made.id), lambda row: row.status != ImportStatus.processing
        )

    row = with_services(work)
    typer.echo(f"import    {row.id}")
    typer.echo(f"status    {row.status}{f': {row.status_reason}' if row.status_reason else ''}")
    typer.echo(f"rows      {row.total}, of which {row.valid} are valid and {row.invalid} are not")
    if row.status == "processing":
        typer.echo("          It goes on: a worker has to run (`postern serve` has one).")
    if row.status == "failed":
        raise typer.Exit(1)


async def _context(opened: Any, email: str | None) -> Any:
    """Returns the context of operations that the user runs. Ends the command with a sentence if there is none."""
    from core.ids import uuid7
    from runtime.context import Context
    from runtime.viewers import Viewer

    row = await opened.db.fetchrow(
        """
        SELECT id, roles FROM users WHERE status = 'active'
          AND CASE WHEN $1::text IS NULL THEN 'admin' = ANY (roles) ELSE email = lower($1) END
        ORDER BY id LIMIT 1
        """,
        email,
    )
    if row is None:
        fail(
            f"There is no active user {email}. Create one: postern user create {email}"
            if email
            else "There is no administrator yet. Make one: postern open, or postern user create EMAIL --admin"
        )
    return Context.without_request(opened, Viewer(row["id"], frozenset(row["roles"])), str(uuid7()))


async def _topic(opened: Any, owner: Any, key: str) -> Any:
    id = await opened.db.fetchval("SELECT id FROM topics WHERE owner_id = $1 AND key = $2", owner, key)
    if id is None:
        keys = await opened.db.fetch(
            "SELECT key FROM topics WHERE owner_id = $1 ORDER BY key LIMIT 20", owner
        )
        there = (
            ", ".join(row["key"] for row in keys) or "none; make one in the console under Contacts, Topics"
        )
        fail(f"There is no topic {key}. The topics are: {there}.")
    return id


async def _form(file: Path) -> AsyncIterator[bytes]:
    """Yields a multipart form with the file (RFC 7578)."""
    name = file.name.replace("\\", "").replace('"', "")
    yield (
        f'--postern\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    ).encode()
    with file.open("rb") as opened:
        while chunk := await asyncio.to_thread(opened.read, _CHUNK):
            yield chunk
    yield b"\r\n--postern--\r\n"


async def _until(seconds: float, read: Callable[[], Awaitable[T]], ended: Callable[[T], bool]) -> T:
    """Reads until the row has ended, or the time is over. Returns the last row."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while not ended(row := await read()) and loop.time() < until:  # noqa: ASYNC110  there is no event for it
        await asyncio.sleep(_LOOK)
    return row
