"""The settings that an account's owner made in the document `default` (setConfig), with the defaults filled in.

They are read again in every transaction that depends on them (one row by its key). A live account keeps a `Config` and
reads it again when it is woken (`calls.wake`, which setConfig calls after its commit): `version` changes with the
document, also when the document is removed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from pydantic import ValidationError

from shapes.configuration import DEFAULT, DefaultConfig, Quiet, Reconnect
from shapes.messenger_accounts import AccountState

_READ = "SELECT config, updated_at FROM messenger_configs WHERE account_id = $1 AND name = $2"


class Reads(Protocol):
    """A connection, or the database."""

    async def fetchrow(self, sql: str, *arguments: Any) -> Any: ...


@dataclass(frozen=True, slots=True)
class AccountSettings:
    """The settings of one account. `document` is what the owner set, and what drivers get as `Account.config`."""

    document: Mapping[str, Any] = field(default_factory=dict)
    version: datetime | None = None
    auto_read: bool = False  # mark incoming messages as read, once they are stored
    reconnect: Reconnect = field(default_factory=Reconnect)  # max_attempts: in a row; None: no limit
    quiet: Quiet = field(default_factory=Quiet)  # what is stored without a webhook
    takeover: bool = False  # reconnect when another client takes over this session
    state_webhooks: bool | Mapping[AccountState, bool] = True

    def has_webhook(self, state: AccountState) -> bool:
        """Returns whether webhooks are called for this state. A state that the owner did not name is reported."""
        setting = self.state_webhooks
        return setting if isinstance(setting, bool) else setting.get(state, True)


async def settings_of(db: Reads, account_id: UUID) -> AccountSettings:
    """Returns the account's settings; the defaults where nothing is set."""
    row = await db.fetchrow(_READ, account_id, DEFAULT)
    return AccountSettings() if row is None else read_settings(row["config"], row["updated_at"])


def read_settings(document: Mapping[str, Any], version: datetime | None = None) -> AccountSettings:
    """Returns the settings of a document. Keys that this version does not accept are skipped: another version may have
    written them."""
    valid: dict[str, Any] = {}
    for key, value in document.items():
        try:
            DefaultConfig.model_validate({key: value})
        except ValidationError:
            continue
        valid[key] = value
    config = DefaultConfig.model_validate(valid)
    return AccountSettings(
        document=document,
        version=version,
        auto_read=config.auto_read,
        reconnect=config.reconnect,
        quiet=config.quiet,
        takeover=config.takeover,
        state_webhooks=config.state_webhooks,
    )
