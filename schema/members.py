"""Members and memberships in GraphQL."""

from typing import Annotated

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import members
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from shapes import members as types
from shapes.members import (
    MOST_MEMBERS,
    AcceptMembership,
    EndedCredential,
    MemberPatch,
    MemberRemoval,
    Membership,
    MemberWhere,
    NewMember,
    RemovedMember,
)
from shapes.shape import Cost

for shape in (AcceptMembership, MemberPatch, MemberRemoval, MemberWhere, NewMember):
    graphql.input(shape, description=shape.__doc__)
for part in (Membership, EndedCredential, RemovedMember):
    graphql.type(part, name=part.__name__, description=part.__doc__)


@graphql.node("Member", row=models.Membership, read=members.get, description=types.Member.__doc__)
class Member(types.Member):
    """A node: its `id` is Relay's, and REST's id is its `uuid`."""


@graphql.type(name="InvitedMember", description=types.InvitedMember.__doc__)
class InvitedMember(types.InvitedMember):
    member: Annotated[Member, strawberry.field(description="the person, as in the list of members")]


@strawberry.type
class Query:
    @connection(where=MemberWhere)
    async def members(self, info: Info, page_args: PageArgs, where: Conditions) -> Connection[Member] | None:
        return as_type(await members.page(info.context, page_args, where))

    @graphql.query()
    async def member(self, info: Info, id: ID) -> Member | None:
        return Member.of(await members.get(info.context, local_id(id, "Member")))

    @graphql.query(cost=Cost(most=MOST_MEMBERS))
    async def memberships(self, info: Info) -> list[Membership] | None:
        return as_type(await members.memberships(info.context))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def invite_member(self, info: Info, input: NewMember) -> InvitedMember | None:
        return InvitedMember.of(await members.invite(info.context, input))

    @graphql.mutation()
    async def change_member(self, info: Info, id: ID, input: MemberPatch) -> Member | None:
        return Member.of(await members.change(info.context, local_id(id, "Member"), input))

    @graphql.mutation()
    async def end_member(
        self, info: Info, id: ID, input: MemberRemoval | None = None
    ) -> RemovedMember | None:
        return as_type(await members.remove(info.context, local_id(id, "Member"), input or MemberRemoval()))

    @graphql.mutation("Removes a member, or an invitation; `endMember` also lists what has ended.")
    async def remove_member(self, info: Info, id: ID, input: MemberRemoval | None = None) -> bool | None:
        await members.remove(info.context, local_id(id, "Member"), input or MemberRemoval())
        return True

    @graphql.mutation()
    async def accept_membership(self, info: Info, input: AcceptMembership) -> Membership | None:
        return as_type(await members.accept(info.context, input))

    @graphql.mutation()
    async def leave_owner(self, info: Info, id: ID) -> bool | None:
        await members.leave(info.context, local_id(id, "Membership"))
        return True
