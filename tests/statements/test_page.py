"""The page of a statement has a table for each value that its lines are grouped by."""

from typing import Any

from fastapi import Response

from rest.frame import statement_page
from shapes.statements import SignedStatement, StatementState


def page_of(lines: list[dict[str, Any]], *grouped_by: str) -> str:
    values = ("channel", "category", "country", "route", "sender", "project", "projectName")
    document = {
        "month": "2026-10",
        "begunAt": "2026-11-03T00:00:00Z",
        "account": {"uuid": "a", "name": "Main", "currency": "EUR"},
        "balance": {"opening": "0", "net": "0", "late": "0", "closing": "0"},
        "totals": [],
        "late": [],
        "groupedBy": [*grouped_by],
        "lines": [
            {**dict.fromkeys(values), "kind": "charge", "channel": "sms", "messages": 1, "parts": 1, **line}
            for line in lines
        ],
    }
    signed = SignedStatement.model_construct(
        document=document, state=StatementState.balanced, number=1, hash="h", previous_hash=None, key_id="k"
    )
    answer = statement_page.answer(signed, "html", "")
    assert isinstance(answer, Response)
    return bytes(answer.body).decode()


def test_projects_of_one_name_are_two_rows() -> None:
    sale = {"projectName": "Sale", "amount": "-0.5"}
    text = page_of([{**sale, "project": "p"}, {**sale, "project": "q"}], "channel", "project")
    assert text.count("<td>Sale</td>") == 2
    assert "<h2>By project</h2>" in text


def test_a_reduced_statement_has_no_table_of_what_was_left_out() -> None:
    text = page_of([{"country": "DE", "amount": "-0.5"}], "channel", "category", "country", "route")
    assert "By country" in text
    assert "By sender" not in text
    assert "By project" not in text
