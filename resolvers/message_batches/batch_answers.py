"""Stores the answer of a batch for its Idempotency-Key: the errors, and the messages as they were sent."""

from typing import Any

import orjson

from db import models
from runtime.idempotency import StoredAnswer, stored_model
from shapes.message_batches import BatchError, BatchResult, SentMessages

_MESSAGES = stored_model(models.Message)


class _StoredBatch(StoredAnswer):
    def __init__(self) -> None:
        super().__init__(dict, dict)

    def plain(self, answer: SentMessages) -> dict[str, Any]:
        return {
            "results": [
                {
                    "index": item.index,
                    "error": item.error and orjson.loads(orjson.dumps(item.error.model_dump(), default=str)),
                    "message": item.message and _MESSAGES.plain(item.message),
                }
                for item in answer.results
            ]
        }

    def made(self, stored: Any) -> SentMessages:
        return SentMessages.model_construct(
            results=[
                BatchResult.model_construct(
                    index=item["index"],
                    error=item["error"] and BatchError.model_construct(**item["error"]),
                    message=item["message"] and _MESSAGES.made(item["message"]),
                )
                for item in stored["results"]
            ]
        )


STORED = _StoredBatch()
