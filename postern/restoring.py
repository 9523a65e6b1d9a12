"""The commands `postern backup`, `postern restore` and `postern resume`, and what they print."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from postern.command import fail, read_settings, run_command, with_services

if TYPE_CHECKING:
    from engine.restore.resume import Preview, Resumed

_LISTED: Final = 50  # credentials in the terminal


def backup(file: Annotated[Path, typer.Argument(help="the file to write, which must not exist")]) -> None:
    """Writes the database into a file, also while messages are sent. Files and keys are backed up apart."""
    from postern import backups, servers

    settings = read_settings()

    async def run() -> None:
        async with servers.attached(settings) as complete:
            backups.backup(complete, file)

    run_command(run(), settings)
    typer.echo(f"{file}  {file.stat().st_size:,} bytes")


def restore(
    file: Annotated[Path, typer.Argument(help="a file of `postern backup`, or of pg_dump -Fc")],
) -> None:
    """Reads a backup into the empty database that DB_STRING names. No worker sends out of it until `postern resume`."""
    from postern import backups, process, servers

    settings = read_settings()

    async def run() -> None:
        async with servers.attached(settings) as complete:
            await backups.restore(complete, file)
            await process.prepare(complete)
            await backups.fence(complete)

    run_command(run(), settings)
    typer.echo("The backup is restored. Nothing is sent until you decide about what was waiting in it:\n")
    _print_preview(with_services(_preview))
    typer.echo(
        "\npostern resume --dry-run  says this again; postern resume --help  says what you can choose."
    )


def resume(
    send: Annotated[
        bool,
        typer.Option("--send", help="messages that waited are sent, a second time if they were sent since"),
    ] = False,
    nothing_was_sent_since: Annotated[
        bool,
        typer.Option(
            "--nothing-was-sent-since", help="you know it, as after a move to another server: they go on"
        ),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="says what waits, and changes nothing")] = False,
) -> None:
    """Lets a restored database send again. Messages that waited in it become unknown, unless you choose otherwise.

    All logins end; promotional, repeatable and scheduled projects are stopped until a person starts each.
    """
    from engine.restore import resume as resuming
    from shapes.restores import ResumePolicy

    if send and nothing_was_sent_since:
        fail("Choose one of --send and --nothing-was-sent-since.")
    if dry_run:
        _print_preview(with_services(_preview))
        return
    policy = ResumePolicy.unknown
    if send:
        policy = ResumePolicy.send
    elif nothing_was_sent_since:
        policy = ResumePolicy.nothing_sent

    async def run(opened: Any) -> "Resumed":
        from postern.operator import audited

        async with audited(opened, "resume"):
            return await resuming.resume(opened, policy, typer.echo)

    _print_resumed(with_services(run), policy)


async def _preview(opened: Any) -> "Preview":
    from engine.restore import resume as resuming

    return await resuming.preview(opened)


def _print_preview(preview: "Preview") -> None:
    typer.echo(f"fenced     {preview.fenced_at:%Y-%m-%d %H:%M:%S} UTC: {preview.reason.description}")
    typer.echo(f"data       until about {preview.data_at:%Y-%m-%d %H:%M:%S} UTC")
    typer.echo(f"messages   {preview.direct:,} direct ones and {preview.records:,} of projects waited")


def _print_resumed(done: "Resumed", policy: Any) -> None:
    moved = (
        "changed"
        if policy == "nothing_sent"
        else "are unknown now"
        if policy == "unknown"
        else "are sent again"
    )
    typer.echo(f"\nmessages   {done.direct:,} direct ones and {done.records:,} of projects {moved}")
    typer.echo(f"projects   {done.projects:,} stopped (restored); start those that are still wanted")
    typer.echo(f"logins     {done.logins:,} ended")
    typer.echo(f"feeds      {done.feeds:,}; their readers begin anew")
    again = done.replayed
    typer.echo(
        f"journal    {again.withdrawals:,} withdrawals, {again.blocks:,} blocks and {again.erasures:,} erasures were"
        " done again"
    )
    if again.not_found:
        typer.echo(f"           {again.not_found:,} erased addresses are in no row any more")
    if done.credentials:
        typer.echo("\nThese work, and may have been ended since the backup. End those that must not:\n")
    for row in done.credentials[:_LISTED]:
        used = f"{row['last_used_at']:%Y-%m-%d}" if row["last_used_at"] else "never used"
        typer.echo(f"  {row['kind']:<11} {row['name']}  of {row['email'] or 'the installation'}, {used}")
    if len(done.credentials) > _LISTED:
        typer.echo(f"  … and {len(done.credentials) - _LISTED:,} more")
