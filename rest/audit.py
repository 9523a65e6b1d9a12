"""Routes under /audit, an extension."""

from typing import Annotated, Any
from uuid import UUID

from db.lists import Conditions, PageArgs
from resolvers import audit
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, After, Limit, router
from runtime.context import Ctx
from shapes.audit import AuditEntry, AuditEntryWhere
from shapes.page import PageByCursor

api = router("audit", "Who changed what, and what was refused.", prefix="/audit", extension=True)


@api.get(
    "", response_model=PageByCursor[AuditEntry], responses=errors(400, 401, 503), openapi_extra={**BEARER}
)
async def list_audit_entries(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(AuditEntryWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await audit.page(ctx, PageArgs(first=limit, after=after), where)


@api.get("/{id}", response_model=AuditEntry, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get_audit_entry(ctx: Ctx, id: UUID) -> Any:
    return await audit.get(ctx, id)
