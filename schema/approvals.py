"""Approvals of plans in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import approvals, project_plans, sending_projects
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from schema.project_plans import StoredPlan
from shapes import approvals as types
from shapes.approvals import (
    ApprovalRule,
    ApprovalRuleInput,
    ApprovalWhere,
    AskApproval,
    DecideApproval,
    PlanDifference,
    PlannedMessage,
    ProjectSamples,
    StartProject,
)
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.sending_projects import SendingProject

for part in (AskApproval, DecideApproval, ApprovalRuleInput, ApprovalWhere, StartProject):
    graphql.input(part, description=part.__doc__)
for answer in (PlanDifference, PlannedMessage, ProjectSamples, ApprovalRule):
    graphql.type(answer, description=answer.__doc__)

Project = Annotated["SendingProject", strawberry.lazy("schema.sending_projects")]


@graphql.node("Approval", row=models.ProjectApproval, read=approvals.get, description=types.Approval.__doc__)
class Approval(types.Approval):
    @relation("the plan that it is about", "plan_id")
    async def plan(rows: Any, info: Info) -> list[StoredPlan | None]:
        return as_type(await project_plans.by_ids(info.context, [row.plan_id for row in rows], info.columns))

    @relation("email of the person who has asked", "asked_by")
    async def asked_by_email(rows: Any, info: Info) -> list[str | None]:
        return await approvals.emails(info.context, [row.asked_by for row in rows])

    @relation("email of the person who has decided", "decided_by")
    async def decided_by_email(rows: Any, info: Info) -> list[str | None]:
        return await approvals.emails(info.context, [row.decided_by for row in rows])

    @relation("email of the person who has voided it by a change", "voided_by")
    async def voided_by_email(rows: Any, info: Info) -> list[str | None]:
        return await approvals.emails(info.context, [row.voided_by for row in rows])

    @relation("the project whose plan it is about", "project_id")
    async def sending_project(rows: Any, info: Info) -> list[Project | None]:
        return as_type(
            await sending_projects.by_ids(info.context, [row.project_id for row in rows], info.columns)
        )


@graphql.type(name="ApprovalReview", description=types.ApprovalReviewFields.__doc__)
class ApprovalReview(types.ApprovalReviewFields):
    approval: Annotated[Approval, strawberry.field(description="the request")]
    plan: Annotated[StoredPlan, strawberry.field(description="the plan that it is about")]
    since: Annotated[
        StoredPlan | None,
        strawberry.field(
            description="the plan of this project, or of the run before, that was approved last"
        ),
    ]


@strawberry.type
class Query:
    @connection(where=ApprovalWhere)
    async def approvals(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[Approval] | None:
        return as_type(await approvals.page(info.context, page_args, where))

    @graphql.query()
    async def approval(self, info: Info, id: ID) -> Approval | None:
        return Approval.of(await approvals.get(info.context, local_id(id, "Approval")))

    @graphql.query(cost=Cost(work=50))
    async def approval_review(self, info: Info, id: ID) -> ApprovalReview | None:
        return ApprovalReview.of(await approvals.review(info.context, local_id(id, "Approval")))

    @graphql.query()
    async def approval_rule(self, info: Info) -> ApprovalRule | None:
        return as_type(await approvals.get_rule(info.context))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def ask_approval(self, info: Info, id: ID, input: AskApproval) -> Approval | None:
        return Approval.of(await approvals.ask(info.context, local_id(id, "SendingProject"), input))

    @graphql.mutation()
    async def decide_approval(self, info: Info, id: ID, input: DecideApproval) -> Approval | None:
        return Approval.of(await approvals.decide(info.context, local_id(id, "Approval"), input))

    @graphql.mutation()
    async def withdraw_approval(self, info: Info, id: ID) -> Approval | None:
        return Approval.of(await approvals.withdraw(info.context, local_id(id, "Approval")))

    @graphql.mutation()
    async def set_approval_rule(self, info: Info, input: ApprovalRuleInput) -> ApprovalRule | None:
        return as_type(await approvals.set_rule(info.context, input))
