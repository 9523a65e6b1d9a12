"""Costs of Sending Projects: their ledger entries together."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from shapes.shape import Money, Shape


class ProjectCost(Shape):
    """The cost of a project: all its charges and refunds together."""

    project_id: Annotated[UUID, Field(description="uuid of the project")]
    account_id: Annotated[UUID, Field(description="the account that paid")]
    currency: Annotated[str, Field(description="ISO 4217 currency code")]
    charged: Annotated[Money, Field(description="sum of the charges")]
    refunded: Annotated[Money, Field(description="sum of the refunds")]
    cost: Annotated[Money, Field(description="`charged` without `refunded`")]
    entries: Annotated[int, Field(description="number of the ledger entries")]
