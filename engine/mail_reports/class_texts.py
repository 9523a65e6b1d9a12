"""The words by which servers name a failure, for replies whose status says nothing. Texts are in lower case."""

import re
from typing import Final

from shapes.mail_reports import MailReportClass as Class

Rows = tuple[tuple[Class, re.Pattern[str]], ...]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_WHO: Final = (
    r"(user|recipient|mail[- ]?box|address|account|alias|addressee|customer|subscriber|person|destination|member"
    r"|mail ?drop)"
)
_NOT: Final = (
    r"((?<!too many )(unknown|unkown|no such|invalid|non-?existent|bad)|not a (valid|known)|not our|no local|undefined"
    r"|incorrect|unknown or illegal)"
)

USER_UNKNOWN: Final = _any(
    rf"{_WHO}s?( name)?('s)?( address)? ?(\S{{1,80}} )?(is |was |are |has been |couldn.t be )?"
    r"(unknown|not found|not known|invalid|non-?existent|closed|deleted|removed|(does )?not exist|doesn.t exist"
    r"|unrecogni[sz]ed|no longer (on|at|with|here|accepts (e-?)?mail(?! from))|disabled or discontinued)",
    rf"{_NOT} (\w+ )?{_WHO}",
    r"(does not|doesn.t|did not|do not) (exist|have an? \S{1,80} account)",
    r"no (mail[- ]?box|account) (here|found|by that name|available)|sorry, no mail[- ]?box",
    r"not a member of (this |the )?domain|unable to find alias|unknown local[- ]part|no such id\b",
    r"does not have an account",
    r"not found in ldap|no one with that e?-?mail address",
    r"no longer (exists|valid)|address not found|no valid recipient|invalid final delivery userid",
    r"bad_recipient|(address|user|recipient)_not_found|no_such_user|not an active (address|user)",
    r"not listed in (domino|public)|isn.t a user|no one at|recipnotfound|unknown_user|(name is )?not recognized",
    r"(hotmail|outlook)\.com[^:]{0,40}: 550 requested action not taken: mailbox unavailable",
    r"unknown recipient or mailbox|ディレクトリのリストにありません|ディレクトリには見つかりません",
    # The same in other languages of Europe, each about a recipient.
    r"(empf.{1,2}nger|benutzer|postfach|adresse)[^.;]{0,60}(unbekannt|existiert nicht|nicht gefunden)",
    r"unbekannter? (empf|benutzer)|kein (solches postfach|solcher benutzer)",
    r"(utilisateur|destinataire|adresse|compte)[^.;]{0,60}(inconnue?|n.existe pas)",
    r"(usuario|destinatario|cuenta|buz.{1,2}n)[^.;]{0,60}(desconocid|no existe|inexistente)",
    r"(usu.{1,2}rio|destinat.{1,2}rio|conta)[^.;]{0,60}(desconhecid|n.{1,2}o existe|inexistente)",
    r"(utente|destinatario|destin\.|casella|indirizzo)[^.;]{0,60}(sconosciut|inesistente|errato|non esiste)",
    r"(odbiorca|konto|u.{1,2}ytkownik|adres)[^.;]{0,60}nie istnieje|nie ma takiego (konta|u)",
    r"(gebruiker|ontvanger|adres)[^.;]{0,60}(onbekend|bestaat niet)|onbekende gebruiker",
    r"(пользователь|адресат|ящик|получатель)[^.;]{0,60}(не существует|не найден|неизвестен)|нет такого пользователя",
)
"""A mailbox that does not exist."""

HOST_UNKNOWN: Final = _any(
    r"host (or domain name )?(\S{1,80} )?not found(?!, try again)|host (name is )?unknown|unknown host",
    r"no such (domain|host)|nxdomain",
    r"domain (\S{1,80} )?(not found|does not exist|doesn.t exist)(?!, try again)",
    r"unrout(e)?able (mail )?(domain|address)",
    r"name or service not known|couldn.t find any host|couldn.t find a mail exchanger|has moved",
    r"no mx (record )?found",
    r"bad destination (host|system)|illegal host/domain name|5\.4\.4 invalid domain",
    r"all relevant mx records point to non-existent",
)
"""A domain that does not exist, or an address that has moved: no server was asked for the mailbox."""

DISABLED: Final = _any(
    r"account (is |has been )?(disabled(?! or discontinued)|suspended|locked|inactive|blocked)",
    r"(mailbox|user) (is |has been )?(disabled|suspended|inactive|blocked due to inactiv)",
    r"(disabled|inactive|suspended|deactivated) (user|account|mailbox)",
)
"""A mailbox that exists and takes nothing: only its server's status 5.2.1 is believed to be for good."""

OF_SENDER: Final = _any(
    r"sender|\bhelo\b|\behlo\b|client host|mail from|from address|return-?path|envelope|reverse|\bptr\b|rdns|relay",
    r"\byour (ip|host|server|domain|network|address|mail server)\b|polic(y|ies)|denied|block|banned|prohibit",
    r"not permitted|authenticat|authoriz",
    r"sending|daily|hourly|per (day|hour|minute)|rate limit|\brate\b|too many|verif|validat",
    r"access",
)
"""Words about the sender, or a rule of the server, beside which its other words are not believed against x.7.x."""

FULL: Final = _any(
    r"(mailbox|inbox|account|mail ?box|storage|quota|maildir|mail ?folder|user)[^.;]{0,40} (is |are |was )?full\b",
    r"over[- ]?quota|quota[ -]?exceed|exceed\w*[^.;]{0,60}quota|exceed\w* (\w+ ){0,3}storage",
    r"out of (disk )?quota|quota full|disk space limit|dis[ck] quota",
    r"(mailbox|account|inbox|maildir)[^.;]{0,60}(exceed|size limit|over limit|storage limit|too large)",
    r"mailfolder is full|mailbox <[^>]{1,100}> is full|overdrawn [^.;]{0,30}quota",
    r"disk quota|out of storage|storage limit|quota (violation|limit)|\bfull mailbox|maximum mailbox size",
    r"mailbox limit",
    r"too many messages on (the )?server|(not enough|insufficient) (disk |storage )?space",
    r"too much mail data|over the limit|enough (disk |storage )?space|exhausted [^.;]{0,30}(storage|space)",
    r"space (is )?not enough|zuviele mails auf dem server|mail[- ]?box [^;]{0,80}file too large",
    r"postfach[^.;]{0,20} voll",
)
"""A mailbox that exists and is full."""

# The order matters: the first rows are plainer.
PLAINEST: Final[Rows] = (
    (Class.full, FULL),
    (
        Class.policy,
        _any(
            r"spam|\bspf\b|sender policy framework|\bdkim\b(?!-signature)|dmarc|black ?-?list|block ?-?list",
            r"reputation|unsolicited|too many (invalid|unknown|bad|non-?existent|wrong) |\babuse\b|domainkeys",
        ),
    ),
    (
        Class.policy,
        _any(
            r"my name was rejected|permission to post|insecure mail relay|is not verified",
            r"mismatches client ip|mail rejected|from: domain|refused to talk to me",
            r"not accepting connections|service refus",
        ),
    ),
    (
        Class.transient,
        _any(
            r"not found, try again|name server: .{0,80}: host name lookup failure",
            r"resolution (error|failure)|lookup error|temporary fail",
            r"couldn.t create|receiving (e?mail|messages) (at a rate|too)|hop count exceeded",
        ),
    ),
)
"""Rows that are believed rather than a hard status, wherever they stand."""

TEXTS: Final[Rows] = (
    *PLAINEST,
    (
        Class.policy,
        _any(
            r"domain of (the )?sender|sender('s)? (e?-?mail )?(address|domain)|from (address|domain)|dns check failed"
        ),
    ),
    (Class.hard, HOST_UNKNOWN),
    (Class.hard, USER_UNKNOWN),
    (
        Class.transient,
        _any(
            r"(connection|session|conversation|operation|delivery)[^.;]{0,30} (timed|time-?d?) ?-?out",
            r"connection (refused|reset|lost)",
            r"lost connection|network is unreachable|no route to host|retry time(out)? exceeded|retry timeout",
        ),
    ),
    (
        Class.content,
        _any(
            r"(message|mail|size|data|attachment|header|line)s?\b[^.;]{0,40}(too (large|big|long)|exceed)",
            r"too (large|big) (message|mail)",
            r"exceed\w*[^.;]{0,40}(message|size)|virus|malware|infected|attachment|line limit",
            r"(invalid|missing|duplicate) header",
            r"(mime|syntax|header)[^.;]{0,20}(error|invalid|malformed)|(message )?content (was )?rejected",
            r"size limit|without \w+: fields?",
        ),
    ),
    (
        Class.policy,
        _any(
            r"spam|\bspf\b|\bdkim\b(?!-signature)|dmarc|black ?-?list|block ?-?list|(dns|s)bls?\b|\brbl\b",
            r"\(bl\)|reputation|listed (on|at|in|by)|mismatch|mail refused",
            r"requires? that you verify|administrative prohibition|transaction rejected",
            r"rejected by this user|junk|does not accept e?-?mail in|content reject|possible forgery",
            r"polic(y|ies)|unsolicited",
            r"reverse|\bptr\b|rdns|blocked|banned|relay(ing)? |relay$|denied",
            r"not (permitted|allowed|authorized)|authenticat|authoriz",
            r"refused by|sender|prohibited|violat|\bhelo\b|\behlo\b|my name was rejected|rate limit",
            r"weren.t sent|invalid ip",
            r"security (policy|reason)|access control|groups\.google\.com/support|permission to post",
            r"tls (is )?required|starttls",
        ),
    ),
    (
        Class.transient,
        _any(
            r"time-?d?[ -]?out|try again later|temporar|defer|gr[ea]y-?list",
            r"trop de connexions|too many (connections|sessions|hops|concurrent|errors)",
            r"too many (messages|recipients|received|invalid)|resource|\bloop|unreachable|not responding",
            r"unable to connect",
            r"(could|can) ?n[o']t (connect|reach|contact)|in the queue too long|no route|insufficient",
            r"delayed|load average",
            r"service (not available|currently unavailable)|system (error|problem|resources)",
            r"undeliverable for|network error",
        ),
    ),
)
