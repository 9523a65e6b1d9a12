"""The public side of signing up: the form, and the page of the link by which a person confirms.

An answer does not tell whether an address is known, nor does its time: it comes at a multiple of ANSWER_SECONDS after
the request, and what is done for a known and for an unknown address takes a small part of that. A reason that would
keep a message from being sent, such as the balance, is the owner's matter: it is logged, and the person gets the usual
answer.
"""

import asyncio
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import structlog

from core.clock import steady
from core.errors import AppError, BadRequest, NotFound, RateLimited
from core.http.dress import Dress
from core.rate_limits import Limit
from engine import unsubscribe as tokens
from engine.consent import capped, changes, opt_ins
from engine.consent.changes import DesiredState, Proof
from engine.consent.opt_ins import OptInRequest
from engine.consent.topic_names import name_of
from engine.contacts import upsert as contact_rows
from engine.contacts.matching import Address, NewContact
from engine.direct.withheld_links import OPT_IN
from resolvers.auth.login_limits import limit_address
from resolvers.brands.pages import answers_here, dress_page
from resolvers.recipient_addresses import normalise
from resolvers.signups import visitor
from runtime.fair_queue import Bounds, FairQueue
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.addresses import address_key
from shapes.consents import ConsentSource
from shapes.messages import MessageChannel
from shapes.sending_projects import ProjectChannel
from shapes.topic_subscriptions import SubscriptionState
from shapes.topics import TopicOptIn

log = structlog.get_logger("postern.signups")

PAGES = Limit("signup-pages", 600, 60.0)
"""The limit of the pages is high: large mail providers open links from a few addresses."""

BOUNDS = Bounds(slots=4, slots_per_network=2, waiting=200, per_user=50, per_network=50, seconds=5.0)
"""The sign-ups of a process: those of a form one after the other, in turns between networks. So a flood leaves its time
and its connections to the database to others, and a form whose owner's rows are locked keeps no other form waiting.
"""

ANSWER_SECONDS = 0.25

_FORM = """
SELECT f.id, f.owner_id, f.name, f.topic_uuids AS topic_ids, f.text, f.from_address, f.redirect_url, u.locale
FROM signup_forms AS f JOIN users AS u ON u.id = f.owner_id
WHERE f.id = $1 AND f.enabled AND u.status = 'active'
"""
_TOPICS = """
SELECT id, key, name, description, translations, opt_in FROM topics WHERE id = ANY($1) AND owner_id = $2
ORDER BY position, id
"""
_CONTACT = """
SELECT contact_id FROM contact_addresses
WHERE owner_id = $1 AND channel = 'email' AND COALESCE(address_key, address) = $2
"""
_STATES = """
SELECT topic_id, state, withdrawn_at IS NOT NULL AS withdrawn FROM topic_subscriptions
WHERE contact_id = $1 AND channel = 'email'
"""
_OPT_IN = """
SELECT o.id, o.owner_id, o.contact_id, o.channel, o.address, o.topic_ids, o.text_id, o.confirmed_at,
  COALESCE(c.locale, u.locale) AS locale
FROM opt_ins AS o JOIN contacts AS c ON c.id = o.contact_id JOIN users AS u ON u.id = o.owner_id
WHERE (o.id = $1 OR o.reminder_id = $1) AND o.created_at > now() - $2::interval AND u.status = 'active' AND EXISTS (
  SELECT FROM contact_addresses WHERE contact_id = o.contact_id AND channel = o.channel AND address = o.address)
"""
# A contact that has withdrawn since stays out: a link makes active only subscriptions that still wait for it.
_PENDING = """
SELECT topic_id FROM topic_subscriptions
WHERE contact_id = $1 AND channel = $2 AND topic_id = ANY($3) AND state = 'pending' FOR UPDATE
"""
_CONFIRMED = "UPDATE opt_ins SET confirmed_at = now() WHERE id = $1 AND confirmed_at IS NULL RETURNING true"
# The address that the person has confirmed is the one that gets the messages.
_VERIFIED = """
UPDATE contact_addresses SET "primary" = address = $4,
  verified_at = CASE WHEN address = $4 THEN COALESCE(verified_at, now()) ELSE verified_at END
WHERE owner_id = $1 AND channel = $2 AND contact_id = $3
"""


@dataclass(frozen=True, slots=True)
class SignupPage:
    """The parts of the page of a form."""

    name: str
    text: str | None
    redirect_url: str | None
    locale: str | None  # of the person, as the browser or the form says, else of the owner
    topics: Sequence[tuple[str, str, str | None]]  # key, name and description of each
    lacks_topic: bool = False  # the form has several, and the person has chosen none
    dress: Dress | None = None  # of the owner


@dataclass(frozen=True, slots=True)
class OptInPage:
    """The parts of the page that asks for a confirmation."""

    locale: str | None
    topics: Sequence[str]  # their names
    confirmed: bool
    dress: Dress | None = None  # of the owner


@dataclass(frozen=True, slots=True)
class SignUp:
    """The values that a person has sent by a form."""

    email: str
    name: str | None = None
    locale: str | None = None
    topics: Sequence[str] = ()  # keys; none: the only one of the form
    website: str = ""  # people don't see the field; programs fill it in


class _Queue(FairQueue):
    """The sign-ups of this process."""

    def __init__(self) -> None:
        super().__init__(
            BOUNDS,
            lambda: RateLimited(
                "Too many people sign up at the moment. Try again in a few seconds.",
                headers={"Retry-After": "5"},
            ),
        )


@operation(Permission.public, "read")
async def form(op: Op, id: UUID, language: str | None = None) -> SignupPage:
    """Returns an HTML page on which people subscribe to the topics of a form, in the language that the browser asks
    for, or in the owner's. Raises NotFound, RateLimited.
    """
    await op.services.limiter.enforce(PAGES, op.ctx.client_address, "requests to this page")
    row = await _form(op, id)
    return await _page(op, row, await op.db.fetch(_TOPICS, row["topic_ids"], row["owner_id"]), language)


@operation(Permission.public, "outside")
async def sign_up(op: Op, id: UUID, input: SignUp) -> SignupPage:
    """Asks an address to confirm that it subscribes to topics of a form. The answer is the same for known and unknown
    addresses. A form on a page of yours may send to this route, without a script or by one, from any origin.

    A person who is subscribed already is not asked, and one who asks again gets another message, a few times an hour.
    Raises NotFound, BadRequest (an address that is none, an unknown topic), RateLimited.
    """
    await limit_address(op, Limit.parse("signups", op.services.settings.limit_signups), "sign-ups")
    # From the arrival on: else a second request would tell by its wait how long the first one of the form took.
    arrived = steady()
    queue = op.services.single(_Queue, _Queue)
    async with queue.alone(id, op.ctx.client_networks[-1]), queue.slot(id):
        page = await _sign_up(op, id, input)
    await asyncio.sleep(ANSWER_SECONDS - (steady() - arrived) % ANSWER_SECONDS)
    return page


async def _sign_up(op: Op, id: UUID, input: SignUp) -> SignupPage:
    settings = op.services.settings
    row = await _form(op, id)
    topics = await op.db.fetch(_TOPICS, row["topic_ids"], row["owner_id"])
    page = await _page(op, row, topics, input.locale)
    if input.website:
        return page
    email = normalise(MessageChannel.email, input.email, settings.default_region, op.services.guard)
    if not input.topics and len(topics) > 1:
        return replace(page, lacks_topic=True)
    requested = [topic for topic in topics if topic["key"] in input.topics or not input.topics]
    if unknown := {*input.topics} - {topic["key"] for topic in topics}:
        raise BadRequest(f"This form has no topic {min(unknown)!r}.", code="unknown_topic")
    # The key is a hash, since an erasure finds no keys of Redis. Both buckets or none: an address that is not asked
    # leaves no key there, however many addresses a flood has.
    person = f"{row['owner_id']}:{address_key(email)}".encode()
    of_owner = Limit.parse("signup-owner", settings.limit_signup_owner).bucket(str(row["owner_id"]))
    of_address = Limit.parse("signup-address", settings.limit_signup_address).bucket(
        hmac.digest(op.services.key("sign-ups"), person, "sha256").hex()
    )
    limiter = op.services.limiter
    drawn = await limiter.draw_from([of_owner, of_address], need=1, want=1, awaited=1)
    if not drawn.taken:
        if (await limiter.draw_from([of_owner], need=1, want=0, awaited=1)).remaining < 1:
            await capped.emit(op.services, row["owner_id"], id)
        log.warning(
            "a sign-up was dropped by a limit", owner_id=str(row["owner_id"]), retry_after=drawn.retry_after
        )
        return page
    try:
        async with op.db.transaction() as connection:
            await _subscribe(op, connection, row, email, input, requested)
    except AppError as error:
        log.warning("a sign-up was not stored", owner_id=str(row["owner_id"]), code=error.code)
    return page


@operation(Permission.public, "read")
async def opt_in(op: Op, token: str) -> OptInPage:
    """Returns an HTML page with a button that confirms subscriptions. Opening the page changes nothing, because link
    checkers open every link. Raises NotFound, RateLimited.
    """
    row = await _opt_in(op, token)
    topics = await op.db.fetch(_TOPICS, row["topic_ids"], row["owner_id"])
    return await _opt_in_page(op, row, topics, confirmed=row["confirmed_at"] is not None)


@operation(Permission.public, "outside")
async def confirm(op: Op, token: str) -> OptInPage:
    """Confirms subscriptions. Repeating it is not an error; the request body is ignored.

    They are the subscriptions that the link is about and that still wait for it. A person who has withdrawn meanwhile
    stays out, and a repeated call changes nothing. Raises NotFound, RateLimited.
    """
    row = await _opt_in(op, token)
    async with op.db.transaction() as connection:
        topics = await connection.fetch(_TOPICS, row["topic_ids"], row["owner_id"])
        if await connection.fetchval(_CONFIRMED, row["id"]):
            proof = Proof(
                ConsentSource.page,
                revives=True,
                text_id=row["text_id"],
                ip=visitor.ip(op),
                user_agent=visitor.user_agent(op),
            )
            asked = (row["contact_id"], row["channel"], [topic["id"] for topic in topics])
            desired = [
                DesiredState(row["contact_id"], pending["topic_id"], row["channel"], SubscriptionState.active)
                for pending in await connection.fetch(_PENDING, *asked)
            ]
            await changes.apply(connection, row["owner_id"], desired, proof)
            verified = (row["owner_id"], row["channel"], row["contact_id"], row["address"])
            await connection.execute(_VERIFIED, *verified)
    return await _opt_in_page(op, row, topics, confirmed=True)


async def _page(op: Op, form: Any, topics: Sequence[Any], language: str | None) -> SignupPage:
    locale = language or form["locale"]
    choices = [(topic["key"], *name_of(topic, locale)) for topic in topics]
    dress = await dress_page(op, form["owner_id"])
    return SignupPage(form["name"], form["text"], form["redirect_url"], locale, choices, dress=dress)


async def _opt_in_page(op: Op, row: Any, topics: Sequence[Any], *, confirmed: bool) -> OptInPage:
    names = [name_of(topic, row["locale"])[0] for topic in topics]
    return OptInPage(row["locale"], names, confirmed, await dress_page(op, row["owner_id"]))


async def _form(op: Op, id: UUID) -> Any:
    row = await op.db.fetchrow(_FORM, id)
    if row is None or not await answers_here(op, row["owner_id"]):
        raise NotFound("This form does not exist any more.", code="signup_form_not_found")
    return row


async def _opt_in(op: Op, token: str) -> Any:
    """Returns the request that a token is of. Only tokens with a valid signature reach the database."""
    await op.services.limiter.enforce(PAGES, op.ctx.client_address, "requests to this page")
    id = tokens.read(op.services.keys(OPT_IN.purpose), token)
    row = await op.db.fetchrow(_OPT_IN, id, opt_ins.VALID) if id is not None else None
    if row is None or not await answers_here(op, row["owner_id"]):
        raise NotFound("This link is invalid or has expired. Sign up again.", code="opt_in_link_invalid")
    return row


async def _subscribe(
    op: Op, connection: Any, form: Any, email: str, input: SignUp, topics: Sequence[Any]
) -> None:
    """Subscribes the contact with this address, or a new one. Nothing of a known contact is changed by a stranger."""
    owner = form["owner_id"]
    contact = await connection.fetchval(_CONTACT, owner, address_key(email))
    is_new = False
    if contact is None:
        new = NewContact(None, input.name, input.locale, None, {}, [Address("email", email)])
        (applied,) = await contact_rows.upsert(connection, owner, [new], by_owner=False)
        if applied.person is None:
            return
        contact, is_new = applied.person.id, applied.person.new
    states = {row["topic_id"]: row for row in await connection.fetch(_STATES, contact)}
    pending: list[UUID] = []
    active: list[UUID] = []
    for topic in topics:
        state = states.get(topic["id"])
        if state is not None and state["state"] == SubscriptionState.active:
            continue
        asks = topic["opt_in"] == TopicOptIn.double or (state is not None and state["withdrawn"])
        (pending if asks else active).append(topic["id"])
    proof = Proof(
        ConsentSource.form,
        text_id=await changes.text_id(connection, owner, form["text"]),
        ip=visitor.ip(op),
        user_agent=visitor.user_agent(op),
    )
    # Only the person takes a withdrawal back, so a topic that was withdrawn is asked for and not made active here.
    for topic_ids, state in ((pending, SubscriptionState.pending), (active, SubscriptionState.active)):
        desired = [DesiredState(contact, topic, "email", state) for topic in topic_ids]
        asks = state is SubscriptionState.pending
        await changes.apply(connection, owner, desired, replace(proof, revives=asks))
    request = OptInRequest(proof.text_id, form["from_address"], address_key(email), new_contact=is_new)
    asked = {contact: pending} if pending else {}
    await opt_ins.ask_to_confirm(op.services, connection, owner, ProjectChannel.email, asked, request)
