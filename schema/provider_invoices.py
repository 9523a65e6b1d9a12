"""Invoices of providers in GraphQL."""

from typing import Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import provider_invoices
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from shapes import provider_invoices as types
from shapes.provider_invoices import NewProviderInvoice, ProviderInvoiceWhere
from shapes.shape import Cost

graphql.input(ProviderInvoiceWhere, description=ProviderInvoiceWhere.__doc__)
graphql.input(types.InvoiceMapping, description=types.InvoiceMapping.__doc__)
graphql.input(NewProviderInvoice, description=NewProviderInvoice.__doc__)
for shape in (types.InvoiceSum, types.InvoiceColumns):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)


@graphql.node(
    "ProviderInvoice",
    row=models.ProviderInvoice,
    read=provider_invoices.get,
    description=types.ProviderInvoice.__doc__,
)
class ProviderInvoice(types.ProviderInvoice):
    @graphql.computed(types.MAPPING, "mapping", name="mapping")
    def typed_mapping(self: Any) -> types.InvoiceColumns | None:
        return None if self.mapping is None else types.InvoiceColumns.model_validate(self.mapping)

    @graphql.computed(types.SUMS, "sums", name="sums", cost=Cost(most=len(types.LineVerdict)))
    def typed_sums(self: Any) -> list[types.InvoiceSum]:
        return [types.InvoiceSum.model_validate(each) for each in self.sums]


@strawberry.type
class Query:
    @connection(where=ProviderInvoiceWhere)
    async def provider_invoices(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[ProviderInvoice] | None:
        return as_type(await provider_invoices.page(info.context, page_args, where))

    @graphql.query()
    async def provider_invoice(self, info: Info, id: ID) -> ProviderInvoice | None:
        return ProviderInvoice.of(await provider_invoices.get(info.context, local_id(id, "ProviderInvoice")))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_provider_invoice(self, info: Info, input: NewProviderInvoice) -> ProviderInvoice | None:
        return ProviderInvoice.of(await provider_invoices.create(info.context, input))

    @graphql.mutation()
    async def delete_provider_invoice(self, info: Info, id: ID) -> bool | None:
        await provider_invoices.delete(info.context, local_id(id, "ProviderInvoice"))
        return True
