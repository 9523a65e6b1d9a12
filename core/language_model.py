"""A language model behind an OpenAI-compatible server: one request, one answer of bounded size.

The text of a server's error is neither logged nor passed on: it may quote the prompt, or the key.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import cache
from ssl import SSLContext
from typing import Any

import httpx2  # the HTTP client that the openai package uses
import structlog
from openai import APIStatusError, APITimeoutError, AsyncOpenAI
from openai.types.chat import ChatCompletionMessageParam
from pydantic import BaseModel, Field

from core.errors import UpstreamFailed, UpstreamTimeout
from core.settings import Settings

log = structlog.get_logger("postern.language_model")

_LARGEST = 1024 * 1024  # bytes of an answer
_CONNECT_SECONDS = 5.0
_MOST_TOKENS = 100_000_000  # a larger number in `usage` is not believed


class _Message(BaseModel):
    content: str = Field(pattern=r"\S")


class _Choice(BaseModel):
    message: _Message


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1, max_length=64)
    model: Any = None
    usage: Any = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The texts of one completion, and its cost in tokens."""

    texts: list[str]
    model: str
    prompt_tokens: int
    completion_tokens: int


class Refused(UpstreamFailed):
    """The server doesn't accept the request in this form (400, 422)."""


async def ask(settings: Settings, messages: list[ChatCompletionMessageParam], choices: int) -> Answer:
    """Returns up to `choices` texts; many servers return one, whatever is requested.

    Raises UpstreamFailed, UpstreamTimeout, and Refused if a different request may succeed.
    """
    options: dict[str, Any] = {"n": choices} if choices > 1 else {}
    try:
        async with _client(settings) as client:
            raw = await client.chat.completions.with_raw_response.create(
                model=settings.ai_model, messages=messages, **options
            )
        completion = _Completion.model_validate_json(raw.content)
    except APITimeoutError as error:
        raise _failed(
            UpstreamTimeout("The language model didn't answer in time. Try again later.", code="ai_timeout"),
            error,
        ) from None
    except APIStatusError as error:
        kind = Refused if error.status_code in (400, 422) else UpstreamFailed
        reason = f"The language model's server answered {error.status_code}. Try again, or tell the operator."
        raise _failed(kind(reason, code="ai_failed"), error, error.status_code) from None
    except Exception as error:  # no connection, an invalid answer, or one that is too large
        reason = "The language model's server can't be reached, or its answer can't be used. Try again later."
        raise _failed(UpstreamFailed(reason, code="ai_failed"), error) from None
    usage = completion.usage if isinstance(completion.usage, dict) else {}
    return Answer(
        [choice.message.content for choice in completion.choices],
        "".join(char for char in str(completion.model or settings.ai_model) if char.isprintable())[:128],
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
    )


def _failed(failure: Any, error: Exception, status: int | None = None) -> Any:
    cause = type(error.__cause__).__name__ if error.__cause__ else None
    log.warning("language model failed", error=type(error).__name__, cause=cause, status=status)
    return failure


def _count(value: Any) -> int:
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else 0


def _client(settings: Settings) -> AsyncOpenAI:
    """Returns a client for one call. Calls are rare, so no connection is kept open."""
    assert settings.ai_url is not None
    timeout = httpx2.Timeout(settings.ai_timeout, connect=min(settings.ai_timeout, _CONNECT_SECONDS))
    return AsyncOpenAI(
        base_url=settings.ai_url,
        # The client insists on a key; many self-hosted servers need none.
        api_key=settings.ai_key.get_secret_value() if settings.ai_key else "none",
        timeout=timeout,
        max_retries=0,
        http_client=httpx2.AsyncClient(
            transport=_Bounded(verify=_tls()), timeout=timeout, follow_redirects=False, trust_env=False
        ),
    )


@cache
def _tls() -> SSLContext:
    """The result is cached, since loading the certificate bundle takes longer than a request."""
    return httpx2.create_ssl_context()


class _Bounded(httpx2.AsyncHTTPTransport):
    """Limits responses to `_LARGEST` bytes and asks for no compression, as a small compressed body can become large."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["accept-encoding"] = "identity"
        response = await super().handle_async_request(request)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.RemoteProtocolError("a compressed answer, which wasn't asked for")
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_Body(response.stream),
            extensions=response.extensions,
        )


class _Body(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = _LARGEST
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise httpx2.ReadError("the answer is too large")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
