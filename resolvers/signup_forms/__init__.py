"""Sign-up forms of an owner. `resolvers/signups` is what the people meet who use them."""

from collections.abc import Sequence
from uuid import UUID

from core.errors import BadRequest, NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p, returning
from engine.brands.dressing import dress_of
from engine.consent.topic_names import name_of
from engine.domains import approval
from resolvers.signup_forms.embedded import form_html, style_of
from resolvers.signups.page_texts import signup_words
from runtime import link_domains
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.sending_projects import ProjectChannel
from shapes.signup_forms import NewSignupForm, SignupFormEmbed, SignupFormPatch

MOST_FORMS = 100  # of one owner

_FORM = models.SignupForm
_LISTS = Listing(_FORM)
_MINE = _FORM.owner_id == p("owner_id")
_COLUMNS = returning(_FORM, "signup_forms")
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('signup forms:' || $1::uuid::text, 0))"
_COUNT = "SELECT count(*) FROM signup_forms WHERE owner_id = $1"
_ADD = f"""
INSERT INTO signup_forms (id, owner_id, name, topic_uuids, text, from_address, redirect_url, enabled)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_CHANGE = f"""
UPDATE signup_forms SET updated_at = now() {{changes}} WHERE id = $1 RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_OWNER = "SELECT owner_id FROM signup_forms WHERE id = $1 AND ($2 OR owner_id = $3) FOR UPDATE"
_DELETE = "DELETE FROM signup_forms WHERE id = $1"
_CHOICES = """
SELECT key, name, description, translations FROM topics WHERE id = ANY($1) AND owner_id = $2 ORDER BY position, id
"""
# Locked against being deleted until the form names them.
_TOPICS = "SELECT id FROM topics WHERE id = ANY($1) AND owner_id = $2 FOR KEY SHARE"


@operation(Permission.contacts_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.SignupForm]:
    """Lists your sign-up forms, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.contacts_read, "read")
async def get(op: Op, id: UUID) -> models.SignupForm:
    """Returns one sign-up form. Raises NotFound."""
    return await _get(op, id)


async def _get(op: Op, id: UUID) -> models.SignupForm:
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise unknown()
    return row


@operation(Permission.contacts_read, "read")
async def embed(op: Op, id: UUID, style: bool = True, locale: str | None = None) -> SignupFormEmbed:
    """Returns a sign-up form in HTML for a page of your own, in a language, with a style of your brand's colors or
    without one. Raises NotFound.
    """
    form = await _get(op, id)
    owner = await op.db.fetchval("SELECT locale FROM users WHERE id = $1", form.owner_id)
    topics = await op.db.fetch(_CHOICES, form.topic_uuids, form.owner_id)
    language = locale or owner
    choices = [(topic["key"], *name_of(topic, language)) for topic in topics] if len(topics) > 1 else []
    words = signup_words(language)
    rules = style_of(await dress_of(op.services, op.db, form.owner_id)) if style else None
    url = f"{await link_domains.base_of(op.services, form.owner_id)}/signup/{id}"
    preselected = words.language if locale else None
    return SignupFormEmbed(url=url, html=form_html(url, words, preselected, choices, form.text, rules))


@operation(Permission.contacts_write, "sql", idempotent=stored_model(models.SignupForm))
async def create(op: Op, input: NewSignupForm) -> models.SignupForm:
    """Adds a form by which people subscribe to topics. You may have a hundred. Raises NotFound (`topic_not_found`),
    BadRequest (`too_many_forms`, `sender_not_approved`).
    """
    owner, db = op.viewer.id, op.connection
    await db.execute(_LOCK, owner)
    if await db.fetchval(_COUNT, owner) >= MOST_FORMS:
        raise BadRequest(f"You may have at most {MOST_FORMS} forms. Delete one.", code="too_many_forms")
    await _check(op, owner, input.topic_uuids, input.from_address)
    row: models.SignupForm = await db.fetchrow(
        _ADD,
        uuid7(),
        owner,
        input.name,
        input.topic_uuids,
        input.text,
        input.from_address,
        input.redirect_url,
        input.enabled,
    )
    return row


@operation(Permission.contacts_write, "sql")
async def update(op: Op, id: UUID, input: SignupFormPatch) -> models.SignupForm:
    """Changes a sign-up form. Raises NotFound, BadRequest (`sender_not_approved`)."""
    owner = await op.connection.fetchval(_OWNER, id, op.viewer.admin, op.viewer.id)
    if owner is None:
        raise unknown()
    values = input.model_dump(include=input.model_fields_set)
    await _check(op, owner, input.topic_uuids or (), values.get("from_address"))
    changes = "".join(f', "{name}" = ${number}' for number, name in enumerate(values, 2))
    row: models.SignupForm = await op.connection.fetchrow(
        _CHANGE.format(changes=changes), id, *values.values()
    )
    return row


@operation(Permission.contacts_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a sign-up form. Who has signed up by it stays. Raises NotFound."""
    if await op.connection.fetchval(_OWNER, id, op.viewer.admin, op.viewer.id) is None:
        raise unknown()
    await op.connection.execute(_DELETE, id)


async def _check(op: Op, owner: UUID, topics: Sequence[UUID], sender: str | None) -> None:
    own_topics = {row["id"] for row in await op.connection.fetch(_TOPICS, topics, owner)}
    for id in topics:
        if id not in own_topics:
            raise NotFound(
                f"There is no topic with the uuid {id} among yours. Check the uuid.", code="topic_not_found"
            )
    if sender is not None:
        await approval.require(op.services, op.connection, owner, ProjectChannel.email, sender)


def unknown() -> NotFound:
    """Returns the error for a form that is not there, or another owner's."""
    return NotFound("There is no form with this id among yours. Check the id.", code="signup_form_not_found")
