"""The command line `postern`. Other modules are imported inside the commands, so that `--help` is fast."""

import asyncio
import gc
import os
import signal
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from postern.agent_clients import agent_client
from postern.as_user import import_contacts, send
from postern.command import fail, read_settings, run_command, with_services
from postern.dkim import app as dkim
from postern.door_commands import serve_mcp, serve_smtp
from postern.first_run import init, open_console
from postern.restoring import backup, restore, resume
from postern.upgrading import upgrade
from postern.verify import app as signing_key
from postern.verify import verify

if TYPE_CHECKING:
    from core.settings import Settings
    from shapes.purposes import Module

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
user = typer.Typer(no_args_is_help=True, help="Users.")
token = typer.Typer(no_args_is_help=True, help="API tokens.")
for name, commands in (
    ("user", user),
    ("token", token),
    ("dkim", dkim),
    ("signing-key", signing_key),
):
    app.add_typer(commands, name=name)
for command in (agent_client, init, send, backup, restore, resume, upgrade, verify):
    app.command()(command)
app.command("open")(open_console)
app.command("import")(import_contacts)
app.command("mcp")(serve_mcp)
app.command("smtpd")(serve_smtp)

T = TypeVar("T")


def _version(requested: bool) -> None:
    if requested:
        from core.version import __version__

        print(f"postern {__version__}")
        raise typer.Exit


@app.callback()
def main(
    env_file: Annotated[
        Path | None,
        typer.Option("--env-file", help="a file with settings; the environment takes precedence over it"),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="prints the version and exits")
    ] = False,
) -> None:
    """A messaging gateway that companies run themselves."""
    if threading.current_thread() is threading.main_thread():
        # During imports Python sometimes drops a Ctrl-C (importlib's callbacks ignore exceptions that are raised in
        # them), and it is not sent again. Nothing has been started yet that would need an orderly end.
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    if env_file is not None:
        from core.database_options import BadSettings
        from core.settings_files import use_file

        try:
            use_file(env_file)
        except BadSettings as error:
            fail(str(error))


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="default 127.0.0.1")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="default 3000; 0 picks any free port")
    ] = None,
    no_worker: Annotated[bool, typer.Option("--no-worker", help="only the API")] = False,
    demo: Annotated[
        bool, typer.Option("--demo", help="with demo data and its users, who log in from this machine alone")
    ] = False,
) -> None:
    """The API, and the workers in the same process tree. With no DB_STRING also PostgreSQL and Redis."""
    gc.disable()  # until `process.settle`: a start makes many objects and drops hardly any
    from postern import process, servers

    changes = {"host": host, "port": port, "workers": 0 if no_worker else None}
    settings = read_settings(**changes)
    if demo:
        _require_embedded(settings)
    demo_marker = process.filled(settings.data_dir)

    async def run() -> None:
        process.require_routes(settings)
        process.require_doors(settings)
        with process.listening(settings) as sockets:
            # Imported while the servers start, and by this thread alone: two threads in one cycle of imports would
            # see an incomplete module.
            loading = asyncio.create_task(asyncio.to_thread(import_module, "postern.app"))
            async with servers.embedded(process.served(settings, sockets)) as complete:
                await loading
                await process.prepare(complete)
                from postern import start_users, welcome

                if demo and not demo_marker.exists():
                    from postern.demo import fill

                    await fill(complete)
                    demo_marker.touch()
                users = await start_users.settle(complete, demo=demo, terminal=sys.stdout.isatty())
                await process.serve(
                    complete,
                    sockets,
                    lambda port, works: print(
                        welcome.welcome(complete, port, users, works=works), flush=True
                    ),
                    embedded=settings.embedded,
                )

    run_command(run(), settings, is_service=True)


@app.command()
def worker(child: Annotated[bool, typer.Option("--child", hidden=True)] = False) -> None:
    """Sends what is queued. Any number, on any number of machines."""
    gc.disable()  # as in `serve`
    from postern import process, servers, work

    settings = read_settings()

    async def run() -> None:
        process.require_routes(settings)
        async with servers.embedded(settings) as complete:
            await work.work(complete, child=child)

    run_command(run(), settings, is_service=True)


@app.command()
def sinks(child: Annotated[bool, typer.Option("--child", hidden=True)] = False) -> None:
    """Publishes to event sinks and does nothing else. While it runs, workers leave that to it."""
    gc.disable()  # as in `serve`
    from postern import servers, work

    settings = read_settings()

    async def run() -> None:
        async with servers.attached(settings) as complete:
            await work.work(complete, child=child, sinks=True)

    run_command(run(), settings, is_service=True)


@app.command()
def migrate() -> None:
    """Brings the database's schema up to date."""
    from postern import process, servers

    settings = read_settings()

    async def run() -> bool:
        async with servers.attached(settings) as complete:
            return await process.prepare(complete)

    migrated = run_command(run(), settings)
    print("The schema was migrated, and is up to date." if migrated else "The schema was up to date already.")


@user.command("create")
def user_create(
    email: str,
    admin: Annotated[bool, typer.Option("--admin")] = False,
    password: Annotated[str | None, typer.Option(help="generated and printed if not given")] = None,
) -> None:
    """Makes an active user with a first account; prints the id, and the password if it made one."""
    from postern import operator

    made = with_services(lambda opened: operator.create_user(opened, email, admin=admin, password=password))
    print(f"id        {made.id}")
    if made.password:
        print(f"password  {made.password}")


@user.command("password")
def user_password(
    email: str,
    password: Annotated[str | None, typer.Option(help="generated and printed if not given")] = None,
) -> None:
    """Sets the password of a user who has forgotten it, and ends all logins of this user. Make sure first who is
    asking.

    A second factor stays, and so do API tokens.
    """
    from postern import operator

    made = with_services(lambda opened: operator.set_password(opened, email, password))
    print(f"password  {made}" if made else "changed")


@user.command("second-factor")
def user_second_factor(
    email: str,
    remove: Annotated[
        bool,
        typer.Option("--remove", help="removes it with its recovery codes; logins go on by the password"),
    ] = False,
) -> None:
    """Removes the second factor of a user who has lost it. Make sure first who is asking."""
    from postern import operator

    if not remove:
        fail(f"To remove the second factor of {email}, add --remove.")
    removed = with_services(lambda opened: operator.remove_second_factor(opened, email))
    print("removed" if removed else "there was none")


@token.command("create")
def token_create(
    email: str,
    name: Annotated[str, typer.Option(help="a name to recognize the token by")] = "cli",
    scope: Annotated[
        list[str] | None,
        typer.Option(help="a permission or a preset, such as messages:send or metrics; may be repeated"),
    ] = None,
    network: Annotated[
        list[str] | None,
        typer.Option(help="a network from which alone the token may be used, such as 192.0.2.0/24"),
    ] = None,
    account: Annotated[
        list[str] | None, typer.Option(help="the id of an account that the token may charge; may be repeated")
    ] = None,
    spend_per_day: Annotated[
        str | None, typer.Option(help="the most that messages of the token may cost in a day (UTC)")
    ] = None,
    messages_per_day: Annotated[
        str | None, typer.Option(help="the most messages that the token may send in a day (UTC)")
    ] = None,
    approval_above: Annotated[
        str | None,
        typer.Option(help="the most recipients that the token may reach in 24 hours without an approval"),
    ] = None,
    expires_at: Annotated[
        str | None, typer.Option(help="when the token becomes invalid, such as 2027-01-01T00:00:00Z")
    ] = None,
) -> None:
    """Makes an API token for a user and prints it, once. Without --scope it may do all that the user may."""
    from postern import operator

    limits: dict[str, Any] = {
        "spend_per_day": spend_per_day,
        "messages_per_day": messages_per_day,
        "approval_above": approval_above,
        "expires_at": expires_at,
    }
    print(
        with_services(
            lambda opened: operator.create_token(
                opened, email, name, scope or [], network or [], account_ids=account or [], **limits
            )
        )
    )


@app.command()
def credit(
    email: str,
    amount: str,
    account: Annotated[
        str | None, typer.Option(help="the account's id; default: the user's oldest account")
    ] = None,
    note: Annotated[str, typer.Option(help="a note in the ledger")] = "by the command line",
) -> None:
    """Adds money to an account of a user and prints its balance."""
    from postern import operator

    paid = with_services(lambda opened: operator.credit(opened, email, amount, account_id=account, note=note))
    print(f"account  {paid.name}")
    print(f"balance  {paid.balance.normalize():f} {paid.currency}")


@app.command()
def demo() -> None:
    """Fills an embedded database with a demo user, an administrator and some messages."""
    from core.demo import PASSWORD
    from postern import process, servers
    from postern.demo import fill
    from postern.start_users import StartUsers, settle
    from postern.welcome import DEMO_WARNING, with_roles

    settings = read_settings()
    _require_embedded(settings)

    async def run() -> tuple[list[str], StartUsers]:
        async with servers.attached(settings) as complete:
            await process.prepare(complete)
            return await fill(complete), await settle(complete, demo=True, terminal=False)

    made, users = run_command(run(), settings)
    print(f"made      {with_roles(made) or 'nobody: they exist already'}")
    if users.demo:
        print(f"log in    {with_roles(users.demo)}, password {PASSWORD}")
        print(f"          ({DEMO_WARNING}; the next `postern serve` without --demo suspends them)")


def _require_embedded(settings: "Settings") -> None:
    """Ends the command with a sentence unless the servers are embedded: others hold no demo data."""
    if not settings.embedded:
        fail(
            "Demo data can be loaded only into the embedded servers, but DB_STRING is set. Unset it, or run"
            " `postern serve` without --demo."
        )


_EVERYTHING = Annotated[bool, typer.Option("--all", help="also what POSTERN_PURPOSE switches off")]


@app.command()
def schema(everything: _EVERYTHING = False) -> None:
    """Prints the GraphQL schema (SDL)."""
    from schema.root import as_text

    print(as_text(_modules(everything)))


@app.command()
def openapi(everything: _EVERYTHING = False) -> None:
    """Prints the OpenAPI document: JSON, with a line for each operation and for each schema."""
    from postern.app import doors
    from postern.openapi_lines import lines
    from rest.frame.visible_openapi import visible

    print(lines(visible(doors(explorable=True), _modules(everything))))


def _modules(everything: bool) -> "frozenset[Module]":
    """Returns the modules to print: all of them, or those that POSTERN_PURPOSE switches on."""
    from core.modules import switched_on

    return switched_on(frozenset() if everything else frozenset(read_settings().purpose))


@app.command()
def assets(
    pin: Annotated[
        bool, typer.Option("--pin", help="for an upgrade: pins the files that the packages contain now")
    ] = False,
) -> None:
    """Installs the files of the pages /docs and /graphql, from npm's packages, and builds the web console; the service
    runs without them.
    """
    from core.assets import install
    from core.console_build import build
    from core.npm import Unavailable

    try:
        install(print, pin=pin)
    except Unavailable as error:
        fail(
            f"The API reference and GraphiQL are not installed: {error}. Everything else works without them; "
            "with a network, `make setup` installs them."
        )
    try:
        build(print)
    except Unavailable as error:
        fail(
            f"The web console is not built: {error}. Everything else works without it; with a network, "
            "`make setup` builds it."
        )


@app.command()
def doctor() -> None:
    """Looks at settings, servers, channels and files, and says what to do about what is wrong."""
    from postern.doctor import examine

    raise typer.Exit(1 if asyncio.run(examine(print)) else 0)
