"""The cases of approvals, as tests/doors/case.py describes them."""

from tests.approvals.made import ask, plan, project, rule
from tests.doors.case import RELATION, Case, Rest
from tests.support.people import Person

_RULE = {"mode": "off", "selfApproval": True}

CASES: dict[str, Case] = {
    "approvals.page": Case(
        "own", Rest("GET", "/approvals?state=asked"),
        "{approvals(where:{state:{eq:asked}}){nodes{uuid state sendingProject{uuid name}} totalCount}}",
    ),
    "approvals.get": Case(
        "row", Rest("GET", "/approvals/{approval}"),
        "query($id:ID!){approval(id:$id){uuid state expiresAt}}", {"id": "{approval}"},
    ),
    "approvals.emails": Case(
        "own", None, "{approvals{nodes{askedByEmail decidedByEmail voidedByEmail}}}", why=RELATION
    ),
    "approvals.review": Case(
        "row", Rest("GET", "/approvals/{approval}/review"),
        "query($id:ID!){approvalReview(id:$id){isCurrent mayDecide approval{uuid} plan{hash} messages{to body}"
        " differences{field old new}}}", {"id": "{approval}"},
    ),
    "approvals.ask": Case(
        "row",
        Rest("POST", "/sending-project/{asked_by_rest}/approvals", {"planHash": "{hash_of_rest}"}, 201),
        "mutation($id:ID!,$hash:String!){askApproval(id:$id,input:{planHash:$hash}){uuid state}}",
        {"id": "{asked_by_graphql}", "hash": "{hash_of_graphql}"},
    ),
    "approvals.decide": Case(
        "row",
        Rest("POST", "/approvals/{decided_by_rest}/decide", {"planHash": "{decided_hash}", "decision": "approved"}),
        'mutation($id:ID!,$hash:String!){decideApproval(id:$id,input:{planHash:$hash,decision:refused,note:"no"})'
        "{uuid state}}", {"id": "{approval}", "hash": "{approval_hash}"},
    ),
    "approvals.withdraw": Case(
        "row", Rest("POST", "/approvals/{withdrawn_by_rest}/withdraw"),
        "mutation($id:ID!){withdrawApproval(id:$id){uuid state}}", {"id": "{withdrawn_by_graphql}"},
    ),
    "approvals.get_rule": Case(
        "own", Rest("GET", "/approvals/rule"), "{approvalRule{mode aboveRecipients selfApproval}}"
    ),
    "approvals.set_rule": Case(
        "own", Rest("PUT", "/approvals/rule", _RULE),
        "mutation{setApprovalRule(input:{mode:off,selfApproval:true}){mode}}",
    ),
}  # fmt: skip


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use. She approves alone, and no project needs it."""
    await rule(ada, **_RULE)
    made: dict[str, str] = {}
    for name in ("approval", "decided_by_rest", "withdrawn_by_rest", "withdrawn_by_graphql"):
        uuid = await project(ada)
        plan_hash = (await plan(ada, uuid))["hash"]
        made[name] = (await ask(ada, uuid, plan_hash))["uuid"]
        made |= {
            "approval": {"approval_hash": plan_hash},
            "decided_by_rest": {"decided_hash": plan_hash},
        }.get(name, {})
    for door in ("rest", "graphql"):
        made[f"asked_by_{door}"] = await project(ada)
        made[f"hash_of_{door}"] = (await plan(ada, made[f"asked_by_{door}"]))["hash"]
    return made
