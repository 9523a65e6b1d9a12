"""Routes /signup-forms. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from db.lists import Conditions, PageArgs
from resolvers import signup_forms
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.page import PageByCursor
from shapes.signup_forms import NewSignupForm, SignupForm, SignupFormEmbed, SignupFormPatch, SignupFormWhere
from shapes.users import Locale

api = router("topics", prefix="/signup-forms", extension=True)
FormId = Annotated[UUID, Path(alias="formId", description="id of the form")]
Style = Annotated[bool, Query(description="whether it has a style in the colors of your brand")]
EmbedLocale = Annotated[
    Locale | None,
    Query(max_length=64, description="language tag (BCP 47); without one: that of your profile"),
]


@api.get(
    "", response_model=PageByCursor[SignupForm], responses=errors(400, 401, 503), openapi_extra={**BEARER}
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(SignupFormWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await signup_forms.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=SignupForm,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewSignupForm) -> Any:
    return await signup_forms.create(ctx, body)


@api.get(
    "/{formId}", response_model=SignupForm, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def get(ctx: Ctx, id: FormId) -> Any:
    return await signup_forms.get(ctx, id)


@api.get(
    "/{formId}/embed",
    response_model=SignupFormEmbed,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def embed(ctx: Ctx, id: FormId, style: Style = True, locale: EmbedLocale = None) -> Any:
    return await signup_forms.embed(ctx, id, style, locale)


@api.patch(
    "/{formId}", response_model=SignupForm, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def update(ctx: Ctx, id: FormId, body: SignupFormPatch) -> Any:
    return await signup_forms.update(ctx, id, body)


@api.delete("/{formId}", status_code=204, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx, id: FormId) -> None:
    return await signup_forms.delete(ctx, id)
