"""Recipients of Sending Projects (contract §3), and the one spelling of each kind of address: E.164 for phones, NFC
for emails, canonical JSON for Web Push subscriptions.
"""

import asyncio
import builtins
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

import orjson
import phonenumbers

from core.errors import BadRequest, Conflict, NotFound, ValidationFailed
from core.ids import uuid7
from core.outbound import Guard, UrlRefused
from db import models
from db.lists import Conditions, CursorPage, PageArgs
from db.query import p
from engine import additions
from engine.projects.states import ALL_EDITABLE
from engine.reading import addresses
from resolvers import audiences, imports, recipient_removal, sending_projects
from resolvers.audiences import Reached
from runtime.idempotency import stored_shape
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.emails import mailbox
from shapes.imports import ImportStatus
from shapes.messages import MessageChannel
from shapes.page import Rows
from shapes.recipients import (
    AddedRecipients,
    AddRecipients,
    InvalidRecipient,
    NewRecipient,
    Recipient,
    RecipientStatus,
    RemovedRecipients,
    RemoveRecipients,
    phone_of,
)
from shapes.sending_projects import ProjectChannel, ProjectStatus

_MOST_LISTED = 1000
"""How many rejected recipients one answer lists."""

_ADDING_SECONDS = 1.0  # seconds that a request spends on adding rows of an import; a worker adds the rest

_OF_PROJECT = models.Recipient.project_id == p("project_id")

# The lock keeps others from adding recipients or starting the project: its state and number of recipients stay valid.
_LOCK = """
SELECT p.owner_id, p.status, p.channel, p.prepared_to, t.max_recipients_per_project AS most FROM sending_projects AS p
JOIN users AS u ON u.id = p.owner_id JOIN tariffs AS t ON t.code = u.tariff_code
WHERE p.id = $1 AND p.status <> 'deleted' FOR NO KEY UPDATE OF p
"""
_LOCK_IMPORT = "SELECT owner_id, status, valid FROM recipient_imports WHERE id = $1 FOR SHARE"
_NO_ERROR = (
    "UPDATE sending_projects SET recipients_error = NULL WHERE id = $1 AND recipients_error IS NOT NULL"
)
_ADDITIONS = "SELECT count(*) FROM recipient_additions WHERE project_id = $1"
# Keeps the list's own column names: a text uses {{ Order_No }}, people know it as "Order No.".
_LABELS = """
UPDATE sending_projects SET variable_labels = variable_labels || (
  SELECT COALESCE(jsonb_object_agg(m.key, m.value), '{}') FROM recipient_imports AS i, jsonb_each(i.mapping) AS m
  WHERE i.id = $2 AND m.key NOT IN ('address', 'phone', 'email', 'name', 'timezone') AND to_jsonb(m.key) <> m.value
) WHERE id = $1 AND pg_column_size(variable_labels) < 65536
"""
_COUNT = "SELECT count(*) FROM recipients WHERE project_id = $1"
_ADD = """
INSERT INTO recipients (id, project_id, address, name, variables, timezone)
SELECT n.id, $1, n.address, n.name, n.variables::jsonb, n.timezone
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
  WITH ORDINALITY AS n (id, address, name, variables, timezone, place)
ORDER BY n.place
ON CONFLICT (project_id, address) DO NOTHING
"""
_REMOVE = """
DELETE FROM recipients AS r WHERE r.id = $1 AND r.project_id = $2
  AND NOT EXISTS (SELECT FROM message_records WHERE id = $3)
RETURNING r.id
"""
_PROJECT_OF = "SELECT project_id FROM recipients WHERE id = $1"
_ANY = """
SELECT EXISTS (SELECT FROM recipients WHERE project_id = $1)
  OR EXISTS (SELECT FROM recipient_additions WHERE project_id = $1)
"""
_WRONG_CHANNEL = "wrong_channel"  # the code of one recipient, not of the whole answer
_USER_NAME = re.compile(r"@[A-Za-z][A-Za-z0-9_]{3,31}|-?[0-9]{3,20}")


class _Refused(Exception):
    """Rejects one recipient; the others are still added."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True, slots=True)
class _Checked:
    """The recipients of a request, checked before the transaction begins."""

    channel: str
    good: dict[str, NewRecipient]  # by address
    twice: int
    invalid: builtins.list[InvalidRecipient]


@operation(Permission.recipients_read, "read")
async def list(op: Op, project_id: UUID, page: int = 1, limit: int = 20) -> Rows[Recipient]:
    """Returns a project's recipients, in the order in which they were added. Raises NotFound, ValidationFailed."""
    await sending_projects.visible(op, project_id)
    rows = await audiences.LISTS.numbered(op.db, page, limit, {}, _OF_PROJECT, project_id=project_id)
    items = [_as_recipient(reached) for reached in await audiences.reached(op, rows.items)]
    return Rows(items, page, limit, rows.total)


@operation(Permission.recipients_read, "read")
async def page(op: Op, project_id: UUID, page_args: PageArgs, where: Conditions) -> CursorPage[Reached]:
    """Returns one page of a project's recipients, in the order of adding. Raises NotFound, ValidationFailed."""
    await sending_projects.visible(op, project_id)
    (page,) = await audiences.parts(op, [project_id], page_args, _asked(op, where))
    return page


@operation(Permission.recipients_read, "read")
async def of_projects(
    op: Op, projects: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[Reached]]:
    """Returns one page of recipients for each project; none for another user's project. Raises ValidationFailed."""
    return await audiences.parts(op, projects, page_args, _asked(op, where))


def _asked(op: Op, where: Conditions) -> Conditions:
    """Returns the conditions with every address in its one spelling. Raises ValidationFailed."""
    return {key: any_spelled(op, value) if key[0] == "address" else value for key, value in where.items()}


def any_spelled(op: Op, value: Any) -> Any:
    """Returns an address, or a list of addresses, in the spelling of `spelled`. Raises ValidationFailed."""
    region = op.services.settings.default_region
    if isinstance(value, builtins.list):
        return [spelled(address, region) for address in value]
    return spelled(value, region)


@operation(Permission.recipients_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[Reached | None]:
    """Returns recipients by id. A recipient of a project that the caller may not see gives None."""
    asked = [*dict.fromkeys(id for id in ids if id is not None)]
    by_id = {recipient.row.id: recipient for recipient in await audiences.by_id(op, asked, column_names)}
    return [by_id.get(id) if id is not None else None for id in ids]


@operation(Permission.recipients_read, "read")
async def get(op: Op, id: UUID) -> Reached:
    """Returns one recipient. Raises NotFound."""
    recipients = await audiences.by_id(op, [id])
    if not recipients:
        raise _unknown()
    return recipients[0]


def _unknown() -> NotFound:
    return NotFound(
        "There is no recipient with this uuid in this project. Check the uuid.", code="recipient_not_found"
    )


async def _check(op: Op, project_id: UUID, input: AddRecipients) -> _Checked | None:
    """Checks the addresses in a thread and without a lock, since ten thousand of them take a while."""
    project = await sending_projects.visible(op, project_id)
    _open(project.status)
    if input.recipients is None:
        return None
    return await asyncio.to_thread(
        _sorted_out,
        input.recipients,
        ProjectChannel(project.channel),
        op.services.settings.default_region,
        op.services.guard,
    )


@operation(
    Permission.recipients_write,
    "sql",
    idempotent=stored_shape(AddedRecipients),
    before=_check,
)
async def add(op: Op, project_id: UUID, input: AddRecipients) -> AddedRecipients:
    """Adds these recipients, all or none, or the valid rows of an import. An address already present stays unchanged.

    If adding an import takes more than a second, a worker adds the rest, and the answer is `pending`.

    Raises NotFound, and Conflict for the project's state, an import that is not ready, and the tariff's limit.
    """
    db = op.connection
    project = await _locked(op, project_id)
    has = await db.fetchval(_COUNT, project_id)
    checked: _Checked | None = op.prepared
    if checked is None:
        assert input.import_uuid is not None
        made = await _from_import(op, project_id, project, input.import_uuid)
    else:
        if checked.channel != project["channel"]:
            raise Conflict("The project's channel has just been changed. Send the recipients again.")
        made = await _from_list(op, project_id, checked)
    if has + made.added > project["most"]:
        raise Conflict(
            f"Your tariff allows {project['most']} recipients per project; this project has {has}, and"
            f" {made.added} more were sent. Send fewer, or choose another tariff.",
            code="too_many_recipients",
            details={"limit": project["most"], "recipients": has},
        )
    if not made.pending:
        await db.execute(_NO_ERROR, project_id)
    return made


@operation(Permission.recipients_write, "sql")
async def remove(op: Op, id: UUID, project_id: UUID | None = None) -> None:
    """Removes a recipient from a draft, scheduled or stopped project, if no message to it was created yet.

    Raises NotFound, also if the recipient is not one of `project_id`, and Conflict.
    """
    its = await op.connection.fetchval(_PROJECT_OF, id)
    if its is None or project_id not in (None, its):
        raise _unknown()
    try:
        project = await _locked(op, its)
    except NotFound:
        raise _unknown() from None
    if not await op.connection.fetchval(_REMOVE, id, its, audiences.message_id(its, id)):
        if await op.connection.fetchval(_PROJECT_OF, id) is None:
            raise _unknown()
        raise Conflict(
            "A message to this recipient has been created already. To send nothing to the address, block it.",
            code="recipient_has_message",
        )
    await _check_last(op, its, project)


@operation(Permission.recipients_write, "sql", idempotent=stored_shape(RemovedRecipients))
async def remove_some(op: Op, project_id: UUID, input: RemoveRecipients) -> RemovedRecipients:
    """Removes recipients by an import or a text from a draft, scheduled or stopped project, a bounded number of them.
    Those to whom a message was created stay.

    Raises NotFound, and Conflict for the project's state, while rows of the import are being added, or if a scheduled
    project would lose its last recipient.
    """
    project = await _locked(op, project_id)
    result = await recipient_removal.remove(op.connection, project_id, project, input)
    await _check_last(op, project_id, project)
    return result


async def _check_last(op: Op, project_id: UUID, project: Any) -> None:
    if project["status"] == ProjectStatus.scheduled and not await op.connection.fetchval(_ANY, project_id):
        raise Conflict(
            "A scheduled project needs a recipient, and this one is its last. Stop the project first.",
            code="last_recipient",
        )


async def _locked(op: Op, project_id: UUID) -> Any:
    """Returns the project, locked while its recipients change. Raises NotFound, Conflict."""
    project = await op.connection.fetchrow(_LOCK, project_id)
    if project is None or not (op.viewer.admin or project["owner_id"] == op.viewer.id):
        raise sending_projects.unknown()
    _open(project["status"])
    return project


async def _from_list(op: Op, project_id: UUID, checked: _Checked) -> AddedRecipients:
    recipients = checked.good.values()
    command_tag = await op.connection.execute(
        _ADD,
        project_id,
        [uuid7() for _ in recipients],
        [*checked.good],
        [recipient.name or None for recipient in recipients],
        [orjson.dumps(recipient.variables or {}).decode() for recipient in recipients],
        [recipient.timezone or None for recipient in recipients],
    )
    added = int(command_tag.rpartition(" ")[2])
    return AddedRecipients(
        added=added,
        duplicates=checked.twice + len(recipients) - added,
        invalid=checked.invalid[:_MOST_LISTED],
        invalid_count=len(checked.invalid),
    )


async def _from_import(op: Op, project_id: UUID, project: Any, id: UUID) -> AddedRecipients:
    db = op.connection
    recipient_import = await db.fetchrow(_LOCK_IMPORT, id)
    if recipient_import is None or recipient_import["owner_id"] != project["owner_id"]:
        raise imports.unknown()
    if recipient_import["status"] != ImportStatus.ready:
        raise Conflict(
            f"The import is {recipient_import['status']}. Recipients can be added only from an import that is ready.",
            code="import_not_ready",
        )
    await db.execute(_LABELS, project_id, id)
    waiting = await db.fetchval(_ADDITIONS, project_id)
    if waiting >= additions.MOST:
        raise Conflict(
            f"{waiting} imports are being added to this project. Wait until one of them has been added.",
            code="recipients_pending",
        )
    channel, done = project["channel"], additions.Progress()
    until = time.monotonic() + _ADDING_SECONDS
    await additions.bite(db, project_id, channel, id, done)
    while not done.ended and time.monotonic() < until:
        await additions.bite(db, project_id, channel, id, done)
    if not done.ended:
        await additions.go_on_later(db, project_id, id, done, recipient_import["valid"])
    lines = await additions.unsuited(db, channel, id, done.line, _MOST_LISTED) if done.unsuited else []
    why = f"The channel {channel} can't reach such an address."
    return AddedRecipients(
        added=done.added,
        duplicates=done.suited - done.added,
        invalid=[InvalidRecipient(place=line, code=_WRONG_CHANNEL, message=why) for line in lines],
        invalid_count=done.unsuited,
        pending=not done.ended,
    )


def _sorted_out(
    recipients: builtins.list[NewRecipient], channel: ProjectChannel, region: str, guard: Guard
) -> _Checked:
    good: dict[str, NewRecipient] = {}
    twice, invalid = 0, []
    normaliser = _normaliser(channel, region, guard)
    for position, recipient in enumerate(recipients, 1):
        try:
            address = _address(recipient, normaliser)
        except (_Refused, BadRequest) as error:
            invalid.append(InvalidRecipient(place=position, code=error.code, message=error.message))
            continue
        if address in good:
            twice += 1
        else:
            good[address] = recipient
    return _Checked(channel.value, good, twice, invalid)


def _address(recipient: NewRecipient, normaliser: Callable[[str], str]) -> str:
    """Returns the recipient's address in its one spelling. Raises _Refused, and what the normaliser raises."""
    text = recipient.phone or recipient.address
    if not text or (recipient.phone and recipient.address):
        raise _Refused("missing_address", "A recipient has either a phone or an address.")
    if recipient.timezone and recipient.timezone not in _zones():
        raise _Refused(
            "bad_timezone", f"{recipient.timezone!r} is not a time zone. Write it like Europe/Berlin."
        )
    return normaliser(text.strip())


def _normaliser(channel: ProjectChannel, region: str, guard: Guard) -> Callable[[str], str]:
    """Returns the function that gives the one spelling of an address of the channel.

    That function raises _Refused or BadRequest for an address that the channel can't reach.
    """
    phones = addresses.Phones(region)

    def phone_like(text: str) -> str:
        if (phone := phones(text)) is None:
            raise _refused("phone", text)
        return phone

    def email_like(text: str) -> str:
        if (address := addresses.email(text)) is None:
            raise _refused("email", text)
        return address

    def telegram(text: str) -> str:
        return text if _USER_NAME.fullmatch(text) else phone_like(text)

    return {
        ProjectChannel.sms: phone_like,
        ProjectChannel.whatsapp: phone_like,
        ProjectChannel.telegram: telegram,
        ProjectChannel.email: email_like,
        ProjectChannel.push: lambda text: push_target(text, guard),
    }[channel]


def _refused(kind: addresses.Kind, text: str) -> _Refused:
    return _Refused(*addresses.why_not(kind, text))


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _open(status: str) -> None:
    """Raises Conflict if the project's recipients can't change any more."""
    if status not in ALL_EDITABLE:
        raise Conflict(
            f"The project is {status}. Recipients can be added and removed only while it is draft, scheduled or"
            " stopped.",
            code="not_editable",
            details={"status": status},
        )


def _as_recipient(reached: Reached) -> Recipient:
    row = reached.row
    return Recipient(
        id=row.id,
        phone=phone_of(row.address),
        address=row.address,
        name=row.name,
        variables=row.variables,
        timezone=row.timezone,
        status=RecipientStatus(reached.status),
        status_reason=reached.status_reason,
        message_id=reached.message_id,
    )


def spelled(text: str, region: str) -> str:
    """Returns a phone or an email in its one spelling, and any other text as it is. Raises ValidationFailed."""
    if not 1 <= len(text) <= 4096 or "\x00" in text:
        raise ValidationFailed(["phone: must be 1 to 4096 characters without NUL"])
    try:
        return email(text) if "@" in text[1:] else phone(text, region)
    except BadRequest:
        return text


def normalise(channel: MessageChannel, to: str, region: str, guard: Guard) -> str:
    """Returns the address in the channel's one spelling. Raises BadRequest (`invalid_recipient`)."""
    if channel is MessageChannel.sms:
        return phone(to, region)
    if channel is MessageChannel.email:
        return email(to)
    return push_target(to, guard)


def phone(text: str, region: str) -> str:
    """Returns the phone in E.164. Raises BadRequest (`invalid_recipient`).

    A possible number is enough, not a "valid" one: numbering plans change faster than our tables, and the provider
    knows.
    """
    try:
        number = phonenumbers.parse(text, region) if len(text) <= 64 else None
    except phonenumbers.NumberParseException:
        number = None
    if number is None or not phonenumbers.is_possible_number(number) or number.extension:
        raise _invalid("to must be a phone number, best written like +14155550100")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def email(text: str) -> str:
    """Returns the email address in its one spelling. Raises BadRequest (`invalid_recipient`)."""
    try:
        return mailbox(text)
    except ValueError as error:
        raise _invalid(f"to {error}".rstrip(".")) from error


def push_target(text: str, guard: Guard) -> str:
    """Returns a device token as it is, or a Web Push subscription whose endpoint we may call, as canonical JSON.

    Raises BadRequest (`invalid_recipient`).
    """
    if not text.lstrip().startswith("{"):
        if any(char.isspace() or not char.isprintable() for char in text):
            raise _invalid("to must be a device token or a Web Push subscription as JSON")
        return text
    try:
        subscription = orjson.loads(text)
        endpoint, keys = subscription["endpoint"], subscription["keys"]
        if not (isinstance(keys["p256dh"], str) and isinstance(keys["auth"], str)):
            raise TypeError
        guard.check(endpoint)
    except UrlRefused as error:
        raise _invalid(f"the subscription's endpoint is refused: {error}") from error
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise _invalid("a Web Push subscription has endpoint, keys.p256dh and keys.auth") from error
    return orjson.dumps(subscription, option=orjson.OPT_SORT_KEYS).decode()


def _invalid(message: str) -> BadRequest:
    return BadRequest(f"{message}.", code="invalid_recipient")
