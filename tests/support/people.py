"""Somebody who uses the service in a test."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

import httpx

from core.ids import uuid7
from db import ledger, models
from resolvers.auth import new_users
from runtime.services import Services
from shapes.accounts import EntryKind
from shapes.users import Role

PASSWORD = "correct horse battery"


@dataclass
class Person:
    """A user who is logged in, with the calls of both doors."""

    id: UUID
    email: str
    account_id: UUID
    token: str
    client: httpx.AsyncClient
    acts_for: UUID | None = None

    @property
    def headers(self) -> dict[str, str]:
        owner = {"X-Postern-Owner": str(self.acts_for)} if self.acts_for else {}
        return {"Authorization": f"Bearer {self.token}", **owner}

    async def rest(self, method: str, path: str, **options: Any) -> httpx.Response:
        headers = {**self.headers, **options.pop("headers", {})}
        return await self.client.request(method, path, headers=headers, **options)

    async def graphql(self, query: str, variables: Any = None, **headers: str) -> dict[str, Any]:
        """The whole answer, `data` and `errors`."""
        answer = await self.client.post(
            "/graphql",
            json={"query": query, "variables": variables},
            headers={**self.headers, **headers},
        )
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    async def data(self, query: str, variables: Any = None) -> Any:
        """`data`, when there are no errors."""
        body = await self.graphql(query, variables)
        assert "errors" not in body, body["errors"]
        return body["data"]

    async def code(self, query: str, variables: Any = None) -> str:
        """The code of the only error."""
        body = await self.graphql(query, variables)
        (error,) = body["errors"]
        return str(error["extensions"]["code"])


class People:
    """Makes users straight in the database: logging in is tested where logging in is the matter."""

    def __init__(self, services: Services, client: httpx.AsyncClient) -> None:
        self.services, self.client = services, client

    async def make(self, email: str | None = None, *, admin: bool = False, credit: str = "0") -> Person:
        email = email or f"{uuid7()}@example.com"
        async with self.services.db.session.begin() as session:
            user = await new_users.make_user(
                session,
                credit="0",
                email=email,
                display_name=email.partition("@")[0],
                roles=[Role.admin, Role.user] if admin else [Role.user],
                password_hash=await self.services.passwords.hash(PASSWORD),
            )
            family = models.Session(id=uuid7(), user_id=user.id)
            session.add(family)
            account = (
                await session.execute(
                    models.Account.__table__.select().where(models.Account.owner_id == user.id)
                )
            ).one()
            if Decimal(credit) > 0:
                await ledger.move(session, account.id, EntryKind.credit, Decimal(credit), reference=uuid7())
        token = self.services.tokens.issue(user.id, family.id, user.token_version)
        return Person(user.id, email, account.id, token, self.client)
