"""The result of a Sending Project: how many people each thing happened to, as far as it can be measured."""

from typing import Annotated, Final

from pydantic import Field

from shapes.shape import Shape

MOST_REFUSED: Final = 100_000
"""Emails that were refused are counted one by one up to this number."""


class ProjectResult(Shape):
    """The numbers that say what a project came to. null: it can't be measured on this channel, or by its routes."""

    intended: Annotated[
        int, Field(description="messages that were to be sent: all but skipped and canceled ones")
    ]
    accepted: Annotated[
        int, Field(description="messages that the provider took, without those that failed afterwards")
    ]
    reports_delivery: Annotated[
        bool, Field(description="whether the routes of the channel report that messages were delivered")
    ]
    delivered: Annotated[
        int | None,
        Field(
            description="messages that were delivered, read ones included; null: the route reports no delivery"
        ),
    ]
    came_back: Annotated[
        int | None, Field(description="emails that bounced or were refused; null: no emails")
    ]
    bounced: Annotated[
        int | None,
        Field(description="emails of which a report said later that they came back; null: no emails"),
    ]
    refused: Annotated[
        int | None,
        Field(
            description=f"emails that the server refused at once, counted up to {MOST_REFUSED}; "
            "null: no emails"
        ),
    ]
    complained: Annotated[int | None, Field(description="emails reported as spam; null: no emails")]
    replied: Annotated[
        int | None,
        Field(
            description="messages that the recipient answered; null: answers by this channel don't come here. Those to "
            "emails come if your mail system calls the reply hook"
        ),
    ]
    unsubscribed: Annotated[
        int | None,
        Field(
            description="messages by whose link, or in answer to which by a stop word, the recipient unsubscribed; "
            "null: transactional messages offer none"
        ),
    ]
