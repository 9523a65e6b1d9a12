"""Calls Postern for the other examples: `URL` is its address, `TOKEN` an API token."""

import json
import os
import urllib.error
import urllib.request
from typing import Any


class Refused(Exception):
    """Postern has refused a request; `code` says why (docs/errors.md)."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(body["message"])
        self.status, self.code = status, body["code"]


def call(method: str, path: str, body: Any = None, key: str | None = None) -> Any:
    """Returns the answer. With a `key` (Idempotency-Key) a repeated call does nothing twice. Raises Refused."""
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"}
    if key is not None:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(os.environ["URL"] + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise Refused(error.code, json.load(error)) from None
