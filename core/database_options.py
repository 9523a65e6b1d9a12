"""The options of a database connection, from `database.toml`: those that a URL can't express."""

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.wording import sentence


class BadSettings(Exception):
    """The settings don't allow a start. The message says which setting is wrong and what to do."""

    def __init__(self, *problems: str) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class DatabaseOptions(BaseModel):
    """The options in `database.toml`, which a URL can't express. Times in seconds."""

    model_config = ConfigDict(extra="forbid")

    pool_size: int = Field(
        10, ge=1, le=200, description="connections of sessions, which change models, per process"
    )
    read_pool_size: int = Field(
        10,
        ge=1,
        le=200,
        description="connections for reads, hand-written SQL and background work, per process",
    )
    pool_timeout: float = Field(5.0, gt=0, le=60)
    connect_timeout: float = Field(3.0, gt=0, le=60)
    statement_timeout: float = Field(15.0, gt=0, le=3600)
    lock_timeout: float = Field(5.0, gt=0, le=3600)
    statement_cache: int = Field(512, ge=0, le=10_000, description="prepared statements a connection keeps")
    pooler_statement_cache: int = Field(
        0, ge=0, le=10_000, description="the same of connections to a pooler, if DB_DIRECT_STRING is set"
    )
    tls: Literal["disable", "prefer", "require", "verify-full"] = "prefer"
    tls_ca_file: Path | None = None

    @classmethod
    def load(cls, path: Path) -> "DatabaseOptions":
        """Reads the file; a missing one gives the defaults. Raises BadSettings that names the file."""
        if not path.exists():
            return cls()
        try:
            return cls.model_validate(tomllib.loads(path.read_text(encoding="utf-8")).get("database", {}))
        except ValidationError as error:
            problems = (
                sentence(".".join(map(str, item["loc"])) or "[database]", item) for item in error.errors()
            )
            raise BadSettings(f"{path.name} can't be used: {', '.join(problems)}") from error
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise BadSettings(f"{path.name} can't be read: {why}") from error
