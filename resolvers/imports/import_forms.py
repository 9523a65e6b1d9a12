"""Reads the request that adds an import: a form with a file, or JSON with rows."""

import builtins
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson
from pydantic import ValidationError

from core.errors import RateLimited, ValidationFailed
from core.file_store import gone
from core.http import multipart
from db import models
from engine import files
from engine.file_parsers.text import codec
from runtime.operation import Op
from shapes.imports import (
    ImportOptions,
    ListOptions,
    NewTextImport,
)

_WAITING = """
SELECT count(*) FROM (
  SELECT FROM recipient_imports WHERE owner_id = $1 AND status = 'processing' LIMIT $2
) AS unfinished
"""
MOST_WAITING = 100
"""Imports of one user that are being read or wait for that; one of them is read at a time."""


@dataclass(frozen=True, slots=True)
class Form:
    """A list that arrives as a file in a form: the part `file`, and fields named like the options."""

    content_type: str
    body: AsyncIterator[bytes]


async def check_waiting(connection: Any, owner: UUID) -> None:
    """Raises RateLimited (`too_many_imports`) if so many imports of the owner wait that no other may."""
    if await connection.fetchval(_WAITING, owner, MOST_WAITING) >= MOST_WAITING:
        raise RateLimited(
            f"{MOST_WAITING} imports of yours are not read to the end yet, "
            "the most at once. Wait until one is ready, or"
            " delete one.",
            code="too_many_imports",
            headers={"Retry-After": "5"},
        )


async def received(op: Op, form: Form) -> tuple[files.PendingFile, dict[str, Any]]:
    """Receives a form. Returns its file and the options from its fields."""

    async def store_file(file: multipart.Incoming) -> files.PendingFile:
        return await files.store_pending(op.services, file.name, file.mime, file.chunks)

    # These refuse before the bytes are received.
    await files.room(op.services, op.db, op.viewer.id, 0)
    if op.ctx.idempotency_key is None:  # a repeated request gets its answer however much waits
        await check_waiting(op.db, op.viewer.id)
    taken: builtins.list[files.PendingFile] = []

    async def store(file: multipart.Incoming) -> None:
        taken.append(await store_file(file))

    try:
        received = await multipart.receive(form.content_type, form.body, store)
        options = _of_fields(received.fields)
        region = options.region or op.services.settings.default_region
        return taken[0], {**_options(options), "region": region}
    except BaseException:
        for staged in taken:
            await files.release(op.services, staged.id)
        raise


def _of_fields(fields: dict[str, str]) -> ImportOptions:
    """Returns the options in the form's fields. Raises ValidationFailed, with one sentence per field."""
    values: dict[str, Any] = {name: value for name, value in fields.items() if value}
    try:
        if "mapping" in values:
            values["mapping"] = orjson.loads(values["mapping"])
        return ImportOptions.model_validate(values)
    except orjson.JSONDecodeError as error:
        raise ValidationFailed(["mapping: must be a JSON object"]) from error
    except ValidationError as error:
        raise ValidationFailed(
            [
                f"{'.'.join(map(str, problem['loc'])) or 'the form'}: {problem['msg'][:1].lower()}{problem['msg'][1:]}"
                for problem in error.errors(include_url=False, include_input=False, include_context=False)[
                    :50
                ]
            ]
        ) from error


def _options(input: ImportOptions) -> dict[str, Any]:
    """Returns the options to store. Raises ValidationFailed for an unknown encoding."""
    return {"mapping": input.mapping, **list_options(input), **_channel(input)}


def list_options(input: ListOptions) -> dict[str, Any]:
    """Returns the options to store that every list has. Raises ValidationFailed for an unknown encoding."""
    encoding = None
    if input.encoding is not None and (encoding := codec(input.encoding)) is None:
        raise ValidationFailed(
            [f"encoding: {input.encoding!r} is not supported; leave it out to have it detected"]
        )
    return {
        "delimiter": input.delimiter,
        "encoding": encoding,
        "header": input.header,
        "header_row": input.header_row,
    }


def _channel(input: ImportOptions | NewTextImport) -> dict[str, Any]:
    """Returns the channel as an option to store; nothing if there is none."""
    return {"channel": input.channel.value} if input.channel else {}


async def _file(op: Op, connection: Any, id: UUID) -> models.File:
    """Returns one of the caller's files. Raises NotFound."""
    file = await files.owned(connection, op.viewer.id, id)
    if file is None:
        raise gone()
    return file
