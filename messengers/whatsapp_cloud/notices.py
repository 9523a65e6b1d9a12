"""Reads what Meta says of the account itself: templates, restrictions, quality, and who wants no marketing messages.

https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/overview
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from messengers.whatsapp_cloud.values import Notice, Preference, ids_of, objects_of, phone_or_id, text_of

_TYPES: Final = {
    "message_template_status_update": "template.changed",
    "account_update": "messengerAccount.updated",
    "phone_number_quality_update": "messengerAccount.rated",
}
_NAMES: Final = {
    "event": "event", "reason": "reason", "message_template_name": "templateName",
    "message_template_language": "templateLanguage", "message_template_category": "templateCategory",
    "display_phone_number": "phone", "phone_number": "phone", "current_limit": "limit", "old_limit": "limitBefore",
    "max_daily_conversations_per_business": "limit",
}  # fmt: skip
_PARTS: Final = {
    "ban_info": "ban", "violation_info": "violation", "restriction_info": "restrictions",
    "disable_info": "disabled", "other_info": "other", "rejection_info": "rejection",
}  # fmt: skip
_REACH_OUT: Final = "RESTRICTED_BIZ_INITIATED_MESSAGING"


def of(field: str, value: Mapping[str, Any]) -> Notice | None:
    """Returns the notice of a field, or None for fields that say nothing of an account."""
    if (type := _TYPES.get(field)) is None:
        return None
    data: dict[str, Any] = {
        ours: text for theirs, ours in _NAMES.items() if (text := text_of(value.get(theirs))[:500])
    }
    if isinstance(template := value.get("message_template_id"), int | str):
        data["templateId"] = str(template)[:64]
    data |= {
        ours: value[theirs] for theirs, ours in _PARTS.items() if isinstance(value.get(theirs), dict | list)
    }
    return Notice(type, data, _restricted_until(value.get("restriction_info")))


def phone_of(value: Mapping[str, Any]) -> str | None:
    """Returns the number that a notice names, as E.164."""
    text = text_of(value.get("display_phone_number")) or text_of(value.get("phone_number"))
    digits = "".join(char for char in text if char.isdigit())
    return phone_or_id(digits) if digits else None


def preferences(value: Mapping[str, Any]) -> Iterator[Preference]:
    """Yields who wants no marketing messages any more, or wants them again."""
    contacts = objects_of(value.get("contacts"))
    for each in objects_of(value.get("user_preferences")):
        if each.get("category") != "marketing_messages":
            continue
        ids = {text_of(each.get("wa_id")), text_of(each.get("user_id"))} - {""}
        matching = [it for it in contacts if {text_of(it.get("wa_id")), text_of(it.get("user_id"))} & ids]
        aliases = ids_of(
            {"from": each.get("wa_id"), "from_user_id": each.get("user_id")},
            "from",
            matching[0] if matching else {},
        )
        wish = text_of(each.get("value"))
        if aliases and wish in ("stop", "resume"):
            data = {"address": aliases[0], "preference": wish, "detail": text_of(each.get("detail"))[:200]}
            yield Preference(aliases, wish == "stop", data)


def _restricted_until(restrictions: object) -> datetime | None:
    """Returns until when Meta refuses messages of the account to people who have not written, if it says so."""
    for each in objects_of(restrictions):
        if each.get("restriction_type") == _REACH_OUT:
            try:
                return datetime.fromtimestamp(int(str(each.get("expiration"))[:12]), UTC)
            except (ValueError, OverflowError, OSError):
                continue
    return None
