"""The cases of mails that came back. Administrators alone may have one read that is no report yet."""

from tests.doors.case import RELATION, UNKNOWN, Case, Rest

_MAIL = {
    "text": "From: MAILER-DAEMON@example.net\nSubject: Undelivered Mail\n\n<ada@example.net>: user unknown"
}

CASES: dict[str, Case] = {
    "mail_reports.page": Case(
        "own",
        Rest("GET", "/mail-reports"),
        "{mailReports{nodes{uuid messageUuid kind type bounceClass source address status code diagnostic outcome"
        " createdAt owner{email}}}}",
    ),
    "mail_reports.of_messages": Case(
        "row",
        None,
        "query($id:ID!){message(id:$id){mailReports{nodes{uuid}}}}",
        {"id": "{message}"},
        why=RELATION,
    ),
    "mail_reports.get": Case(
        "row",
        Rest("GET", f"/mail-reports/{UNKNOWN}", status=404),
        "query($id:ID!){mailReport(id:$id){uuid}}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
    "mail_reports.mail": Case(
        "row",
        Rest("GET", f"/mail-reports/{UNKNOWN}/mail", status=404),
        "query($id:ID!){mailReportMail(id:$id){mail}}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
    "mail_reports.preview": Case(
        "admin",
        Rest("POST", "/mail-reports/preview", _MAIL),
        "query($input:ParseMailReport!){parseMailReport(input:$input){ignored token ours"
        " message{messageUuid kind state} recipients{type bounceClass address status code diagnostic}"
        " effect{outcome failureCode block}}}",
        {"input": _MAIL},
    ),
}
