"""Event sinks: brokers that the events of a feed are published to. engine/sinks publishes them."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final
from uuid import UUID

from core.errors import BadRequest, Conflict, NotFound
from core.ids import uuid7
from core.rate_limits import Limit
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.lists.cursor import read_cursor
from db.query import p, returning
from engine.feed import event_feed
from engine.sinks import endpoints
from resolvers.auth.token_rows import saver_of
from resolvers.event_sinks import sink_input
from resolvers.webhooks import webhook_selection
from runtime.operation import Op, operation, require
from runtime.permissions import Permission
from shapes.event_sinks import (
    EventSinkPatch,
    EventSinkReplay,
    EventSinkStatus,
    EventSinkTested,
    NewEventSink,
)

_ROW: Final = models.EventSink
_HIDDEN: Final = ("url_encrypted", "query_roles", "query_scopes", "saved_by", "api_token_id", "version")
_LISTS: Final = Listing(_ROW, descending=False, without=("url_encrypted",))
_MY: Final = _ROW.owner_id == p("owner_id")
