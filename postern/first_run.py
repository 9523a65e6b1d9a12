"""`postern init` writes the settings of a new installation, and `postern open` says where its console is."""

import os
import secrets
from pathlib import Path
from typing import Annotated

import typer

from postern.command import fail, with_services

_COMPOSE = Path(__file__).with_name("compose.yaml")


def init(
    folder: Annotated[Path, typer.Argument(help="where to write; default: the current folder")] = Path(),
    public_url: Annotated[
        str | None, typer.Option(help="the public address, such as https://post.example.com")
    ] = None,
    purpose: Annotated[
        str | None, typer.Option(help="campaigns, answers, api, resale; several with commas")
    ] = None,
) -> None:
    """Writes postern.env and servers.env with new keys and passwords, and compose.yaml, which uses them.

    It never overwrites a file.
    """
    from shapes.purposes import Purpose

    purposes = [each.strip() for each in (purpose or "").split(",") if each.strip()]
    if wrong := [each for each in purposes if each not in list(Purpose)]:
        fail(f"--purpose {wrong[0]} is none of {', '.join(Purpose)}.")
    postgres, redis, secret, jwt = (secrets.token_urlsafe(48) for _ in range(4))
    settings = {
        "DB_STRING": f"postgresql://postern:{postgres}@postgres/postern",
        "REDIS_URL": f"redis://:{redis}@redis:6379/0",
        "POSTERN_SECRET_KEY": secret,
        "POSTERN_JWT_KEY": jwt,
        "POSTERN_CONSOLE": "true",
        **({"POSTERN_PUBLIC_URL": public_url} if public_url else {}),
        **({"POSTERN_PURPOSE": ",".join(purposes)} if purposes else {}),
    }
    servers = {
        "POSTGRES_USER": "postern",
        "POSTGRES_DB": "postern",
        "POSTGRES_PASSWORD": postgres,
        "REDISCLI_AUTH": redis,
    }
    texts = {
        "postern.env": _lines(settings),
        "servers.env": _lines(servers),
        "compose.yaml": _COMPOSE.read_text(encoding="utf-8"),
    }
    if there := [name for name in texts if (folder / name).exists()]:
        fail(
            f"{folder / there[0]} exists, and nothing is overwritten. Name another folder: postern init FOLDER"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            _write(folder / name, text)
    except OSError as error:
        fail(f"{error.filename} can't be written: {error.strerror}.")
    typer.echo(f"wrote     {', '.join(str(folder / name) for name in texts)}")
    typer.echo(
        "          The two .env files have secrets: keep postern.env with your backups, and apart from them."
    )
    typer.echo("start     docker compose up --detach     (or: podman-compose up --detach)")
    typer.echo("then      docker compose exec api postern open")


def open_console() -> None:
    """Prints the address of the console, and a one-time link that makes the first administrator."""
    from resolvers import first_user

    async def work(opened: object) -> tuple[bool, str | None, object]:
        from runtime.services import Services

        assert isinstance(opened, Services)
        if await first_user.has_admin(opened.db):
            return True, None, opened.settings
        return False, await first_user.new_link(opened), opened.settings

    from core.settings import Settings
    from postern.welcome import base_url

    has_admin, link, settings = with_services(work)
    assert isinstance(settings, Settings)
    if not settings.has_console:
        fail("The console is off. Set POSTERN_CONSOLE=true, and start Postern again.")
    base = settings.public_url or base_url(settings, settings.port)
    typer.echo(f"console   {base.rstrip('/')}/console")
    if has_admin:
        typer.echo(
            "          There is an administrator, who logs in. A new password: postern user password EMAIL"
        )
    elif link is None:
        fail("The link can't be made, because Redis is unreachable. Try again in a moment.")
    else:
        typer.echo(f"first use {base.rstrip('/')}/console/first-user#{link}")
        typer.echo("          makes the first administrator, once, within 15 minutes. Show it to nobody.")


def _lines(variables: dict[str, str]) -> str:
    return "".join(f"{name}={value}\n" for name, value in variables.items())


def _write(file: Path, text: str) -> None:
    """Writes a new file that only its owner reads. Raises FileExistsError."""
    with os.fdopen(
        os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
    ) as opened:
        opened.write(text)
