"""The state changes of a Sending Project that the API and the scheduler share: SQL in the caller's transaction.

The caller has checked that the project may make the move (engine/projects/states.py); each statement repeats the
states, so that a move that lost a race changes nothing.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from uuid import UUID

import asyncpg

from core import change_events
from core.errors import BadRequest, Conflict, Forbidden, NotFound
from engine.clicks.links import IS_COUNTED
from engine.domains import approval
from engine.jobs import JobName, enqueue
from engine.projects import contact_audience, follow_ups, public_links
from engine.projects.audience_sizes import size_in_time
from engine.projects.contact_audience import followed_by
from engine.sms.price_books import CURRENT, has_price, refuses_all
from engine.tariffs import room_for_project
from runtime.routes import MESSENGERS
from runtime.services import Services
from shapes.pauses import PauseReason
from shapes.sending_projects import START_WITHIN_SECONDS
from shapes.shape import Shape

Connection: TypeAlias = asyncpg.Connection | Any


# One row per content: the newest is used again when it has not changed.
_CONTENT = f"""
WITH now_says AS (
  SELECT jsonb_build_object(
    'subject', subject, 'html', html, 'text', text, 'variants', variants, 'template', template,
    'attachment_uuids', to_jsonb(attachment_uuids), 'on_missing_variable', on_missing_variable,
    'category', category
  ) || CASE WHEN from_address IS NULL THEN '{{}}' ELSE jsonb_build_object('from_address', from_address) END
    || CASE WHEN sender IS NULL THEN '{{}}' ELSE jsonb_build_object('sender', sender) END
    || CASE WHEN languages IS NULL THEN '{{}}' ELSE jsonb_build_object('languages', languages) END
    || CASE WHEN {IS_COUNTED.format(project="p")} THEN '{{"track_clicks": true}}'::jsonb ELSE '{{}}' END
    || CASE WHEN concat(subject, html, text, variants::text, template::text, languages::text) LIKE '%run.%'
      THEN jsonb_build_object('run_at', COALESCE(started_at, now())) ELSE '{{}}' END
    AS content FROM sending_projects AS p WHERE id = $1
), newest AS (
  SELECT number, content FROM project_contents WHERE project_id = $1 ORDER BY number DESC LIMIT 1
), made AS (
  INSERT INTO project_contents (project_id, number, content)
  SELECT $1, COALESCE((SELECT number FROM newest), 0) + 1, content FROM now_says
  WHERE content IS DISTINCT FROM (SELECT content FROM newest)
  RETURNING number
)
SELECT COALESCE((SELECT number FROM made), (SELECT number FROM newest))
"""  # noqa: S608  our own condition

# The prices that hold at a start hold until the next one; they can't be deleted before it has committed.
_PRICES = f"""(
    SELECT l.price_version_id FROM accounts AS a
    JOIN users AS u ON u.id = sending_projects.owner_id JOIN tariffs AS t ON t.code = u.tariff_code
    CROSS JOIN LATERAL ({CURRENT.format(list="t.price_list_id", currency="a.currency")}) AS l
    WHERE a.id = sending_projects.account_id
  )"""  # noqa: S608  our own condition
_OF_START = f"SELECT {_PRICES} FROM sending_projects WHERE sending_projects.id = $1"  # noqa: S608  our own condition
_LOCK_PRICES = f"SELECT 1 FROM price_list_versions WHERE id = ({_OF_START}) FOR KEY SHARE"  # noqa: S608

# `prepared_to` stays: a stopped project continues materializing its audience where it was.
_BEGIN = f"""
UPDATE sending_projects SET status = CASE WHEN recipients_error IS NULL THEN 'running' ELSE 'paused' END,
  status_reason = CASE
    WHEN recipients_error IS NOT NULL THEN 'recipients_failed'
    WHEN recipients_pending > 0 THEN 'recipients_pending' END, resume_at = NULL, finished_at = NULL,
  started_at = COALESCE(started_at, now()), preparation = 'freeze', content = $2, plan_id = $3, updated_at = now(),
  price_version_id = {_PRICES}
WHERE id = $1 AND status IN ('draft', 'scheduled', 'stopped') RETURNING owner_id
"""  # noqa: S608  our own condition
_SCHEDULE = """
UPDATE sending_projects SET status = 'scheduled', status_reason = NULL, plan_id = $2, updated_at = now()
WHERE id = $1 AND status IN ('draft', 'stopped') RETURNING owner_id
"""
# No intent is being recorded while this lock is held: see `_RUNS` in engine/projects/batches.py.
_STILL = "SELECT FROM sending_projects WHERE id = $1 FOR UPDATE"
# Also waits for additions of recipients.
_ALL_STILL = """
SELECT FROM sending_projects AS p WHERE owner_id = $1 AND (
  status = 'running' OR EXISTS (SELECT FROM recipient_additions WHERE project_id = p.id)
) ORDER BY id FOR UPDATE
"""
_STOP = """
UPDATE sending_projects SET status = 'stopped', status_reason = NULL, resume_at = NULL, preparation = NULL,
  updated_at = now()
WHERE id = $1 AND status IN ('scheduled', 'running', 'paused') RETURNING owner_id
"""
_MISSED = """
UPDATE sending_projects SET status = 'stopped', status_reason = $2, updated_at = now()
WHERE id = $1 AND status = 'scheduled' RETURNING owner_id
"""
# Starts at the first failed message; when all are queued again, the engine materializes the rest that a stop had left.
_RETRY = f"""
UPDATE sending_projects SET status = CASE WHEN recipients_error IS NULL THEN 'running' ELSE 'paused' END,
  status_reason = CASE
    WHEN recipients_error IS NOT NULL THEN 'recipients_failed'
    WHEN recipients_pending > 0 THEN 'recipients_pending' END, resume_at = NULL, finished_at = NULL,
  started_at = COALESCE(started_at, now()), preparation = 'retry', retried_to = 0, retry_unknown = $2,
  content = $3, retry_skipped = $4, retry_failed = $5, retry_suppressed = 0, plan_id = $6, updated_at = now(),
  price_version_id = {_PRICES}
WHERE id = $1 AND status IN ('finished', 'stopped') AND messages_deleted_at IS NULL RETURNING owner_id
"""  # noqa: S608  our own condition
_DELETE = """
UPDATE sending_projects SET status = 'deleted', status_reason = NULL, resume_at = NULL, preparation = 'cancel',
  updated_at = now()
WHERE id = $1 AND status IN ('draft', 'scheduled', 'stopped', 'finished') RETURNING owner_id
"""
_SUSPEND = """
UPDATE sending_projects SET status = 'paused', status_reason = 'owner_suspended', resume_at = now(),
  updated_at = now()
WHERE owner_id = $1 AND status = 'running'
"""
_STOP_ALL = """
UPDATE sending_projects SET status = 'stopped', status_reason = NULL, resume_at = NULL, preparation = NULL,
  updated_at = now()
WHERE owner_id = $1 AND status IN ('scheduled', 'running', 'paused')
"""

_NONE_PENDING = """
UPDATE sending_projects SET recipients_pending = 0, recipients_error = NULL
WHERE id = $1 AND (recipients_pending > 0 OR recipients_error IS NOT NULL)
"""
_NO_BULK_ADD = """
WITH gone AS (
  DELETE FROM recipient_additions AS a USING sending_projects AS p
  WHERE p.id = a.project_id AND p.owner_id = $1 RETURNING a.project_id
)
UPDATE sending_projects SET recipients_pending = 0 WHERE id IN (SELECT project_id FROM gone)
"""

_MEANS = f"""
SELECT EXISTS (
    SELECT FROM source_accounts WHERE id = ANY(p.account_uuids) AND source <> p.channel AND source = ANY($2)
  ) AS foreign_sender, p.from_address, p.sender,
  p.owner_id, p.channel, u.status AS owner_status, t.channels, t.prices, a.currency, l.price_version_id,
  l.price_list_strict, a.owner_id IS NOT DISTINCT FROM p.owner_id AS pays,
  p.recipients_pending > 0 OR EXISTS (SELECT FROM recipients WHERE project_id = p.id) AS has_recipients,
  p.audience, p.audience_segments, p.audience_read_at, t.max_recipients_per_project AS most, p.category,
  p.id, p.follows_uuid,
  COALESCE(p.text, p.template ->> 'name') IS NOT NULL OR p.variants <> '[]'
    OR (p.channel = 'email' AND p.html IS NOT NULL)
    OR (p.channel IN ('telegram', 'whatsapp') AND p.attachment_uuids <> '{{}}') AS says_something,
  p.channel <> 'email' OR p.subject IS NOT NULL AS has_subject,
  {public_links.OFFERS_A_LINK.format(links="$3")} AS offers_a_link
FROM sending_projects AS p
JOIN users AS u ON u.id = p.owner_id
JOIN tariffs AS t ON t.code = u.tariff_code
LEFT JOIN accounts AS a ON a.id = p.account_id
LEFT JOIN LATERAL ({CURRENT.format(list="t.price_list_id", currency="a.currency")}) AS l ON true
WHERE p.id = $1
"""  # noqa: S608  our own condition


_TOPICS = "SELECT category FROM topics WHERE id = ANY($1) AND owner_id = $2"
_SEGMENTS = """
SELECT count(*) FROM segments WHERE owner_id = $2 AND id::text IN (
  SELECT jsonb_array_elements_text($1::jsonb -> 'segmentUuids'))
"""


def columns_of(shape: Shape, only: set[str] | None = None) -> dict[str, Any]:
    """Returns the columns of `sending_projects` that a project's shape sets (those in `only`), null as their default.

    For connections of `Database.reading()`, whose JSON codec accepts objects. `account_id` may be None.
    """
    columns: dict[str, Any] = {}
    for name in type(shape).model_fields:
        if name not in _SETTABLE or (only is not None and name not in only):
            continue
        value = getattr(shape, name)
        if isinstance(value, Shape):
            value = value.model_dump(mode="json", by_alias=True, exclude_none=True)
        elif name == "variants":
            value = [variant.model_dump(mode="json") for variant in value or ()]
        elif value is None and name in _DEFAULTS:
            value = _DEFAULTS[name]()
        columns[name] = getattr(value, "value", value)  # the value of an enum
    return columns


_SETTABLE = frozenset(
    [
        "name", "channel", "account_id", "account_uuids", "subject", "html", "text", "variants", "template",
        "attachment_uuids", "start_at", "start_within_seconds", "window", "speed", "retry", "on_missing_variable",
        "stop_on_reply", "from_address", "sender", "audience",
        "category", "languages", "track_clicks",
    ]
)  # fmt: skip
_DEFAULTS: dict[str, Callable[[], Any]] = {
    "account_uuids": list,
    "attachment_uuids": list,
    "speed": dict,
    "retry": dict,
    "on_missing_variable": lambda: "empty",
    "stop_on_reply": lambda: False,
    "start_within_seconds": lambda: START_WITHIN_SECONDS,
    "category": lambda: "promotional",
}


async def admit(services: Services, connection: Connection, id: UUID, *, may_be_empty: bool = False) -> None:
    """Checks the conditions of a start, for now or for later. The owner's row stays locked until the commit.

    `may_be_empty`: an audience may be empty just now.

    Raises BadRequest (`no_text`, `foreign_sender`, `no_recipients`, `no_price`), Forbidden
    (`channel_not_in_tariff`), Conflict (`owner_not_active`, `too_many_projects`, `public_url_missing`), NotFound
    (the account has another owner now).
    """
    means = await connection.fetchrow(_MEANS, id, MESSENGERS, public_links.LINKS)
    channel = means["channel"]
    if means["owner_status"] != "active":
        raise Conflict(
            "The owner of this project is not active. Activate the user first.", code="owner_not_active"
        )
    if not means["says_something"] or not means["has_subject"]:
        lacks = "text" if not means["says_something"] else "subject"
        raise BadRequest(f"This project has no {lacks} yet. Set it with PATCH first.", code="no_text")
    if means["foreign_sender"]:
        raise BadRequest(
            f"A source account of this project belongs to another messenger. Use only accounts of {channel}.",
            code="foreign_sender",
        )
    if means["follows_uuid"] is not None:
        await follow_ups.admit(services, connection, means)
    if means["audience"] is not None:
        await _admit_audience(connection, means, may_be_empty=may_be_empty)
    elif not means["has_recipients"]:
        raise BadRequest(
            "This project has no recipients yet. Add some with POST /recipient/{projectUuid}.",
            code="no_recipients",
        )
    if not means["pays"]:
        raise NotFound(
            "The account that pays for this project now belongs to another user. Create another project"
            " that pays from another account.",
            code="account_not_found",
        )
    sender = means["from_address"], means["sender"]
    await approval.require(services, connection, means["owner_id"], channel, *sender)
    if channel not in means["channels"]:
        raise Forbidden(
            f"Your tariff doesn't include {channel}. Choose another channel, or another tariff.",
            code="channel_not_in_tariff",
        )
    is_free = (await services.choices.now(connection)).is_free
    if not has_price(means, channel, is_free=is_free) or refuses_all(means, channel, is_free=is_free):
        raise BadRequest(
            f"There is no price for {channel} in {means['currency']}. Use an account in another currency.",
            code="no_price",
        )
    if public_links.lacks_public_address(services, channel, offers_a_link=means["offers_a_link"]):
        raise Conflict(
            "A promotional project gives its recipients an unsubscribe link, and the public address of"
            " this service is not configured. Ask the operator to set POSTERN_PUBLIC_URL.",
            code="public_url_missing",
        )
    await room_for_project(connection, means["owner_id"], id)


async def _admit_audience(connection: Connection, means: Any, *, may_be_empty: bool) -> None:
    """Raises BadRequest and Conflict for an audience without consent, of another category, empty or too large."""
    audience, owner = means["audience"], means["owner_id"]
    if audience["topicUuids"]:
        topics = await connection.fetch(_TOPICS, contact_audience.topics_of(means), owner)
        if not topics:
            raise _nobody("The topics of this project were deleted. Choose others with PATCH.")
        if any(topic["category"] != means["category"] for topic in topics):
            raise BadRequest(
                f"This project is {means['category']}, and a topic of its audience is not. Change the project's"
                " category, or choose another topic.",
                code="category_differs",
            )
    elif means["category"] == "promotional" and followed_by(audience) is None:
        raise BadRequest(
            "A promotional project needs a topic in its audience, because that is what people have agreed to. Add"
            " topicUuids with PATCH; segmentUuids narrow them down.",
            code="no_topic",
        )
    elif followed_by(audience) is None and not await connection.fetchval(_SEGMENTS, audience, owner):
        raise _nobody("The segments of this project were deleted. Choose others with PATCH.")
    if means["audience_read_at"] is not None:
        return
    size = await size_in_time(connection, means)
    if size is None:
        return
    if size == 0 and not may_be_empty and followed_by(audience) is None:
        raise _nobody(f"Nobody in the audience of this project can be reached by {means['channel']}.")
    if size > means["most"]:
        raise Conflict(
            f"Your tariff allows {means['most']} recipients per project, and the audience of this one has {size}."
            " Leave some out, or choose another tariff.",
            code="too_many_recipients",
            details={"limit": means["most"], "recipients": size},
        )


def _nobody(message: str) -> BadRequest:
    return BadRequest(message, code="no_recipients")


async def begin(connection: Connection, id: UUID, plan: UUID | None = None) -> bool:
    """draft, scheduled, stopped → running, with the content as it is now; the engine materializes the audience.

    `plan`: the one that this start obeys.
    """
    number = await connection.fetchval(_CONTENT, id)
    await connection.fetchval(_LOCK_PRICES, id)
    await contact_audience.expect(connection, id)
    await follow_ups.begin(connection, id)
    if not _moved(id, await connection.fetchval(_BEGIN, id, number, plan)):
        return False
    await enqueue(connection, JobName.prepare_project, id)
    return True


async def schedule(connection: Connection, id: UUID, plan: UUID | None = None) -> bool:
    """draft, stopped → scheduled; the scheduler calls `begin` at `start_at`."""
    return _moved(id, await connection.fetchval(_SCHEDULE, id, plan))


async def stop(connection: Connection, id: UUID) -> bool:
    """scheduled, running, paused → stopped. Queued messages stay queued; results of messages in flight are stored."""
    await connection.execute(_STILL, id)
    await end_bulk_add(connection, id)
    return _moved(id, await connection.fetchval(_STOP, id))


async def miss_start(connection: Connection, id: UUID, reason: PauseReason) -> bool:
    """scheduled → stopped: it could not be started at its time, and its owner decides whether it still should be."""
    return _moved(id, await connection.fetchval(_MISSED, id, reason.value))


async def retry(
    connection: Connection,
    id: UUID,
    unknown: bool,
    skipped: Sequence[str] = (),
    failed: Sequence[str] | None = None,
    plan: UUID | None = None,
) -> bool:
    """finished, stopped → running. The failed messages are queued again, or only those with one of the codes `failed`;
    with `unknown` the unknown ones too, and those that were skipped with one of the codes `skipped`."""
    number = await connection.fetchval(_CONTENT, id)
    await connection.fetchval(_LOCK_PRICES, id)
    codes = ([*skipped], None if failed is None else [*failed])
    await contact_audience.expect(connection, id)
    await follow_ups.begin(connection, id)
    await follow_ups.read_again(connection, id)
    if not _moved(id, await connection.fetchval(_RETRY, id, unknown, number, *codes, plan)):
        return False
    await enqueue(connection, JobName.prepare_project, id)
    return True


async def delete(connection: Connection, id: UUID) -> bool:
    """draft, scheduled, stopped, finished → deleted; queued messages are canceled in the background."""
    if not _moved(id, await connection.fetchval(_DELETE, id)):
        return False
    await end_bulk_add(connection, id)
    await enqueue(connection, JobName.prepare_project, id)
    return True


async def end_bulk_add(connection: Connection, id: UUID) -> None:
    """Ends all additions of imports to the project (engine/imports/bulk_add.py), in the transaction of its move."""
    await connection.execute("DELETE FROM recipient_additions WHERE project_id = $1", id)
    await connection.execute(_NONE_PENDING, id)


async def owner_left(connection: Connection, user_id: UUID, *, for_good: bool) -> None:
    """Pauses the projects of a suspended user until the user is active again; stops those of a deleted one
    (`for_good`)."""
    await connection.execute(_ALL_STILL, user_id)
    await connection.execute(_STOP_ALL if for_good else _SUSPEND, user_id)
    if for_good:
        await connection.execute(_NO_BULK_ADD, user_id)
    change_events.all_projects(user_id)


def _moved(id: UUID, owner: UUID | None) -> bool:
    """Returns whether the statement changed the project, and emits the change event if so."""
    if owner is not None:
        change_events.project(owner, id)
    return owner is not None
