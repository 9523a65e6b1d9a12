"""Topics in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import topic_subscriptions, topics, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import topics as types
from shapes.shape import Cost
from shapes.topic_subscriptions import TopicSubscriptionWhere
from shapes.topics import NewTopic, TopicPatch, TopicWhere

if TYPE_CHECKING:
    from schema.topic_subscriptions import TopicSubscription
    from schema.users import User

for part in (types.TopicTranslationInput, NewTopic, TopicPatch, TopicWhere):
    graphql.input(part, description=part.__doc__)
graphql.type(types.TopicTranslation, name="TopicTranslation", description=types.TopicTranslation.__doc__)

graphql.type(types.PreferencesPreview, description=types.PreferencesPreview.__doc__)
PreviewLocale = Annotated[
    str | None,
    graphql.argument("language tag of the person; none: English"),
]
Owner = Annotated["User", strawberry.lazy("schema.users")]
Subscribed = Annotated["TopicSubscription", strawberry.lazy("schema.topic_subscriptions")]


@graphql.node("Topic", row=models.Topic, read=topics.get, description=types.Topic.__doc__)
class Topic(types.TopicFields):
    @graphql.computed(
        "name and description in other languages",
        "translations",
        name="translations",
        cost=Cost(most=types.MOST_TRANSLATIONS),
    )
    def typed_translations(self: Any) -> list[types.TopicTranslation]:
        return [types.TopicTranslation.model_validate(each) for each in self.translations]

    @relation("who is, was or may become subscribed to it, newest first", where=TopicSubscriptionWhere)
    async def subscriptions(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Subscribed] | None]:
        return as_type(
            await topic_subscriptions.of_topics(info.context, [row.id for row in rows], page_args, where)
        )

    @relation("the user whose topic it is", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=TopicWhere)
    async def topics(self, info: Info, page_args: PageArgs, where: Conditions) -> Connection[Topic] | None:
        return as_type(await topics.page(info.context, page_args, where))

    @graphql.query()
    async def topic(self, info: Info, id: ID) -> Topic | None:
        return Topic.of(await topics.get(info.context, local_id(id, "Topic")))

    @graphql.query(cost=Cost(work=10))
    async def preferences_preview(
        self, info: Info, locale: PreviewLocale = None
    ) -> types.PreferencesPreview | None:
        return await topics.preview_preferences(info.context, locale)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_topic(self, info: Info, input: NewTopic) -> Topic | None:
        return Topic.of(await topics.create(info.context, input))

    @graphql.mutation()
    async def update_topic(self, info: Info, id: ID, input: TopicPatch) -> Topic | None:
        return Topic.of(await topics.update(info.context, local_id(id, "Topic"), input))

    @graphql.mutation()
    async def delete_topic(self, info: Info, id: ID) -> bool | None:
        await topics.delete(info.context, local_id(id, "Topic"))
        return True
