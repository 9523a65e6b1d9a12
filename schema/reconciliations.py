"""Reconciliations in GraphQL."""

from typing import Annotated

import strawberry

from resolvers import reconciliations
from schema.frame import graphql
from schema.frame.connections import as_type
from schema.frame.graphql import ID, Info, local_id
from shapes.reconciliations import MOST, Reconciliation, ReconciliationProof, SignedReconciliation
from shapes.shape import Cost

for answer in (Reconciliation, SignedReconciliation, ReconciliationProof):
    graphql.type(answer, description=answer.__doc__)

Number = Annotated[int | None, graphql.argument("number of the reconciliation; null: the newest one")]
Address = Annotated[str, graphql.argument("the recipient's address, in any common notation")]


@strawberry.type
class Query:
    @graphql.query(cost=Cost(most=MOST))
    async def sending_project_reconciliations(self, info: Info, id: ID) -> list[Reconciliation] | None:
        return as_type(await reconciliations.chain(info.context, local_id(id, "SendingProject")))

    @graphql.query(cost=Cost(work=10))
    async def sending_project_reconciliation(
        self, info: Info, id: ID, number: Number = None
    ) -> SignedReconciliation | None:
        return await reconciliations.get(info.context, local_id(id, "SendingProject"), number)

    @graphql.query(cost=Cost(work=20))
    async def reconciliation_proof(
        self, info: Info, id: ID, address: Address, number: Number = None
    ) -> ReconciliationProof | None:
        return await reconciliations.proof(info.context, local_id(id, "SendingProject"), address, number)
