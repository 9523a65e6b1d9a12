"""Pictures of letters in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import media, users
from runtime import links
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from schema.frame.uploads import Upload
from shapes import media as types
from shapes.media import PictureOrder, PictureWhere

if TYPE_CHECKING:
    from schema.users import User

graphql.input(PictureWhere, description=PictureWhere.__doc__)
graphql.input(PictureOrder, description=PictureOrder.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]


@graphql.node("Picture", row=models.Picture, read=media.get, description=types.StoredPicture.__doc__)
class Picture(types.StoredPicture):
    @graphql.computed(types.URL, "public_name")
    def url(self: Any, info: Info) -> str:
        return links.picture_url(info.context.services, self.public_name)

    @relation("the user who owns this picture", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @graphql.query()
    async def picture(self, info: Info, id: ID) -> Picture | None:
        return Picture.of(await media.get(info.context, local_id(id, "Picture")))

    @connection(where=PictureWhere, order=PictureOrder)
    async def pictures(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[Picture] | None:
        return as_type(await media.page(info.context, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def upload_picture(
        self,
        info: Info,
        file: Annotated[
            Upload,
            strawberry.argument(
                description="null in the variables; the file itself is a part of the form, named in `map`"
            ),
        ],
    ) -> Picture | None:
        return Picture.of(await media.upload(info.context, file.form))

    @graphql.mutation()
    async def delete_picture(
        self,
        info: Info,
        id: ID,
        force: Annotated[bool, graphql.argument("whether it is deleted although it is in use")] = False,
    ) -> bool | None:
        await media.delete(info.context, local_id(id, "Picture"), force)
        return True
