"""What an account's owner set in the document `default` (setConfig), with the defaults filled in.

Read anew for every transaction that depends on it (one row by its key). A live account keeps a `Config` and reads it
again when it is woken (`calls.wake`, which setConfig does after its commit) or looked for: `version` tells whether it
changed, also where the document was removed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from pydantic import ValidationError

from schema.types.configuration import DEFAULT, DefaultConfig, Quiet, Reconnect
from schema.types.messenger_accounts import AccountState

_READ = "SELECT config, updated_at FROM messenger_configs WHERE account_id = $1 AND name = $2"


class Reads(Protocol):
    """A connection, or the database."""

    async def fetchrow(self, sql: str, *arguments: Any) -> Any: ...


@dataclass(frozen=True, slots=True)
class Config:
    """`document` is what the owner set, and what drivers are given as `Account.config`."""

    document: Mapping[str, Any] = field(default_factory=dict)
    version: datetime | None = None
    auto_read: bool = False  # mark what came in as read, once it is written down
    reconnect: Reconnect = field(default_factory=Reconnect)  # max_attempts: in a row; None: for ever
    quiet: Quiet = field(default_factory=Quiet)  # what is kept and told to no webhook
    takeover: bool = False  # another client opened this session: take it back
    state_webhooks: bool | Mapping[AccountState, bool] = True

    def tells(self, state: AccountState) -> bool:
        """Whether webhooks hear of this state. One that the owner did not name is told."""
        told = self.state_webhooks
        return told if isinstance(told, bool) else told.get(state, True)


async def of(db: Reads, account_id: UUID) -> Config:
    """The account's, whoever owns it; the defaults where nothing is set."""
    row = await db.fetchrow(_READ, account_id, DEFAULT)
    return Config() if row is None else read(row["config"], row["updated_at"])


def read(document: Mapping[str, Any], version: datetime | None = None) -> Config:
    """A document that another version of this service wrote may hold what this one refuses: those keys are skipped."""
    known: dict[str, Any] = {}
    for key, value in document.items():
        try:
            DefaultConfig.model_validate({key: value})
        except ValidationError:
            continue
        known[key] = value
    made = DefaultConfig.model_validate(known)
    return Config(
        document=document,
        version=version,
        auto_read=made.auto_read,
        reconnect=made.reconnect,
        quiet=made.quiet,
        takeover=made.takeover,
        state_webhooks=made.state_webhooks,
    )
