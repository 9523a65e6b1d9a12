"""The channels of the installation: which of them are the sandbox's, whose messages reach no recipient."""

from collections.abc import Sequence

from engine.sms.route_rules import routing_of
from resolvers.statistics.owner_rows import owner_arguments, owner_sql
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.routes import MESSENGERS
from shapes.messenger_accounts import MessengerDriver
from shapes.sending_channels import SendingChannel
from shapes.sending_projects import ProjectChannel

_SECONDS = 1.0  # for which this process uses the rules of routes that it has read
_REAL = "SELECT DISTINCT a.source FROM messenger_accounts AS a WHERE a.driver <> $1 AND a.deleted_at IS NULL AND MINE"


@operation(Permission.messages_read, "read")
async def every(op: Op) -> Sequence[SendingChannel]:
    """Lists all channels, and whether their messages leave the server or end in its sandbox.

    One by telegram or whatsapp is real, too, if the caller has a real messenger account, and SMS are if rules send some
    by a real route.
    """
    routes = op.services.routes
    sql = owner_sql(_REAL, "a.owner_id", op.viewer.admin, 2)
    rows = await op.db.fetch(sql, MessengerDriver.sandbox.value, *owner_arguments(op))
    real = {row["source"] for row in rows}
    routing = routing_of(op.services)
    await routing.refresh(older=_SECONDS)
    if routing.are_real:
        real.add(ProjectChannel.sms.value)
    return [
        SendingChannel(
            channel=channel,
            sandbox=routes.sandboxed(channel.value) and channel.value not in real,
            reports_delivery=channel.value in MESSENGERS or routes.reports_delivery(channel.value),
            setting=f"POSTERN_CHANNEL_{channel.value.upper()}",
        )
        for channel in ProjectChannel
    ]
