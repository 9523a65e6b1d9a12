"""People ask for their own data, or its erasure: from the page of preferences by a link to their own address.

A visitor may have the link to the page from a forwarded message. So a request sends a second link to the contact
itself, which is valid for 30 minutes. Opening it changes nothing, since programs that look for malware open every link;
its button does.
"""

from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

import orjson
import structlog

from core.errors import AppError, NotFound, RateLimited
from core.http.dress import Dress
from core.ids import uuid7
from core.rate_limits import Limit
from db.address_keys import key_of
from engine import blocks
from engine import unsubscribe as tokens
from engine.brands import letters
from engine.contacts.locks import lock_owner
from engine.direct.new_messages import NewMessage
from engine.direct.service_messages import send_for_owner
from engine.direct.withheld_links import YOUR_DATA
from engine.jobs import JobName, enqueue
from engine.persons.beginning import begin, open_hasher
from engine.persons.self_service import VALID
from engine.persons.self_service_texts import SelfServiceWords, self_service_words
from resolvers import preferences
from resolvers.brands.pages import answers_here, dress_page
from resolvers.signups import PAGES
from runtime import link_domains, links
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.exports import ExportFormat, ExportSource, ExportStatus
from shapes.messages import MessageChannel
from shapes.self_service import SelfService

log = structlog.get_logger("postern.self_service")

_REQUESTS: Final = Limit("self-service", 3, 86400.0)  # of one contact
# An address that is blocked for every message comes last: then the message is refused, and the log says so.
_ADDRESS = f"""
SELECT a.channel, a.address FROM contact_addresses AS a WHERE a.contact_id = $1 AND a.channel IN ('email', 'sms')
ORDER BY {blocks.IS_BLOCKED.format(owner="a.owner_id", key=key_of("a.address"), category="'transactional'")},
  a.channel, a."primary" DESC, a.id LIMIT 1
"""  # noqa: S608  our own condition
_ADD = """
INSERT INTO self_service_requests (id, owner_id, contact_id, kind, channel, address) VALUES ($1, $2, $3, $4, $5, $6)
"""
_REQUEST = """
SELECT r.id, r.owner_id, r.contact_id, r.kind, r.used_at, COALESCE(c.locale, u.locale) AS locale,
  e.status AS export_status, f.original_name AS file
FROM self_service_requests AS r JOIN contacts AS c ON c.id = r.contact_id JOIN users AS u ON u.id = r.owner_id
LEFT JOIN export_links AS e ON e.id = r.export_link_id LEFT JOIN files AS f ON f.id = e.file_uuid
WHERE r.id = $1 AND (COALESCE(r.used_at, r.created_at) > now() - $2::interval OR e.status IN ('created', 'running'))
  AND u.status = 'active' AND r.kind = ANY(u.self_service)
  AND EXISTS (SELECT FROM contact_addresses AS a
    WHERE a.contact_id = r.contact_id AND a.channel = r.channel AND a.address = r.address)
"""
_USE = "UPDATE self_service_requests SET used_at = now() WHERE id = $1 AND used_at IS NULL RETURNING true"
_EXPORT = """
WITH link AS (
  INSERT INTO export_links (id, owner_id, source, format, filters) VALUES ($1, $2, $3, $4, $5::text::jsonb)
)
UPDATE self_service_requests SET export_link_id = $1 WHERE id = $6
"""


@dataclass(frozen=True, slots=True)
class SentPage:
    """The page after a request: a link was sent."""

    words: SelfServiceWords
    dress: Dress | None = None  # of the owner


@dataclass(frozen=True, slots=True)
class RequestPage:
    """The page of a link."""

    words: SelfServiceWords
    kind: SelfService
    used: bool
    is_failed: bool = False  # the file could not be written
    file_url: str | None = None  # None: it is not written yet
    dress: Dress | None = None  # of the owner


@operation(Permission.public, "outside")
async def ask(op: Op, token: str, input: SelfService) -> SentPage:
    """Sends a person a link to the own address, by which they get what is stored of them, or have it erased. Only if
    the sender has it in `selfService`.

    A contact gets at most three links a day. A reason that would keep the message from being sent, such as the balance,
    is the owner's matter: it is logged. Raises NotFound (a link that is invalid, a request that the owner does not
    offer), RateLimited.
    """
    contact = await preferences.contact_of_token(op, token)
    dress = await dress_page(op, contact["owner_id"])
    base = await link_domains.base_of(op.services, contact["owner_id"])
    address = await op.db.fetchrow(_ADDRESS, contact["id"])
    if input not in contact["self_service"] or address is None:
        raise NotFound("This sender does not offer that. Write to the sender.", code="self_service_off")
    owner, limit = (
        contact["owner_id"],
        Limit.parse("self-service-owner", op.services.settings.limit_signup_owner),
    )
    buckets = [limit.bucket(str(owner)), _REQUESTS.bucket(str(contact["id"]))]
    if not (await op.services.limiter.draw_from(buckets, need=1, want=1, awaited=1)).taken:
        log.warning("a request for one's data was refused by a limit", owner_id=str(owner))
        raise RateLimited("Too many requests for your data. Try again tomorrow, or write to the sender.")
    try:
        async with op.db.transaction() as connection:
            message = _message(op, input, address, contact["locale"], dress, base)
            (id,) = await send_for_owner(op.services, connection, owner, [message])
            if id is None:
                log.warning(
                    "a link to one's data was not sent", owner_id=str(owner), code="recipient_blocked"
                )
            else:
                await connection.execute(_ADD, id, owner, contact["id"], input.value, *address.values())
    except AppError as error:
        log.warning("a link to one's data was not sent", owner_id=str(owner), code=error.code)
    return SentPage(self_service_words(contact["locale"]), dress)


@operation(Permission.public, "read")
async def show(op: Op, token: str) -> RequestPage:
    """Returns an HTML page with a button, or the link to the file. Opening the page changes nothing, because link
    checkers open every link. Raises NotFound, RateLimited.
    """
    await op.services.limiter.enforce(PAGES, op.ctx.client_address, "requests to this page")
    row = await _request(op, op.db, token)
    return replace(_page(op, row), dress=await dress_page(op, row["owner_id"]))


@operation(Permission.public, "outside")
async def confirm(op: Op, token: str) -> RequestPage:
    """Begins the erasure of the person's data, or the export. Repeating it is not an error; the request body is
    ignored.

    A link works once. The page has the file of the export. Raises NotFound, Conflict (`erasure_running`), RateLimited,
    Unavailable.
    """
    await op.services.limiter.enforce(PAGES, op.ctx.client_address, "requests to this page")
    row = await _request(op, op.db, token)
    dress = await dress_page(op, row["owner_id"])
    hasher = await open_hasher(op.services)
    async with op.db.transaction() as connection:
        await lock_owner(connection, row["owner_id"])
        row = await _request(op, connection, token)
        if await connection.fetchval(_USE, row["id"]):
            if row["kind"] == SelfService.erase:
                await begin(connection, hasher, row["owner_id"], row["contact_id"], None, None)
            else:
                await _export(connection, row)
        return replace(_page(op, await _request(op, connection, token)), dress=dress)


async def _export(connection: Any, row: Any) -> None:
    """Starts an export for the owner, whose file the page of the link gives to the person."""
    filters = {"ownerUuid": str(row["owner_id"]), "contactUuid": str(row["contact_id"])}
    link, source, form = uuid7(), ExportSource.person.value, ExportFormat.ndjson.value
    stored = orjson.dumps(filters).decode()
    await connection.execute(_EXPORT, link, row["owner_id"], source, form, stored, row["id"])
    await enqueue(connection, JobName.write_export, link)


async def _request(op: Op, db: Any, token: str) -> Any:
    """Returns the request that a token is of. Only tokens with a valid signature reach the database."""
    id: UUID | None = tokens.read(op.services.keys(YOUR_DATA.purpose), token)
    row = await db.fetchrow(_REQUEST, id, VALID) if id is not None else None
    if row is None or not await answers_here(op, row["owner_id"]):
        raise NotFound(
            "Nothing is stored under this link any more. If you have asked for an erasure, it is done or under way."
            " Else the link has expired: ask again on the page of your preferences.",
            code="self_service_link_invalid",
        )
    return row


def _page(op: Op, row: Any) -> RequestPage:
    return RequestPage(
        self_service_words(row["locale"]),
        SelfService(row["kind"]),
        row["used_at"] is not None,
        # An export that its owner has deleted is gone.
        row["used_at"] is not None
        and row["export_status"] in (None, ExportStatus.failed, ExportStatus.canceled),
        links.file_url(op.services, row["file"], None) if row["file"] is not None else None,
    )


def _message(
    op: Op, kind: SelfService, address: Any, locale: str | None, dress: Dress | None, base: str
) -> NewMessage:
    """Returns the message; its link is put in when it is handed over (engine/direct/withheld_links.py)."""
    words, link = self_service_words(locale), YOUR_DATA.example(op.services.settings, base)
    body = f"{words.mail(kind)} {link}"
    metadata: dict[str, Any] = {YOUR_DATA.metadata_key: True}
    if address["channel"] == MessageChannel.email:
        body = f"{words.mail(kind)}\n\n{link}\n\n{words.ignore}\n"
        metadata |= {"subject": words.name(kind)}
        if dress is not None:
            body += letters.footer_text(dress, words.language)
            metadata |= letters.metadata(
                dress,
                words.language,
                words.name(kind),
                letters.paragraph(dress, words.mail(kind)),
                letters.button(dress, words.name(kind), link),
                letters.paragraph(dress, words.ignore),
            )
    return NewMessage(address["channel"], address["address"], body, metadata, valid=VALID)
