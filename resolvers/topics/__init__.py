"""Topics: what an owner's contacts subscribe to."""

from collections.abc import Sequence
from uuid import UUID

from core.errors import BadRequest, Conflict, NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p, returning
from engine.brands.dressing import dress_of
from engine.consent.topic_names import name_of
from resolvers.preferences.model import Choice, PreferencesPage
from resolvers.preferences.page_html import preferences_html
from resolvers.signups.page_texts import LANGUAGES
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.self_service import SelfService
from shapes.sending_projects import ProjectChannel
from shapes.topics import MOST_TOPICS, NewTopic, PreferencesPreview, TopicPatch

_TOPIC = models.Topic
_LISTS = Listing(_TOPIC)
_MINE = _TOPIC.owner_id == p("owner_id")
_PUBLIC = """
SELECT id, name, description, translations FROM topics WHERE owner_id = $1 AND public ORDER BY position, id
"""
_COLUMNS = returning(_TOPIC, "topics")
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('topics:' || $1::uuid::text, 0))"
_COUNT = "SELECT count(*) FROM topics WHERE owner_id = $1"
_ADD = f"""
INSERT INTO topics (id, owner_id, key, name, description, translations, category, opt_in, public, position)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (owner_id, key) DO NOTHING RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_CHANGE = f"""
UPDATE topics SET updated_at = now(), {{changes}} WHERE id = $1 AND ($2 OR owner_id = $3) RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_OWNER = "SELECT owner_id FROM topics WHERE id = $1 AND ($2 OR owner_id = $3)"
_KEY_TAKEN = "SELECT EXISTS (SELECT FROM topics WHERE owner_id = $1 AND key = $2 AND id <> $3)"
# A topic that a project or a form names stays, also while no contact is subscribed.
_USED = """
SELECT EXISTS (SELECT FROM topic_subscriptions WHERE topic_id = $1)
  OR EXISTS (SELECT FROM segments WHERE owner_id = $2 AND jsonb_path_exists(filter,
    '$.**.* ? (@ == $id)', jsonb_build_object('id', $1::uuid)))
  OR EXISTS (SELECT FROM signup_forms WHERE owner_id = $2 AND $1 = ANY(topic_uuids))
  OR EXISTS (SELECT FROM series WHERE topic_id = $1)
  OR EXISTS (SELECT FROM sending_projects WHERE owner_id = $2 AND status <> 'deleted'
    AND (audience -> 'topicUuids' ? $1::uuid::text OR audience -> 'exceptTopicUuids' ? $1::uuid::text))
  OR EXISTS (SELECT FROM repeatable_projects WHERE owner_id = $2 AND deleted_at IS NULL
    AND (source -> 'audience' -> 'topicUuids' ? $1::uuid::text
      OR source -> 'audience' -> 'exceptTopicUuids' ? $1::uuid::text))
"""
_LOCK_TOPIC = "SELECT owner_id FROM topics WHERE id = $1 AND ($2 OR owner_id = $3) FOR UPDATE"
_DELETE = "DELETE FROM topics WHERE id = $1"


@operation(Permission.contacts_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Topic]:
    """Lists your topics, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.contacts_read, "read")
async def get(op: Op, id: UUID) -> models.Topic:
    """Returns one topic. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise unknown()
    return row


@operation(Permission.contacts_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.Topic | None]:
    """Returns topics by id. An id that the caller may not see gives None."""
    return await _LISTS.by_ids(op.db, ids, column_names, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.contacts_read, "read")
async def preview_preferences(op: Op, locale: str | None) -> PreferencesPreview:
    """Returns the page of preferences as a person sees it who is subscribed to nothing, with your public topics."""
    choices = [
        Choice(topic["id"], *name_of(topic, locale), ProjectChannel.email, None)
        for topic in await op.db.fetch(_PUBLIC, op.viewer.id)
    ]
    offered = await op.db.fetchval("SELECT self_service FROM users WHERE id = $1", op.viewer.id)
    page = PreferencesPage(
        locale,
        choices,
        saved=False,
        self_service=[SelfService(each) for each in offered],
        dress=await dress_of(op.services, op.db, op.viewer.id),
    )
    return PreferencesPreview(html=preferences_html(page), languages=list(LANGUAGES))


@operation(Permission.contacts_write, "sql", idempotent=stored_model(models.Topic))
async def create(op: Op, input: NewTopic) -> models.Topic:
    """Adds a topic that your contacts can subscribe to. You may have a hundred. Raises Conflict (`topic_exists`), and
    BadRequest (`too_many_topics`).
    """
    db = op.connection
    await db.execute(_LOCK, op.viewer.id)
    if await db.fetchval(_COUNT, op.viewer.id) >= MOST_TOPICS:
        raise BadRequest(f"You may have at most {MOST_TOPICS} topics. Delete one.", code="too_many_topics")
    values = input.model_dump(mode="json")
    names = (
        "key",
        "name",
        "description",
        "translations",
        "category",
        "opt_in",
        "public",
        "position",
    )
    row: models.Topic | None = await db.fetchrow(
        _ADD, uuid7(), op.viewer.id, *(values[name] for name in names)
    )
    if row is None:
        raise _exists(input.key)
    return row


@operation(Permission.contacts_write, "sql")
async def update(op: Op, id: UUID, input: TopicPatch) -> models.Topic:
    """Changes a topic. Subscriptions stay as they are. Raises NotFound, Conflict (`topic_exists`)."""
    db = op.connection
    owner = await db.fetchval(_OWNER, id, op.viewer.admin, op.viewer.id)
    if owner is None:
        raise unknown()
    values = input.model_dump(mode="json", include=input.model_fields_set)
    if not values:
        return await get_in(op, id)
    if "key" in values:
        await db.execute(_LOCK, owner)
        if await db.fetchval(_KEY_TAKEN, owner, values["key"], id):
            raise _exists(values["key"])
    changes = ", ".join(f'"{name}" = ${number}' for number, name in enumerate(values, 4))
    row: models.Topic | None = await db.fetchrow(
        _CHANGE.format(changes=changes), id, op.viewer.admin, op.viewer.id, *values.values()
    )
    if row is None:
        raise unknown()
    return row


@operation(Permission.contacts_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a topic without subscriptions, also withdrawn ones, that no form, series or project names.

    The history of its subscriptions stays. Raises NotFound, Conflict (`topic_in_use`).
    """
    db = op.connection
    # A transaction that names the topic locks it, too: the statement after this lock sees its commit.
    owner = await db.fetchval(_LOCK_TOPIC, id, op.viewer.admin, op.viewer.id)
    if owner is None:
        raise unknown()
    if await db.fetchval(_USED, id, owner):
        raise Conflict(
            "Contacts, a segment, a sign-up form, a series or a project use this topic. Hide it with `public: false`"
            " instead.",
            code="topic_in_use",
        )
    await db.execute(_DELETE, id)


async def get_in(op: Op, id: UUID) -> models.Topic:
    """Returns one topic as it is in the operation's transaction. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.reads, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise unknown()
    return row


def unknown() -> NotFound:
    """Returns the error for a topic that is not there, or another owner's."""
    return NotFound("There is no topic with this id among yours. Check the id.", code="topic_not_found")


def _exists(key: str) -> Conflict:
    return Conflict(f"You have a topic {key!r} already. Change that one.", code="topic_exists")
