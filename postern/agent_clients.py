"""`postern agent-client`: registers a client of OAuth that publishes no document of its own (docs/agents.md)."""

from typing import TYPE_CHECKING, Annotated

import typer

from postern.command import fail, with_services

if TYPE_CHECKING:
    from runtime.services import Services


def agent_client(
    name: Annotated[str, typer.Argument(help="name that people see when they are asked for their consent")],
    redirect_uris: Annotated[
        list[str], typer.Argument(help="where codes may go: https, a loopback address, or a program's scheme")
    ],
) -> None:
    """Registers a client by which agents ask people for access, and prints its id. It has no secret."""
    from resolvers.agents.clients import is_redirect

    if wrong := [uri for uri in redirect_uris if not is_redirect(uri)]:
        fail(
            f"{wrong[0]} is no address for codes. Use https, a loopback address, or a scheme of the program."
        )
    if not 1 <= len(name) <= 100 or not name.isprintable():
        fail("The name must have 1 to 100 printable characters.")
    typer.echo(f"client id  {with_services(lambda opened: _registered(opened, name, redirect_uris))}")


async def _registered(services: "Services", name: str, redirect_uris: list[str]) -> str:
    from core.tokens import new_secret
    from db import models

    id = new_secret("agent_")
    async with services.db.session.begin() as session:
        session.add(models.AgentClient(client_id=id, name=name, redirect_uris=redirect_uris, by_itself=False))
    return id
