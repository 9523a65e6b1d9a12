"""Stands in for the server of a language model: builds its answers and reads the requests to it."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.legacy.upstream import Upstream, answer, upstream
from tests.support.waits import PATIENCE

KEY = "sk-a-key-that-nobody-may-see"
QUERY = (
    "mutation($input: GenerateText!) { generateText(input: $input)"
    " { texts model usage { promptTokens completionTokens totalTokens } } }"
)
BOTH = ("rest", "graphql")


def completion(*texts: Any, **more: Any) -> bytes:
    body = {
        "id": "1",
        "object": "chat.completion",
        "model": "a-model-2026",
        "choices": [
            {"index": n, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
            for n, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        **more,
    }
    return answer(json.dumps(body).encode())


def prompts_of(server: Upstream) -> list[Any]:
    """The bodies of all questions."""
    return [json.loads(got.body) for got in server.got]


@contextmanager
def talking(*texts: str) -> Iterator[str]:
    """A model beside the test, in a thread: it says the same to everybody. Its URL."""
    ready = threading.Event()
    prompts: list[Any] = []

    async def serve() -> None:
        end = asyncio.Event()
        async with upstream(completion(*texts)) as server:
            prompts.extend((server.url, asyncio.get_running_loop(), end))
            ready.set()
            await end.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    ready.wait(PATIENCE)
    url, loop, end = prompts
    try:
        yield url
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(PATIENCE)


async def generate(person: Any, door: str = "rest", **input: Any) -> Any:
    """The answer, or the code of what went wrong."""
    input = {"prompt": "Invite them", **input}
    if door == "rest":
        answered = await person.rest("POST", "/ai-integration", json=input)
        return answered.json() if answered.is_success else answered.json()["code"]
    body = await person.graphql(QUERY, {"input": input})
    return body["errors"][0]["extensions"]["code"] if "errors" in body else body["data"]["generateText"]
