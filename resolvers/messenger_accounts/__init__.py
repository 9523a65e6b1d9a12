"""Messenger accounts (contract §4). These operations write the owner's wish; the process that holds the lease acts.

`messenger_account_rows` reads the accounts and their states, `messenger_account_states` starts and stops them.
"""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from uuid import UUID

from sqlalchemy import select

from core.errors import AppError, BadRequest, Conflict
from core.ids import uuid7
from core.pubsub import messenger, messengers, publish_account
from db import models
from db.lists import Conditions, CursorPage, PageArgs
from db.query import Query, columns, p
from engine.messengers import call_client, project_links, proxies, restrictions
from engine.messengers.drivers import REGISTERED, Drivers
from engine.messengers.states import INACTIVE, LOGIN, wrong_state
from engine.webhooks import endpoints
from resolvers.auth.token_rows import maker_of
from resolvers.messenger_accounts import waits
from resolvers.messenger_accounts.account_rows import (
    LISTS,
    MINE,
    SEALED,
    SESSION_COLUMNS,
    UNDER_WAY,
    Key,
    computed_columns,
    mine,
    state_of,
)
from resolvers.messenger_accounts.account_states import start_account, stop_account, wait_for_account
from resolvers.messenger_accounts.waits import Changed
from runtime.idempotency import stored_columns
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.services import Services
from shapes.messenger_accounts import (
    AccountState,
    CloudCredentials,
    EnabledDriver,
    MessengerAccountPatch,
    MessengerAccountsSummary,
    MessengerDriver,
    MessengerPerson,
    MessengerSource,
    NewMessengerAccount,
)

PROBE_SECONDS = 5.0

_GROUPS = {
    AccountState.working: "working",
    AccountState.stopped: "stopped",
    **dict.fromkeys((*UNDER_WAY, *LOGIN), "waiting"),
    **dict.fromkeys((AccountState.failed, AccountState.loggedOut, AccountState.blocked), "failed"),
}

_INSERT = """
INSERT INTO messenger_accounts
  (id, owner_id, source, login, name, driver, credentials_encrypted, proxy_encrypted, proxy_shown)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (owner_id, source, login) WHERE deleted_at IS NULL DO NOTHING RETURNING id
"""
# The lock on the user's row keeps two concurrent requests from both adding the last allowed account.
_LOCK_USER = "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE"
_LIVING = "SELECT count(*) FROM messenger_accounts WHERE owner_id = $1 AND deleted_at IS NULL"
_PATCH = """
UPDATE messenger_accounts SET name = COALESCE($2, name), updated_at = now(),
  proxy_encrypted = CASE WHEN $3 THEN $4 ELSE proxy_encrypted END,
  proxy_shown = CASE WHEN $3 THEN $5 ELSE proxy_shown END
WHERE id = $1
"""
# A driver with credentials has no session: `clearing` closes its connection, and opens a new one if it is wanted.
_CREDENTIALS = """
UPDATE messenger_accounts SET credentials_encrypted = $2, updated_at = now(),
  clearing = clearing OR wanted OR state <> ALL($3::text[])
WHERE id = $1
"""
_DELETE = """
UPDATE messenger_accounts SET wanted = false, clearing = true, deleted_at = now(), updated_at = now() WHERE id = $1
"""


@cache
def _all(source: bool) -> Query[models.MessengerAccount]:
    row = models.MessengerAccount
    asked = select(*columns(row, *SESSION_COLUMNS), *computed_columns()).where(
        row.owner_id == p("owner_id"), row.deleted_at.is_(None)
    )
    return Query(row, (asked.where(row.source == p("source")) if source else asked).order_by(row.id))


@dataclass(frozen=True, slots=True)
class AccountList:
    """All accounts of a caller, oldest first, and how many there are in each group of states."""

    accounts: list[models.MessengerAccount]
    summary: MessengerAccountsSummary


@operation(Permission.messengers_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.MessengerAccount]:
    """Lists your messenger accounts, newest first; administrators get those of all users."""
    return await LISTS.page(op.db, page_args, where, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.messengers_read, "outside")
async def get(op: Op, key: Key, probe: bool = False) -> models.MessengerAccount:
    """Returns one messenger account.

    With `probe` the messenger first checks the connection, within five seconds. Raises NotFound.
    """
    account = await mine(op, key)
    if not probe or state_of(account) is not AccountState.working:
        return account
    with suppress(AppError):  # `checkedAt` then shows that the state is old
        await call_client.ask(op.services, account.id, "probe", seconds=PROBE_SECONDS)
    return await mine(op, account.id)


@operation(Permission.messengers_read, "read")
async def everything(op: Op, source: MessengerSource | None = None) -> AccountList:
    """Returns the states of all your messenger accounts.

    It is one statement.
    """
    query = _all(source is not None)
    accounts = await query.all(op.db, owner_id=op.viewer.id, source=source.value if source else None)
    return AccountList(accounts, _summary(accounts))


@operation(Permission.messengers_read, "read")
async def summary(op: Op, source: MessengerSource | None = None) -> MessengerAccountsSummary:
    """Counts your messenger accounts by groups of states."""
    query = _all(source is not None)
    return _summary(await query.all(op.db, owner_id=op.viewer.id, source=source.value if source else None))


@operation(Permission.messengers_read, "outside")
async def drivers(op: Op) -> Sequence[EnabledDriver]:
    """Lists the drivers that the operator has enabled, which new accounts can use; of each messenger the default
    first.
    """
    enabled = Drivers(op.services.settings).enabled
    return [
        EnabledDriver(source=source, driver=name, label=REGISTERED[name].label, about=REGISTERED[name].about)
        for source in MessengerSource
        for name in enabled(source)
    ]


async def _before_add(op: Op, input: NewMessengerAccount) -> tuple[MessengerDriver, proxies.Proxy | None]:
    """Chooses the driver, and tests proxy and webhooks over the network, before the transaction begins."""
    driver = Drivers(op.services.settings).choose(input.source, input.driver)
    _check_credentials(driver, input.credentials is not None)
    await endpoints.probe(op.services, input.webhook_urls or [])
    return driver, await proxies.accept(op.services, input.proxy_string) if input.proxy_string else None


@operation(
    Permission.messengers_write,
    "sql",
    # the row as `mine` reads it, without encrypted columns
    idempotent=stored_columns(
        [*columns(models.MessengerAccount, *SESSION_COLUMNS, *SEALED), *computed_columns()]
    ),
    before=_before_add,
)
async def add(op: Op, input: NewMessengerAccount) -> models.MessengerAccount:
    """Adds a messenger account. It is connected only after it is started. Raises Conflict (login taken, too many),
    BadRequest (driver, proxy, webhook).
    """
    services, db, id = op.services, op.connection, uuid7()
    driver, proxy = op.prepared
    made = await db.fetchval(
        _INSERT,
        id,
        op.viewer.id,
        input.source.value,
        input.login,
        input.name or input.login,
        driver.value,
        _sealed(services, id, input.credentials) if input.credentials else None,
        proxies.seal(services, id, proxy) if proxy else None,
        str(proxy) if proxy else None,
    )
    if made is None:
        raise Conflict(
            "Account already exists. Use it, or delete it first (deleteAccount).", code="account_exists"
        )
    await db.execute(_LOCK_USER, op.viewer.id)
    most = services.settings.messenger_accounts_per_user
    if await db.fetchval(_LIVING, op.viewer.id) > most:
        raise Conflict(
            f"You have {most} messenger accounts, the most that a user may have. Delete one first.",
            code="too_many_messenger_accounts",
        )
    maker = await maker_of(op, db, Permission.messengers_write)
    await endpoints.replace(db, services, id, input.webhook_urls or [], maker)
    await project_links.link_messenger_account(db, id)
    return await mine(op, id)


@operation(Permission.messengers_write, "outside")
async def update(op: Op, key: Key, input: MessengerAccountPatch) -> models.MessengerAccount:
    """Changes a messenger account. Its name, webhooks and credentials can be changed at any time, the proxy only while
    the account is stopped.

    New credentials make it reconnect, if it is wanted. Raises NotFound; BadRequest for a proxy, a webhook, or
    credentials that the driver does not take; Conflict for a proxy while the account is not stopped.
    """
    services = op.services
    account = await mine(op, key)
    if input.credentials is not None:
        _check_credentials(MessengerDriver(account.driver), True)
    urls = input.webhook_urls if "webhook_urls" in input.model_fields_set else None
    await endpoints.probe(services, urls or [])
    has_proxy = "proxy_string" in input.model_fields_set and input.proxy_string is not None
    proxy = await proxies.accept(services, input.proxy_string) if has_proxy and input.proxy_string else None
    async with services.db.transaction() as db:
        account = await mine(op, account.id, db=db, lock=True)
        if has_proxy:
            _only_stopped(account)
        sealed = proxies.seal(services, account.id, proxy) if proxy else None
        await db.execute(_PATCH, account.id, input.name, has_proxy, sealed, str(proxy) if proxy else None)
        if input.credentials is not None:
            secret = _sealed(services, account.id, input.credentials)
            await db.execute(_CREDENTIALS, account.id, secret, [state.value for state in INACTIVE])
        maker = await maker_of(op, db, Permission.messengers_write)
        await endpoints.replace(db, services, account.id, urls, maker)
        account = await mine(op, account.id, db=db)
    await _publish_state(op, account, account.state)
    if input.credentials is None:
        return account
    wake = partial(
        call_client.wake, services, account.id
    )  # the next message is sent with the new credentials
    return await wait_for_account(op, account.id, lambda row: not row.clearing, PROBE_SECONDS, wake)


@operation(Permission.messengers_write, "outside")
async def delete(op: Op, key: Key) -> None:
    """Deletes an account. It is stopped and logged out in the background; its login can be used again at once. Raises
    NotFound.
    """
    async with op.services.db.transaction() as db:
        account = await mine(op, key, db=db, lock=True)
        await db.execute(_DELETE, account.id)
        await project_links.update_source_accounts(db, account.id, None)
    await call_client.wake(op.services, account.id)
    await _publish_state(op, account, None)


async def _publish_state(op: Op, account: models.MessengerAccount, state: str | None) -> None:
    """Announces to the account's subscriptions that its state has changed."""
    event = {"type": "state", "account": str(account.id), "state": state}
    await publish_account(op.services.store, account.id, account.owner_id, event)


@operation(Permission.messengers_write, "outside")
async def set_state(op: Op, key: Key, start: bool) -> models.MessengerAccount:
    """Connects an account. Returns its state once it works or needs a login step.

    It starts or stops the account. A start waits until it works, fails, or needs a person's action; after 25 s it
    returns the account as it is then. A repeated call is no error. Raises NotFound.
    """
    return await (start_account(op, key) if start else stop_account(op, key))


@operation(Permission.messengers_write, "outside")
async def stop(op: Op, key: Key) -> models.MessengerAccount:
    """Disconnects an account and keeps its session. Repeating it is not an error. Raises NotFound."""
    return await stop_account(op, key)


@operation(Permission.messengers_write, "outside")
async def clear(op: Op, key: Key) -> models.MessengerAccount:
    """Stops an account, logs it out of the messenger and deletes the session.

    It is logged out only if the messenger can be reached. Raises NotFound.
    """
    return await stop_account(op, key, clear=True)


@operation(Permission.messengers_read, "outside")
async def me(op: Op, key: Key) -> MessengerPerson:
    """Fetches the account's own profile from the messenger. Raises NotFound, Conflict `wrong_state`, Unavailable."""
    account = await mine(op, key)
    if (state := state_of(account)) is not AccountState.working:
        raise wrong_state(state)
    return MessengerPerson.model_validate(await call_client.ask(op.services, account.id, "me"))


@operation(Permission.messengers_write, "outside")
async def renew_proxy(op: Op, key: Key) -> models.MessengerAccount:
    """Assigns another healthy proxy of the operator's pool to a stopped account. Raises NotFound, Conflict while the
    account is not stopped, Unavailable.
    """
    services = op.services
    account = await mine(op, key)
    _only_stopped(account)
    proxy = await proxies.choose_other(services, account)
    async with services.db.transaction() as db:
        account = await mine(op, account.id, db=db, lock=True)
        _only_stopped(account)
        await db.execute(
            _PATCH, account.id, None, True, proxies.seal(services, account.id, proxy), str(proxy)
        )
        return await mine(op, account.id, db=db)


@operation(Permission.messengers_read, "outside")
async def changes(op: Op, id: UUID | None = None) -> AsyncIterator[Changed]:
    """Emits the account now and whenever it changes, with its QR or pairing code. Without `id`: all your messenger
    accounts.

    It ends when the account is deleted. Raises NotFound.
    """
    account_id = None if id is None else (await mine(op, id)).id

    async def ids() -> Sequence[UUID]:
        if account_id is not None:
            return [account_id]
        return [row.id for row in await _all(False).all(op.db, owner_id=op.viewer.id, source=None)]

    topic = messengers(op.viewer.id) if account_id is None else messenger(account_id)
    return waits.changes(op.services, topic, ids, lambda account: mine(op, account))


@operation(Permission.messengers_write, "sql")
async def lift_restriction(op: Op, id: UUID) -> models.MessengerAccount:
    """Lets a restricted account try to write to strangers again. If the messenger refuses the next one, the account is
    restricted again. Repeating it is not an error. Raises NotFound.
    """
    account = await mine(op, id, lock=True)
    await restrictions.lift(op.connection, account.id)
    return await mine(op, account.id, db=op.connection)


def _check_credentials(driver: MessengerDriver, has_credentials: bool) -> None:
    if has_credentials != (driver is MessengerDriver.whatsapp_cloud):
        hint = (
            "takes no credentials. Leave out `credentials`."
            if has_credentials
            else "needs `credentials`: see docs/messengers.md."
        )
        raise BadRequest(f"The driver {driver.value} {hint}", code="bad_credentials_for_driver")


def _sealed(services: Services, id: UUID, credentials: CloudCredentials) -> bytes:
    """Returns the sealed credentials. The vault's context names the row, so they can't be opened for another row."""
    context = f"messenger_accounts.credentials:{id}"
    return services.vault.seal(credentials.model_dump_json(by_alias=True), context)


def _only_stopped(account: models.MessengerAccount) -> None:
    if (state := state_of(account)) not in INACTIVE:
        raise wrong_state(
            state, f"The proxy changes only while the account is stopped. It is {state.value}: forceStop."
        )


def _summary(accounts: Sequence[models.MessengerAccount]) -> MessengerAccountsSummary:
    states = Counter(_GROUPS[state_of(account)] for account in accounts)
    return MessengerAccountsSummary(total=len(accounts), **states)
