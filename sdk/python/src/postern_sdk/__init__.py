"""The client of Postern: `Postern` and `AsyncPostern`. The README has a quick start."""

from .api import AsyncPostern, Postern
from .errors import (
    ApiError,
    BadRequest,
    Conflict,
    ConnectionFailed,
    Forbidden,
    NotAuthenticated,
    NotFound,
    PaymentRequired,
    PosternError,
    RateLimited,
    Unavailable,
    WebhookRefused,
)
from .pages import aiterate, iterate
from .retries import Retries
from .types import UNSET, File
from .version import __version__
from .webhooks import events_of, verify_webhook

__all__ = [
    "UNSET",
    "ApiError",
    "AsyncPostern",
    "BadRequest",
    "Conflict",
    "ConnectionFailed",
    "File",
    "Forbidden",
    "NotAuthenticated",
    "NotFound",
    "PaymentRequired",
    "Postern",
    "PosternError",
    "RateLimited",
    "Retries",
    "Unavailable",
    "WebhookRefused",
    "__version__",
    "aiterate",
    "events_of",
    "iterate",
    "verify_webhook",
]
