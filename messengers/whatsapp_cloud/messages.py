"""Builds Meta's requests for a message: one request per part.

The text is the first file's caption if that file can have one, else a message of its own before the files. The first
part carries `biz_opaque_callback_data` = the item, by which reports find it; further ones `<item>/<number>`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import orjson

from messengers.port import Media, Outgoing, Refused, Unsupported
from shapes.chats import ContentKind

LONGEST_TEXT: Final = 4096  # characters
LONGEST_CAPTION: Final = 1024
# https://developers.facebook.com/documentation/business-messaging/whatsapp/business-phone-numbers/media
LARGEST: Final = {
    ContentKind.image: 5 << 20,
    ContentKind.video: 16 << 20,
    ContentKind.audio: 16 << 20,
    ContentKind.voice: 16 << 20,
    ContentKind.file: 100 << 20,
}
_TYPES: Final = {
    ContentKind.image: "image",
    ContentKind.video: "video",
    ContentKind.audio: "audio",
    ContentKind.voice: "audio",
    ContentKind.file: "document",
}
_CAPTIONED: Final = frozenset({"image", "video", "document"})
_USER_ID = re.compile(r"[A-Z]{2}\.[A-Za-z0-9.]{1,140}")


def check(message: Outgoing) -> None:
    """Checks a message before anything is uploaded. Raises Refused, Unsupported."""
    if not (_plain(message.text) or message.media or message.template):
        raise Refused("A message needs a text, a file or a template. Send one of them.", code="empty_message")
    if not _encodable(message):
        raise Refused("The message contains half a character (a lone surrogate). Remove it.", code="rejected")
    if len(message.text) > LONGEST_TEXT:
        raise Refused(f"A text may have at most {LONGEST_TEXT} characters. Shorten it.", code="text_too_long")
    for file in message.media:
        if len(file.data) > LARGEST[file.kind]:
            raise Refused(
                f"WhatsApp accepts {file.kind.value} files of at most {LARGEST[file.kind] >> 20} MiB. Send a"
                " smaller file.",
                code="media_too_large",
            )
    if message.template is not None:
        if not isinstance(message.template.get("name"), str) or not message.template["name"]:
            raise Refused("A template needs a name. Send name in template.", code="template_mismatch")
        if len(message.media) > 1 or any(_TYPES[file.kind] not in _CAPTIONED for file in message.media):
            raise Unsupported("A template takes one image, video or document, for its header.")


def recipient(to: str) -> dict[str, str]:
    """Returns the recipient fields of a phone, thread (digits), business-scoped user id or group id. Raises Refused."""
    digits = to.removeprefix("+")
    if re.fullmatch(r"[0-9]{5,20}", digits):
        return {"recipient_type": "individual", "to": digits}
    if _USER_ID.fullmatch(to):
        return {"recipient_type": "individual", "recipient": to}
    if re.fullmatch(r"[A-Za-z0-9_=+/-]{16,256}", to):
        return {"recipient_type": "group", "to": to}
    raise Refused(
        "The WhatsApp Cloud API sends only to phone numbers. Write the recipient like +14155550100.",
        code="invalid_recipient",
    )


def parts(message: Outgoing, uploaded: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yields the request bodies in order; `uploaded`: the ids of the files, in the order of the files."""
    to = recipient(message.to)
    for number, part in enumerate(_content_parts(message, uploaded)):
        body: dict[str, Any] = {"messaging_product": "whatsapp", **to, **part}
        body["biz_opaque_callback_data"] = f"{message.item}/{number}" if number else str(message.item)
        if number == 0 and message.reply_to is not None:
            body["context"] = {"message_id": wamid(message.reply_to)}
        yield body


def wamid(provider_id: str) -> str:
    """Returns Meta's id from our provider_id (see hook.py)."""
    return provider_id.partition("#")[0]


def _content_parts(message: Outgoing, uploaded: Sequence[str]) -> Iterator[dict[str, Any]]:
    files = [_file(media, id) for media, id in zip(message.media, uploaded, strict=True)]
    if message.template is not None:
        yield {"type": "template", "template": _template(message.template, files)}
        return
    text = _plain(message.text)
    if files and files[0]["type"] in _CAPTIONED and 0 < len(text) <= LONGEST_CAPTION:
        first = files[0]
        files[0] = {**first, first["type"]: {**first[first["type"]], "caption": text}}
        text = ""
    if text:
        yield {"type": "text", "text": {"body": text, "preview_url": "://" in text}}
    yield from files


def _plain(text: str) -> str:
    """Returns the text without NUL; a blank text becomes ""."""
    text = text.replace("\0", "")
    return text if text.strip() else ""


def _encodable(message: Outgoing) -> bool:
    try:
        orjson.dumps([message.text, message.reply_to, message.template and dict(message.template)])
    except TypeError:
        return False
    return True


def _file(media: Media, id: str) -> dict[str, Any]:
    kind = _TYPES[media.kind]
    inside: dict[str, Any] = {"id": id}
    if kind == "document" and media.name:
        inside["filename"] = media.name[:240]
    if media.kind is ContentKind.voice:
        inside["voice"] = True
    return {"type": kind, kind: inside}


def _template(template: Mapping[str, Any], files: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Builds a template. `params`: a list for {{1}}, {{2}}, …; an object for named ones; or Meta's own `components`."""
    params = template.get("params") or []
    components: list[Any] = []
    if isinstance(params, Mapping):
        text_parameters = [
            {"type": "text", "parameter_name": str(name), "text": str(text)} for name, text in params.items()
        ]
        components.append({"type": "body", "parameters": text_parameters})
    elif (
        isinstance(params, list)
        and params
        and all(isinstance(param, dict) and "type" in param for param in params)
    ):
        components.extend(params)
    elif isinstance(params, list) and params:
        components.append(
            {"type": "body", "parameters": [{"type": "text", "text": str(param)} for param in params]}
        )
    for file in files:
        header = {"type": file["type"], file["type"]: {"id": file[file["type"]]["id"]}}
        components.insert(0, {"type": "header", "parameters": [header]})
    language = template.get("language") or "en_US"
    made: dict[str, Any] = {"name": template["name"], "language": {"code": str(language)}}
    return {**made, "components": components} if components else made
