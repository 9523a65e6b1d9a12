"""Sign-up forms in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import signup_forms, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import signup_forms as types
from shapes.signup_forms import NewSignupForm, SignupFormEmbed, SignupFormPatch, SignupFormWhere
from shapes.users import Locale

if TYPE_CHECKING:
    from schema.users import User

for part in (NewSignupForm, SignupFormPatch, SignupFormWhere):
    graphql.input(part, description=part.__doc__)

graphql.type(SignupFormEmbed, name="SignupFormEmbed", description=SignupFormEmbed.__doc__)
Style = Annotated[bool, graphql.argument("whether it has a style in the colors of your brand")]
EmbedLocale = Annotated[
    Locale | None, graphql.argument("language tag (BCP 47); without one: that of your profile")
]
Owner = Annotated["User", strawberry.lazy("schema.users")]


@graphql.node(
    "SignupForm", row=models.SignupForm, read=signup_forms.get, description=types.SignupForm.__doc__
)
class SignupForm(types.SignupForm):
    @relation("the user whose form it is", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=SignupFormWhere)
    async def signup_forms(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[SignupForm] | None:
        return as_type(await signup_forms.page(info.context, page_args, where))

    @graphql.query()
    async def signup_form(self, info: Info, id: ID) -> SignupForm | None:
        return SignupForm.of(await signup_forms.get(info.context, local_id(id, "SignupForm")))

    @graphql.query()
    async def signup_form_embed(
        self, info: Info, id: ID, style: Style = True, locale: EmbedLocale = None
    ) -> SignupFormEmbed | None:
        return await signup_forms.embed(info.context, local_id(id, "SignupForm"), style, locale)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_signup_form(self, info: Info, input: NewSignupForm) -> SignupForm | None:
        return SignupForm.of(await signup_forms.create(info.context, input))

    @graphql.mutation()
    async def update_signup_form(self, info: Info, id: ID, input: SignupFormPatch) -> SignupForm | None:
        return SignupForm.of(await signup_forms.update(info.context, local_id(id, "SignupForm"), input))

    @graphql.mutation()
    async def delete_signup_form(self, info: Info, id: ID) -> bool | None:
        await signup_forms.delete(info.context, local_id(id, "SignupForm"))
        return True
