"""Table secret_keys."""

from datetime import datetime

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class SecretKey(Base):
    """Records when a POSTERN_SECRET_KEY was used; see engine/secret_keys.py. The key itself is not stored."""

    __tablename__ = "secret_keys"

    id: Mapped[str] = mapped_column(primary_key=True)  # 8 hexadecimal digits, see core/vault.py
    first_used_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_used_at: Mapped[datetime] = mapped_column(server_default=func.now())  # as the newest
