"""The dialogs of approvals, for the table of all dialogs."""

from tests.console.dialogs import State, icon

_APPROVALS = "features/projects/approvals"

OF_APPROVALS = [
    State("ask-approval", f"{_APPROVALS}/start/AskDialog.tsx", "/projects/{planned}", (icon("checklist"),)),
    State("approve", f"{_APPROVALS}/review/DecideDialog.tsx", "/approvals/{asked}", (icon("check"),)),
    State(
        "withdraw-approval",
        f"{_APPROVALS}/review/Decision.tsx",
        "/approvals/{asked}",
        (icon("arrow-back-up"),),
    ),
    State("approval-rule", "features/members/approvals/RuleDialog.tsx", "/members?rule=1"),
]
