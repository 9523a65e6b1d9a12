"""The cases of mails that came back. They belong to the installation, and administrators alone may read them."""

from tests.doors.case import Case, Rest

_MAIL = {
    "text": "From: MAILER-DAEMON@example.net\nSubject: Undelivered Mail\n\n<ada@example.net>: user unknown"
}

CASES: dict[str, Case] = {
    "mail_reports.preview": Case(
        "admin",
        Rest("POST", "/mail-reports/preview", _MAIL),
        "query($input:ParseMailReport!){parseMailReport(input:$input){ignored token ours"
        " message{messageUuid kind state} recipients{type bounceClass address status code diagnostic}"
        " effect{outcome failureCode block}}}",
        {"input": _MAIL},
    ),
}
