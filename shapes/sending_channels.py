"""The channels of the installation, and whether their messages leave the server."""

from typing import Annotated

from pydantic import Field

from shapes.sending_projects import ProjectChannel
from shapes.shape import Shape


class SendingChannel(Shape):
    """A channel, and whether its messages reach anybody. It shows no provider, address or credential."""

    channel: Annotated[ProjectChannel, Field(description="the channel")]
    sandbox: Annotated[
        bool,
        Field(
            description="true: the sandbox takes the messages and nothing leaves the server; by telegram and whatsapp, "
            "as long as you have no account of a real messenger"
        ),
    ]
    reports_delivery: Annotated[
        bool,
        Field(
            description="true: its providers report which messages were delivered; false: `sent` is the last that is "
            "known of a message that did not come back"
        ),
    ]
    setting: Annotated[
        str,
        Field(
            description="the operator's setting that names the providers of the channel",
            examples=["POSTERN_CHANNEL_SMS"],
        ),
    ]
