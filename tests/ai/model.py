"""What a language model's server says, and how it is asked."""

import json
from typing import Any

from tests.legacy_bridge.upstream import Upstream, answer

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


def asked(server: Upstream) -> list[Any]:
    """The bodies of all questions."""
    return [json.loads(got.body) for got in server.got]


async def generate(person: Any, door: str = "rest", **input: Any) -> Any:
    """The answer, or the code of what went wrong."""
    input = {"prompt": "Invite them", **input}
    if door == "rest":
        answered = await person.rest("POST", "/ai-integration", json=input)
        return answered.json() if answered.is_success else answered.json()["code"]
    body = await person.graphql(QUERY, {"input": input})
    return body["errors"][0]["extensions"]["code"] if "errors" in body else body["data"]["generateText"]
