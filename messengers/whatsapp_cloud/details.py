"""Reads what a message says beside its text: what was pressed, a form, an order, an advertisement."""

from collections.abc import Mapping
from typing import Any, Final

import orjson

from messengers.whatsapp_cloud.values import object_of, objects_of, text_of

_MOST_PRODUCTS: Final = 100
_REFERRAL: Final = {
    "source_url": "sourceUrl", "source_type": "sourceType", "source_id": "sourceId", "headline": "headline",
    "body": "body", "media_type": "mediaType", "image_url": "imageUrl", "video_url": "videoUrl",
    "thumbnail_url": "thumbnailUrl", "ctwa_clid": "ctwaClid",
}  # fmt: skip
_PRESSED: Final = {"button_reply": "button", "list_reply": "list"}


def details_of(kind: str, message: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the details of a message by their kinds; docs/messengers.md describes them."""
    inside = object_of(message.get(kind))
    details: dict[str, Any] = {}
    match kind:
        case "button":
            details["button"] = _texts(inside, {"payload": "payload", "text": "text"})
        case "interactive":
            answer = object_of(inside.get(text_of(inside.get("type"))))
            type = text_of(inside.get("type"))
            if type == "nfm_reply":
                flow = {**_texts(answer, {"name": "name"}), "response": _json(answer.get("response_json"))}
                details["flow"] = flow
            elif type in _PRESSED:
                fields = {"id": "id", "title": "title", "description": "description"}
                details[_PRESSED[type]] = _texts(answer, fields)
        case "order":
            details["order"] = {
                **_texts(inside, {"catalog_id": "catalogId", "text": "text"}),
                "items": [_product(item) for item in _products(inside)],
            }
    if kind not in _SUPPORTED:
        details["unsupported"] = {"kind": _inner(kind, message), **_first_error(message)}
    if referral := _texts(object_of(message.get("referral")), _REFERRAL):
        details["referral"] = referral
    product = object_of(object_of(message.get("context")).get("referred_product"))
    if product_ids := _texts(product, {"catalog_id": "catalogId", "product_retailer_id": "productId"}):
        details["product"] = product_ids
    return details


def order_text(order: Mapping[str, Any]) -> str:
    """Returns an order as lines that a person can read."""
    lines = [text_of(order.get("text"))]
    for item in _products(order):
        price = (
            f" ({item.get('item_price')} {text_of(item.get('currency'))})" if item.get("item_price") else ""
        )
        lines.append(f"{item.get('quantity', 1)} × {text_of(item.get('product_retailer_id'))}{price}")
    return "\n".join(filter(None, lines)) or "(An order.)"


def unsupported_text(kind: str, message: Mapping[str, Any]) -> str:
    """Returns the line that stands in the place of a message that Meta does not pass on, or that is of a new kind."""
    return f"(A message that can be read in WhatsApp alone: {_inner(kind, message) or 'unknown'}.)"


_SUPPORTED: Final = frozenset(
    {
        "text", "image", "sticker", "video", "audio", "document", "button", "interactive", "location", "contacts",
        "order",
    }
)  # fmt: skip


def _inner(kind: str, message: Mapping[str, Any]) -> str:
    """Returns the kind of a message, as the person has sent it."""
    return (text_of(object_of(message.get("unsupported")).get("type")) if kind == "unsupported" else kind)[
        :64
    ]


def _first_error(message: Mapping[str, Any]) -> dict[str, Any]:
    error = next(iter(objects_of(message.get("errors"))), {})
    code = error.get("code")
    number = {"code": code} if isinstance(code, int) else {}
    return {**number, **_texts(error, {"title": "reason"})}


def _products(order: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return objects_of(order.get("product_items"))[:_MOST_PRODUCTS]


def _product(item: Mapping[str, Any]) -> dict[str, Any]:
    numbers = {"quantity": "quantity", "item_price": "price"}
    return {
        **_texts(item, {"product_retailer_id": "productId", "currency": "currency"}),
        **{
            ours: item[theirs]
            for theirs, ours in numbers.items()
            if isinstance(item.get(theirs), int | float | str)
        },
    }


def _texts(value: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {ours: text for theirs, ours in names.items() if (text := text_of(value.get(theirs)))}


def _json(value: object) -> Any:
    """Returns the parsed answers of a form, or the text if it can't be parsed."""
    try:
        return orjson.loads(text_of(value))
    except orjson.JSONDecodeError:
        return text_of(value)
