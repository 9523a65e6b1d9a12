"""Texts by a language model, in GraphQL."""

import strawberry

from resolvers import ai
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes.ai import GeneratedText, GenerateText, TokenUsage

graphql.input(GenerateText, description=GenerateText.__doc__)
for answer in (TokenUsage, GeneratedText):
    graphql.type(answer, description=answer.__doc__)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def generate_text(self, info: Info, input: GenerateText) -> GeneratedText | None:
        return await ai.generate(info.context, input)
