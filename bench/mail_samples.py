"""Measures how well returned mails are understood, on real ones from the test data of two libraries.

    git clone https://github.com/sisimai/rb-sisimai
    pip download --no-deps --no-binary :all: flufl.bounce && tar xzf flufl_bounce-*.tar.gz
    .venv/bin/python -m bench.mail_samples rb-sisimai --addresses flufl_bounce-6.0.0

The first has the reason and the enhanced status of each recipient of each mail in its tests; the second whether a
failure is temporary, and whose. Neither is in this repository.
"""

import argparse
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from engine.mail_reports.reading import read_report
from engine.mail_reports.report import MailReport
from shapes.mail_reports import MailReportClass as Class
from shapes.mail_reports import MailReportType as Type

# The library's reason, and the classes that are right for it. A reason that is about the sender or about the mail has
# two where servers give either status for it; none of these counts against the address. What is neither is soft.
_SOFT = {"transient", "unknown"}
_NOT_THE_ADDRESS = {"policy", "content"}
_RIGHT: dict[str, set[str]] = {
    "userunknown": {"hard"},
    "hasmoved": {"hard"},
    "hostunknown": {"hard"},
    "notaccept": {"hard"},
    "mailboxfull": {"full"},
    "exceedlimit": {"content"},
    "mesgtoobig": {"content"},
    "contenterror": {"content"},
    "syntaxerror": {"content", "unknown"},
    "virusdetected": _NOT_THE_ADDRESS,
    "spamdetected": _NOT_THE_ADDRESS,
    "authfailure": {"policy"},
    "badreputation": {"policy"},
    "blocked": {"policy"},
    "norelaying": {"policy"},
    "notcompliantrfc": _NOT_THE_ADDRESS,
    "policyviolation": _NOT_THE_ADDRESS,
    "rejected": {"policy"},
    "requireptr": {"policy"},
    "securityerror": {"policy"},
    "speeding": {"policy", "transient"},
    "toomanyconn": {"policy", "transient"},
    "expired": _SOFT,
    "networkerror": _SOFT,
    "systemerror": _SOFT,
    "systemfull": _SOFT,
    "mailererror": _SOFT,
    "onhold": _SOFT,
    "undefined": _SOFT,
    "filtered": {*_SOFT, "policy"},
    "suspend": _SOFT,
    "feedback": {"complaint"},
    "delivered": {"ignored"},
    "vacation": {"ignored"},
}
_ROW = re.compile(
    r"\[\s*'([^']*)'\s*,\s*'([^']*)'\s*,\s*'([^']*)'\s*,\s*(true|false)\s*(?:,\s*'([^']*)')?\s*\]"
)
_CASE = re.compile(r"'(\d\d)'\s*=>\s*\[(\[.*?\])\]", re.DOTALL)
# The library calls these filtered if it does not know that the address was refused by itself.
_UNKNOWN = re.compile(
    rb"user (is )?unknown|unknown user|no such user|invalid address|recipient not found|"
    rb"disabled or discontinued|account that you tried to reach does not exist|doesn't have an? \S+ account"
)
_ADDRESSES = re.compile(r"\('\w+', '(\w+\.txt)',\s*\[([^\]]*)\],\s*(True|False)\)")


@dataclass(frozen=True, slots=True)
class Expected:
    """The reason that the library has for one recipient."""

    status: str
    reason: str
    hard: bool
    feedback: str
    unknown: bool  # the server's own words are that the mailbox does not exist

    @property
    def right(self) -> set[str]:
        if self.feedback == "auth-failure":
            return {"ignored"}
        if self.feedback == "not-spam":
            return {"rescue"}
        right = _RIGHT[self.reason]
        if right == {"hard"} and self.status.startswith("4."):
            return {"hard", "transient"}  # a temporary status is believed (RFC 3463 §2)
        if self.reason in ("filtered", "suspend") and self.status in ("5.1.1", "5.2.1"):
            return {"hard"}  # the server's own status is believed; the library doubts it by the command
        if self.reason in ("filtered", "suspend") and self.unknown:
            return {"hard", *right}
        if self.reason == "notaccept" and self.status.startswith("5.3."):
            return {"hard", *_SOFT}  # "system not accepting network messages" (RFC 3463 §3.4)
        return right


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="of rb-sisimai")
    parser.add_argument("--addresses", type=Path, help="the source of flufl.bounce")
    parser.add_argument("--numbers", choices=("all", "even", "odd"), default="all", help="which samples")
    parser.add_argument("--show", action="store_true", help="each sample that is wrong")
    options = parser.parse_args()
    _classes(options.checkout, options.numbers, show=options.show)
    if options.addresses:
        _addresses(options.addresses, show=options.show)


def _classes(checkout: Path, numbers: str, *, show: bool) -> None:
    samples = right = false_hard = disabled = 0
    slowest = 0.0
    by_reason: Counter[tuple[str, bool]] = Counter()
    for mail, rows in _samples(checkout, numbers):
        begun = time.perf_counter()
        report = read_report(mail.read_bytes())
        slowest = max(slowest, time.perf_counter() - begun)
        got = _got(report)
        good = _matches(got, rows)
        samples += 1
        right += good
        by_reason[rows[0].reason, good] += 1
        wrongly_hard = "hard" in got and not any(row.hard for row in rows)
        if wrongly_hard and any("hard" in row.right for row in rows):
            disabled += 1
        elif wrongly_hard:
            false_hard += 1
        if show and (not good or wrongly_hard):
            print(f"{mail.name}: {rows} → {got}; {report.recipients[:1] or report.ignored}\n")
    print(f"{'reason':18} {'right':>6} {'of':>5}")
    for reason in sorted({reason for reason, _ in by_reason}):
        good = by_reason[reason, True]
        print(f"{reason:18} {good:6} {good + by_reason[reason, False]:5}")
    print(f"samples {samples}, class right {right} ({right / max(samples, 1):.1%}), false hard {false_hard}")
    print(
        f"hard by the server's own status or plain words, where the library doubts: {disabled};"
        f" slowest {slowest * 1000:.0f} ms"
    )


def _samples(checkout: Path, numbers: str) -> list[tuple[Path, list[Expected]]]:
    found = []
    for tests in sorted((checkout / "test/public").glob("*.rb")):
        for case in _CASE.finditer(tests.read_text(errors="replace")):
            mail = checkout / f"set-of-emails/maildir/bsd/{tests.stem}-{case[1]}.eml"
            if mail.exists() and mail.read_bytes().count(b"report-type=delivery-status") > 1:
                continue  # a report about a report, which is ignored on purpose
            rows = [
                Expected(row[0], row[2], row[3] == "true", row[4], _says_unknown(mail))
                for row in _ROW.findall(case[2])
            ]
            chosen = numbers == "all" or (int(case[1]) % 2 == 0) == (numbers == "even")
            if mail.exists() and rows and chosen:
                found.append((mail, rows))
    return found


def _says_unknown(mail: Path) -> bool:
    return mail.exists() and _UNKNOWN.search(b" ".join(mail.read_bytes().lower().split())) is not None


def _got(report: MailReport) -> list[str]:
    if report.ignored:
        return ["ignored"]
    return [
        str(row.klass) if row.type in (Type.bounce, Type.delay) else str(row.type)
        for row in report.recipients
    ]


def _matches(got: list[str], rows: list[Expected]) -> bool:
    if len(got) == len(rows):
        return all(one in row.right for one, row in zip(got, rows, strict=True))
    return all(any(one in row.right for row in rows) for one in got)


def _addresses(source: Path, *, show: bool) -> None:
    samples = right = temporary = 0
    for file, addresses, soft in _ADDRESSES.findall(
        "\n".join(path.read_text() for path in sorted((source / "tests").glob("test_*.py")))
    ):
        names = set(re.findall(r"b'([^']+)'", addresses))
        mail = source / "tests/data" / file
        if not names or not mail.exists():
            continue
        report = read_report(mail.read_bytes())
        found = {row.address for row in report.recipients}
        samples += 1
        right += bool(found & names)
        temporary += bool(report.recipients) and (
            soft == "False"
            or all(row.type is Type.delay or row.klass is not Class.hard for row in report.recipients)
        )
        if show and not found & names:
            print(f"{file}: {names} → {found} {report.ignored}")
    print(f"addresses: samples {samples}, found {right} ({right / max(samples, 1):.1%}),", end=" ")
    print(f"temporary ones not hard {temporary}")


if __name__ == "__main__":
    sys.exit(main())
