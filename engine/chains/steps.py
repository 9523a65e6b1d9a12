"""The steps of a chain as they are stored, and the messages that are made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from engine.direct.new_messages import NewMessage
from shapes.message_chains import StepUntil
from shapes.messages import MessageCategory
from shapes.verifications import MASK, METADATA_KEY

_DAY = timedelta(days=1)  # a message without a time of its own waits so long


@dataclass(frozen=True, slots=True)
class AskedStep:
    """A step that was asked for: the message, and the end of the step."""

    message: NewMessage
    until: StepUntil
    within: timedelta

    @property
    def in_time(self) -> NewMessage:
        """Returns the message, which is not handed over any more when the time of the step is over."""
        valid = min(self.within, self.message.valid or _DAY)
        return self.message._replace(valid=valid if valid < _DAY else None)

    @property
    def stored(self) -> Mapping[str, Any]:
        """Returns the step as JSON, in which nothing stands that is as in most messages. The time at which the chain
        begins and its status callback are those of the head.
        """
        message = self.message._replace(send_at=None, status_callback=None, callback_id=None)._asdict()
        valid = self.message.valid
        template = self.message.template_id
        message |= {
            "template_id": None if template is None else str(template),
            "category": self.message.category.value,
            "valid": None if valid is None else valid.total_seconds(),
        }
        return {
            "message": {name: value for name, value in message.items() if value is not None},
            "until": self.until.value,
            "within": round(self.within.total_seconds()),
        }

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "AskedStep":
        """Returns the step that was stored, without what a newer version has added to it."""
        message = {name: value for name, value in stored["message"].items() if name in NewMessage._fields}
        message["category"] = MessageCategory(message["category"])
        if (template := message.get("template_id")) is not None:
            message["template_id"] = UUID(template)
        if (seconds := message.get("valid")) is not None:
            message["valid"] = timedelta(seconds=seconds)
        return cls(NewMessage(**message), StepUntil(stored["until"]), timedelta(seconds=stored["within"]))


def digits_of(message: NewMessage) -> str | None:
    """Returns a text as long as the one that is sent of a message with a withheld code; None: its body is sent."""
    return message.body.replace(MASK, "0") if METADATA_KEY in message.metadata else None


def steps_of(row: Any) -> Sequence[AskedStep]:
    """Returns the steps of a row of message_chains."""
    return [AskedStep.of(stored) for stored in row["steps"]]
