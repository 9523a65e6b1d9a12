"""The commands `postern dkim`: the installation's keys, which sign emails with a channel's own From."""

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    import asyncpg

    from engine.domains.dkim_keys import NewKey
    from runtime.services import Services

app = typer.Typer(no_args_is_help=True, help="Keys that sign emails.")

_LINE: Final = 255  # characters of one string of a TXT record (RFC 1035 §3.3.14)


@app.command("create")
def create(
    domain: str,
    algorithm: Annotated[
        str,
        typer.Option(
            help="rsa, which all receivers verify, or ed25519 for a key that signs beside one of RSA"
        ),
    ] = "rsa",
) -> None:
    """Makes a key for the emails of a domain and prints its DNS record. It signs when you activate it.

    For a rotation create the next key, set its record, and activate it; both records are published until then.
    """
    from postern.command import with_services

    key = with_services(lambda opened: _create(opened, domain, algorithm))
    _print_record(key.domain, key.selector, key.algorithm, key.public_key)
    typer.echo(f"\nThen, when the record is published:  postern dkim activate {key.domain} {key.selector}")


@app.command("list")
def list_keys(domain: Annotated[str | None, typer.Argument()] = None) -> None:
    """Prints the installation's keys with their records, without their private parts."""
    from postern.command import with_services

    rows = with_services(lambda opened: _rows(opened, domain))
    for row in rows:
        since = f"{row['state']} since {row['state_at']:%Y-%m-%d %H:%M}Z"
        typer.echo(f"{row['domain']}  {row['selector']}  {row['algorithm']}  {since}")
        _print_record(row["domain"], row["selector"], row["algorithm"], row["public_key"])
    if not rows:
        typer.echo("There are no keys. Make one with: postern dkim create DOMAIN")


@app.command("activate")
def activate(domain: str, selector: str) -> None:
    """Has a key sign from now on, instead of the one before. Keep that one's record for a week."""
    from postern.command import with_services

    retired = with_services(lambda opened: _activate(opened, domain, selector))
    typer.echo(f"{selector} signs emails of {domain} within a minute.")
    for other in retired:
        typer.echo(
            f"{other} signs no more. Remove its record in a week, then: postern dkim delete {domain} {other}"
        )


@app.command("delete")
def delete(domain: str, selector: str) -> None:
    """Deletes a key. Without another active one, emails of the domain are not signed any more."""
    from postern.command import with_services

    with_services(lambda opened: _delete(opened, domain, selector))
    typer.echo("deleted")


async def _create(services: "Services", domain: str, algorithm: str) -> "NewKey":
    from engine.domains import dkim_keys
    from postern.operator import audited, checked
    from shapes.domains import DkimAlgorithm, DomainName

    name = checked("DOMAIN", DomainName, domain)
    chosen = checked("--algorithm", DkimAlgorithm, algorithm)
    key = await dkim_keys.new_key(services.vault, None, name, chosen, services.db.now())
    async with audited(services, "dkim.create"), services.db.transaction() as connection:
        await dkim_keys.insert(connection, key)
    return key


async def _rows(services: "Services", domain: str | None) -> "Sequence[Any]":
    from engine.domains import dkim_keys

    return await dkim_keys.of_owner(services.db, None, domain)


async def _activate(services: "Services", domain: str, selector: str) -> "Sequence[str]":
    from engine.domains import dkim_keys
    from postern.operator import audited

    async with audited(services, "dkim.activate"), services.db.transaction() as connection:
        return await dkim_keys.activate(connection, await _key(connection, domain, selector))


async def _delete(services: "Services", domain: str, selector: str) -> None:
    from postern.operator import audited

    async with audited(services, "dkim.delete"), services.db.transaction() as connection:
        id = await _key(connection, domain, selector)
        await connection.execute("DELETE FROM dkim_keys WHERE id = $1", id)


async def _key(connection: "asyncpg.Connection", domain: str, selector: str) -> "UUID":
    """Returns the id of a key of the installation. Raises NotFound."""
    from core.errors import NotFound
    from engine.domains import dkim_keys

    for row in await dkim_keys.of_owner(connection, None, domain.lower()):
        if row["selector"] == selector:
            id: UUID = row["id"]
            return id
    raise NotFound(f"There is no key {selector} of {domain}. List them with: postern dkim list")


def _print_record(domain: str, selector: str, algorithm: str, public_key: str) -> None:
    """Prints the record of a key, as a form of a DNS provider and as a zone file want it."""
    from engine.domains import dkim_keys

    record = dkim_keys.record(domain, selector, algorithm, public_key)
    parts = [record.value[start : start + _LINE] for start in range(0, len(record.value), _LINE)]
    typer.echo(f"  name   {record.name}")
    typer.echo("  type   TXT")
    typer.echo(f"  value  {record.value}")
    strings = " ".join(f'"{part}"' for part in parts)
    typer.echo(f"  zone   {record.name}. IN TXT {strings}")
