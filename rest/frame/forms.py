"""Reads the small forms of pages for recipients: application/x-www-form-urlencoded, as browsers send them."""

from typing import Any
from urllib.parse import parse_qs

from fastapi import Request

from core.errors import BadRequest, ValidationFailed

_BYTES = 16 * 1024
_FIELDS = 300


async def read_form(request: Request) -> dict[str, list[str]]:
    """Returns the values of each field. Raises BadRequest (`bad_form`)."""
    body = await request.body()
    try:
        if len(body) > _BYTES or b"%00" in body:
            raise ValueError
        return parse_qs(
            body.decode("ascii"), strict_parsing=bool(body), max_num_fields=_FIELDS, errors="strict",
            keep_blank_values=True,
        )  # fmt: skip
    except ValueError:
        raise BadRequest(
            "Send a form of at most 16 KiB as application/x-www-form-urlencoded.", code="bad_form"
        ) from None


def value(form: dict[str, list[str]], name: str, most: int = 1000) -> str:
    """Returns the first value of a field, without space around it; empty if there is none.

    Raises ValidationFailed for a longer one.
    """
    text = form.get(name, [""])[0].strip()
    if len(text) > most:
        raise ValidationFailed([f"{name}: must have at most {most} characters"])
    return text


def form_body(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    """Returns the OpenAPI of a form, for `openapi_extra`."""
    schema = {"type": "object", "properties": properties, **({"required": [*required]} if required else {})}
    content = {"application/x-www-form-urlencoded": {"schema": schema}}
    return {"requestBody": {"required": bool(required), "content": content}}
