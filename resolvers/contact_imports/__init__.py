"""Imports of contacts. Lists are accepted here and read in the background by engine/imports/."""

from typing import Any

from core.errors import NotFound
from db import models
from engine.contacts.field_values import unknown
from engine.contacts.upsert import field_types
from resolvers import imports
from resolvers.imports.import_forms import list_options
from resolvers.topic_subscriptions import require_topics
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.contact_imports import (
    ContactImportPreview,
    ImportSubscription,
    NewContactImport,
    PreviewField,
    SubscribeSegment,
)

_FILTER = "SELECT filter FROM segments WHERE id = $1 AND owner_id = $2"


@operation(Permission.contacts_write, "outside")
async def create(op: Op, input: NewContactImport) -> models.RecipientImport:
    """Accepts a list of contacts, and adds and changes them in the background as `upsertContact` does. The import shows
    the progress, and the rows that were left out with the reason.

    Honours Idempotency-Key. Raises ValidationFailed, BadRequest (`unknown_field`), NotFound for the file and topics,
    RateLimited (`too_many_imports`).
    """
    await _check_fields(op, input)
    if input.subscribe is not None:
        await require_topics(op, input.subscribe.topic_uuids)
    return await imports.enter(op, "contact_imports.create", _options(op, input), **imports.source_of(input))


@operation(Permission.contacts_write, "outside")
async def preview(op: Op, input: NewContactImport) -> ContactImportPreview:
    """Detects the format and the columns of a list of contacts, and suggests a mapping.

    What is read for it is added to the operation's cost. Raises ValidationFailed, NotFound, Unprocessable, RateLimited
    (`previews_busy`), Unavailable.
    """
    types = await field_types(op.db, op.viewer.id)
    options = _options(op, input)
    options["contacts"]["existing"] = [*types]
    result = await imports.previewed(op, input, options)
    new: dict[str, str] = result.pop("types", {})
    fields = [
        PreviewField(key=key, type=types[key].type if key in types else type, is_new=key not in types)
        for key, type in new.items()
    ]
    return ContactImportPreview.model_validate({**result, "fields": fields})


@operation(Permission.contacts_write, "outside")
async def subscribe_segment(op: Op, input: SubscribeSegment) -> models.RecipientImport:
    """Subscribes the contacts of a segment to topics in the background, a page at a time. Who has withdrawn a topic
    stays withdrawn. Repeating it changes nothing.

    The import that is returned has no rows; its `contacts` say how many were subscribed, were subscribed before, had
    withdrawn, and have no address of the channel. Honours Idempotency-Key. Raises NotFound (`topic_not_found`,
    `segment_not_found`), RateLimited (`too_many_imports`).
    """
    await require_topics(op, input.topic_uuids)
    filter = None
    if input.segment_uuid is not None:
        filter = await op.reads.fetchval(_FILTER, input.segment_uuid, op.viewer.id)
        if filter is None:
            raise NotFound(
                "There is no segment with this id among yours. Check the id.", code="segment_not_found"
            )
    options = {
        "region": op.services.settings.default_region,
        "contacts": {"subscribe": _subscription(op, input), "members": {"filter": filter}},
    }
    return await imports.enter(op, "contact_imports.subscribe_segment", options)


async def _check_fields(op: Op, input: NewContactImport) -> None:
    """Raises BadRequest (`unknown_field`) for a field that is mapped and that the caller does not have."""
    requested = (input.mapping and input.mapping.fields) or {}
    if not requested or input.create_fields:
        return
    types = await field_types(op.db, op.viewer.id)
    for key in requested:
        if key not in types:
            raise unknown(key)


def _options(op: Op, input: NewContactImport) -> dict[str, Any]:
    mapping = input.mapping and input.mapping.model_dump(mode="json", by_alias=True, exclude_none=True)
    subscribe = None if input.subscribe is None else _subscription(op, input.subscribe)
    return {
        **list_options(input),
        "region": input.region or op.services.settings.default_region,
        "contacts": {"mapping": mapping, "createFields": input.create_fields, "subscribe": subscribe},
    }


def _subscription(op: Op, input: ImportSubscription) -> dict[str, Any]:
    return input.model_dump(mode="json", by_alias=True) | {"actorId": str(op.viewer.actor_id)}
