"""What an operator does from the command line, past the doors: the first administrator, tokens."""

import secrets
from dataclasses import dataclass
from uuid import UUID

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db import models
from postern.errors import NotFound, ValidationFailed
from postern.services import Services
from resolvers.auth import issue_api_token, make_user, normal_email
from schema.types.auth import NewApiToken, Password
from schema.types.users import Email, Role


@dataclass(frozen=True, slots=True)
class MadeUser:
    id: UUID
    password: str | None  # when we made one


async def create_user(
    services: Services, email: str, *, admin: bool, password: str | None = None
) -> MadeUser:
    """Raises ValidationFailed, Conflict."""
    made = None if password else secrets.token_urlsafe(12)
    try:
        TypeAdapter(Email).validate_python(email)
        chosen = TypeAdapter(Password).validate_python(password or made)
    except ValidationError as error:
        raise ValidationFailed([item["msg"] for item in error.errors()]) from error
    hashed = await services.passwords.hash(chosen)
    async with services.db.session.begin() as session:
        row = await make_user(
            session,
            credit=services.settings.signup_credit,
            email=email,
            display_name=email.partition("@")[0][:64],
            roles=[Role.admin, Role.user] if admin else [Role.user],
            password_hash=hashed,
        )
    return MadeUser(row.id, made)


async def create_token(services: Services, email: str, name: str) -> str:
    """Raises NotFound."""
    async with services.db.session.begin() as session:
        row = await user_by_email(session, email)
        if row is None:
            raise NotFound(f"There is no user {email}. Make one: postern user create {email}")
        return (await issue_api_token(session, row.id, NewApiToken(name=name))).token


async def user_by_email(session: AsyncSession, email: str) -> models.User | None:
    row: models.User | None = await session.scalar(
        select(models.User).where(models.User.email == normal_email(email))
    )
    return row
