"""Tables agent_clients and agent_grants."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, ForeignKey, LargeBinary, Text, func
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class AgentClient(Base):
    """A client of OAuth that is registered here: by the operator, or by itself."""

    __tablename__ = "agent_clients"

    client_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    redirect_uris: Mapped[list[str]] = mapped_column(ARRAY(Text))
    by_itself: Mapped[bool]  # one that no grant names is deleted after a day
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class AgentGrant(Base):
    """The access of an agent: the API token that it was made for, and the code that is exchanged for it once."""

    __tablename__ = "agent_grants"

    token_id: Mapped[UUID] = mapped_column(ForeignKey("api_tokens.id", ondelete="CASCADE"), primary_key=True)
    client_id: Mapped[str]
    client_name: Mapped[str]
    redirect_uri: Mapped[str]
    code_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    code_challenge: Mapped[str]
    code_expires_at: Mapped[datetime]
    code_used_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
