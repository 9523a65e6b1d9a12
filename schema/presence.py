"""Area C in GraphQL: presence."""

from typing import Annotated

import strawberry

from resolvers import presence
from schema.frame import graphql
from schema.frame.graphql import ID, Info, local_id
from shapes.presence import Presence

graphql.input(Presence, name="MessengerPresence", description=Presence.__doc__)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def send_messenger_typing(self, info: Info, account_id: ID, input: Presence) -> bool | None:
        await presence.typing(info.context, local_id(account_id, "MessengerAccount"), input.to, input.seconds)
        return True

    @graphql.mutation()
    async def send_messenger_recording(self, info: Info, account_id: ID, input: Presence) -> bool | None:
        await presence.recording(
            info.context, local_id(account_id, "MessengerAccount"), input.to, input.seconds
        )
        return True

    @graphql.mutation()
    async def reset_messenger_typing(
        self,
        info: Info,
        account_id: ID,
        to: Annotated[str, graphql.argument("the other side: a phone, a @username or a thread")],
    ) -> bool | None:
        await presence.reset(info.context, local_id(account_id, "MessengerAccount"), to)
        return True
