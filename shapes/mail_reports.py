"""Reports about emails that come back as mail: bounces, delays and complaints."""

from shapes.described import DescribedEnum


class MailReportType(DescribedEnum):
    """The kind of a report about an email."""

    bounce = "bounce", "the email was not delivered, and will not be tried again"
    delay = "delay", "the email was not delivered yet, and will be tried again"
    complaint = "complaint", "the recipient reported the email as spam"
    rescue = "rescue", "the recipient says that the email is no spam"


class MailReportClass(DescribedEnum):
    """The subject of a bounce or a delay, which decides whether it counts against the address."""

    hard = "hard", "the address does not exist: it is blocked"
    full = "full", "the mailbox is full"
    content = (
        "content",
        "this email was refused, for its size or content: it never counts against the address",
    )
    policy = (
        "policy",
        "the sender, its server or domain was refused: it never counts against the address",
    )
    transient = "transient", "a network, a server or a limit failed for a while"
    unknown = "unknown", "the report does not say why"
