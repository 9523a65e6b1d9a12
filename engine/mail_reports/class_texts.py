"""The words by which servers name a failure, for replies whose status says nothing. Texts are in lower case."""

import re
from typing import Final

from shapes.mail_reports import MailReportClass as Class

Rows = tuple[tuple[Class, re.Pattern[str]], ...]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_WHO: Final = (
    r"(user(name| ?id)?|recipient|mail[- ]?box|inbox|address|account|alias|addressee|customer|subscriber|person"
    r"|destination(?! (computer|host|server|domain|system|network))|member|mail ?drop|local[- ]part|login)"
)
_NOT: Final = (
    r"((?<!too many )(unknown|unkown|no such|invalid|non-?existent|bad)|not a (valid|known)|not our|no local"
    r"|undefined"
    r"|wrong|inexistent|incorrect|unknown or illegal)"
)

USER_UNKNOWN: Final = _any(
    rf"(?<!ip )(?<!sender )(?<!from )(?<!source )(?<!return )(?<!server ){_WHO}(e?s)?('s)?( (e-?mail )?name)?('s)?"
    rf"( address)? ?(\S{{1,80}} )?(is |was |are |has been |couldn.t be )?"
    r"(unknown|unkown|not (yet )?(found|known|present|registered|recogni[sz]ed)|(could|can) ?not be found"
    r"|can.t be found"
    r"|invalid|non-?existent|closed|deleted|removed|(does )?not exist|doesn.t exist|unrecogni[sz]ed"
    r"|no longer (on|at|with|here|accepts (e-?)?mail(?! from)|(in|a part of) (use|our))|disabled or discontinued)",
    r"(could|can) ?(not|n.t) (find|locate) (a |an |the |this |that |any )?(\w+ )?(user|recipient|mail[- ]?box"
    r"|account)",
    r"(address|recipient|user|mailbox)e?s?\b[^.;:]{0,60} not (listed|present|found) in (the |our |this )?"
    r"(\w+ )?(directory|address ?(book|list)|database|ldap)|not in (the |my |our )?valid ?rcptto",
    r"(user|recipient|mail ?box|account|e-?mail)\b[^.;:]{0,40} (cannot|can not|could not) be found",
    r"resolver\.adr\.(ex)?recip\w*[. ]{0,2}not ?found",
    rf"{_NOT} (?!ip|sender|from|source|return|helo|client|envelope"
    rf"|originat)([\w-]+ ){{0,2}}(?<!ip )(?<!sender ){_WHO}",
    r"(account|mailbox|address) (was |has been |is )?(terminated|cancell?ed)"
    r"|no longer (works|employed|(in )?used?\b)",
    r"(address|e-?mail)[^.;]{0,40} has (been )?(changed|replaced)",
    r"(does not|do(e?s)n.t|did not|do not) (exist|have an? \S{1,80} (account|address))|no users? here by",
    r"no (mail[- ]?box|account) (here|found|by that name|available)|sorry, no mail[- ]?box",
    r"not a member of (this |the )?domain|unable to find alias|unknown local[- ]part|no such id\b",
    r"does not have an account",
    r"not found in ldap|no one with that e?-?mail address",
    r"no longer (exists|valid)|address not found|no valid recipients?\b(?! from)|invalid final delivery userid",
    r"bad_recipient|(address|user|recipient)_not_found|no_such_user|not an active (address|user)",
    r"not listed in (domino|public)|isn.t a user|no one at|recipnotfound|unknown_user|(name is )?not recognized",
    r"(hotmail|outlook)\.com[^:]{0,40}: 550 requested action not taken: mailbox unavailable",
    r"unknown recipient or mailbox|ディレクトリのリストにありません|ディレクトリには見つかりません",
    # The same in other languages of Europe, each about a recipient.
    r"(empf.{1,2}nger|benutzer|postfach|adresse)[^.;]{0,60}(unbekannt|existiert nicht|nicht gefunden)",
    r"unbekannter? (empf|benutzer)|kein (solches postfach|solcher benutzer)",
    r"(utilisateur|destinataire|adresse|compte|bo.{1,2}te)[^.;]{0,60}(inconnue?|inexistante?|n.existe (pas|plus))",
    r"(usuario|destinatario|cuenta|buz.{1,2}n|casilla|direcci.{1,2}n)[^.;]{0,60}(desconocid|no existe|inexistente)",
    r"no existe (\w+ )?(persona|usuario|cuenta|buz.{1,2}n|casilla|destinatario)|nessun utente|utente non trovato",
    r"(usu.{1,2}rio|destinat.{1,2}rio|conta)[^.;]{0,60}(desconhecid|n.{1,2}o existe|inexistente)",
    r"(utente|destinatario|destin\.|casella|indirizzo)[^.;]{0,60}(sconosciut|inesistente|errato|non esiste)",
    r"(odbiorca|konto|u.{1,2}ytkownik|adres)[^.;]{0,60}nie istnieje|nie ma takiego (konta|u)",
    r"(用户|收件人|收信人|邮箱|帐号|账号|地址)[^。;]{0,20}不存在|不存在的(用户|邮箱|收件人)|宛先[^。;]{0,20}存在しません",
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
    r"no smtp service|domain (must resolve|(is )?not used for (e-?)?mail)",
    r"no mx (record )?found|null ?mx\b|(recipient|destination) domain (must exist|is (invalid|unknown|not valid))",
    r"(unknown|invalid|bad|non-?existent) (recipient|destination|mail) (domain|host)|unknown domain\b",
    r"domain(name)?( name)? (could not be|cannot be|can.t be) (found|resolved)",
    r"bad destination (host|system)|illegal host/domain name|5\.4\.4 invalid domain",
    r"all relevant mx records point to non-existent",
)
"""A domain that does not exist, or an address that has moved: no server was asked for the mailbox."""

DISABLED: Final = _any(
    r"account (is |has been )?blocked",
    r"(mail ?box|account|user|recipient|address|inbox|alias)( \S{1,60})? (is |has been |was |are )?"
    r"(currently |temporarily |permanently |now )?(disabled(?! or discontinued)|suspended|locked|inactive|deactivated"
    r"|frozen|not active|no longer active|expired|blocked due to inactiv)",
    r"(disabled|inactive|suspended|deactivated) (user|account|mailbox)",
)
"""A mailbox that exists and takes nothing: only its server's status 5.2.1 is believed to be for good."""

NOT_OF_RECIPIENT: Final = _any(
    r"absender|exp[ée]diteur|remitente|remetente|mittente|nadawc|afzender|avs[äa]ndar|avsender|lähettäjä|gönderen",
    r"отправител|відправник|发件人|寄件者|差出人|送信者|보낸",
    r"from[ :-]{1,2}header|header from|mail from[: ]|list-unsubscribe|grey ?list|gray ?list|vacation|on holiday",
)
"""Words of a reply that is about the sender, a header or a moment, in the languages of `USER_UNKNOWN`: what it says
of an address is not about the recipient's."""

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
    r"over (\w+ ){0,2}quota|over[- ]?quota|quota[ -]?(has been |is |was )?exceed|exceed\w*[^.;]{0,60}quota"
    r"|exceed\w* (\w+ ){0,3}storage",
    r"out of (disk )?quota|quota full|disk space limit|dis[ck] quota",
    r"(mailbox|account|inbox|maildir)[^.;]{0,60}(exceed|size limit|over limit|storage limit|too large)",
    r"mailfolder is full|mailbox <[^>]{1,100}> is full|overdrawn [^.;]{0,30}quota",
    r"disk quota|out of storage|storage limit|quota (violation|limit)|\bfull mailbox|maximum mailbox size",
    r"mailbox limit|too many messages (in|on) (\w+ )?(mail|inbox|folder)|receive (any )?more (e-?)?mail"
    r"|(mailbox|inbox|account|user|recipient)[^.;]{0,60}"
    r"( capacity|reached (\w{3,5} )?(maximum|limit|quota|storage))|not enough (storage|room)",
    r"too many messages on (the )?server|(not enough|insufficient) (disk |storage )?space",
    r"too much mail data|over the limit|enough (disk ?|storage )?space|quota (is )?not enough|space available"
    r"|exhausted [^.;]{0,30}(storage|space)",
    r"space (is )?not enough|zuviele mails auf dem server|mail[- ]?box [^;]{0,80}file too large",
    r"(postfach|mailbox|postbus)[^.;]{0,20} vol+\b|no (more )?(space|room) (left|available)|space has been used up",
    r"(not |in)sufficient (\w+ )?space|mail ?(box|file) size exceed|(quota|space|storage)[^.;]{0,20} (used up"
    r"|exhausted)",
    r"bo.{1,2}te[^.;]{0,40} pleine|quota d.{1,2}pass|d.{1,2}passement de quota|buz.{1,2}n[^.;]{0,20} lleno"
    r"|casella piena",
    r"caixa[^.;]{0,30} cheia|переполнен|превышена? (\w+ )?квот|(邮箱|容量|空间)[^。;]{0,20}(已满|不足)",
)
"""A mailbox that exists and is full."""

# The order matters: the first rows are plainer.
PLAINEST: Final[Rows] = (
    (Class.policy, _any(r"(daily|hourly|sending|submission|outgoing|outbound) (\w+ ){0,2}(quota|limit)")),
    (
        Class.transient,
        _any(r"throttl|messages? [^.;]{0,40}per (hour|day|minute)|receive limit|messages they can receive"),
    ),
    (Class.full, FULL),
    (
        Class.policy,
        _any(
            r"spam|\bspf\b|sender policy framework|\bdkim\b(?!-signature)|dmarc|black ?-?list|block ?-?list",
            r"reputation|unsolicited|permanently deferred|too many (bounces|complaints)|too many (invalid"
            r"|unknown|bad|non-?existent|wrong) |\babuse\b|domainkeys",
        ),
    ),
    (
        Class.policy,
        _any(
            r"my name was rejected|permission to post|insecure mail relay|is not verified",
            r"mismatches client ip|mail rejected|from: domain|refused to talk to me",
            r"not accepting connections|service refus|authentication (failed|required|credential|unsuccess)",
        ),
    ),
    (
        Class.transient,
        _any(
            r"not found, try again|name server: .{0,80}: host name lookup failure",
            r"resolution (error|failure)|lookup error|temporary fail",
            r"routing loop|mail loop|too many (hops|received)",
            r"couldn.t create|rate that prevents|receiving (e?mail|messages) (at a rate|too)|hop count exceeded",
        ),
    ),
)
"""Rows that are believed rather than a hard status, wherever they stand."""

TEXTS: Final[Rows] = (
    *PLAINEST,
    (
        Class.policy,
        _any(
            r"domain of (the )?sender|sender('s)? (e?-?mail )?(address|domain)|from (address|domain)|dns check fail",
            r"mail from:|mail from ?<|in mail from|(sender|call-?out|call-?back) verif|verification failed"
            r"|password|return (mx|domain)|reverse|\bptr\b|\brdns|\bhelo\b|\behlo\b|return[- ]path",
            r"(your|originating|sending|client|source) (ip|host|hostname|domain|server|mail ?server|network)\b",
        ),
    ),
    (Class.hard, HOST_UNKNOWN),
    (Class.hard, USER_UNKNOWN),
    (
        Class.transient,
        _any(
            r"(connection|session|conversation|operation|delivery)[^.;]{0,30} (timed|time-?d?) ?-?out",
            r"connection (refused|reset|lost)",
            r"lost connection|network is unreachable|no route to host|retry time(out)? (exceeded|not reached)"
            r"|retry timeout",
        ),
    ),
    (
        Class.content,
        _any(
            r"(message|mail|size|data|attachment|header|line)s?\b[^.;]{0,40}(too (large|big|long)|exceed)",
            r"too (large|big) (message|mail)|larger than|taille (\w+ )?du message|gr.{1,2}ssenlimit",
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
            r"(could|can) ?n[o']t (connect|reach|contact)|in the queue too long|no route|multiple retries"
            r"|for the last [0-9]|gave up|insufficient",
            r"delayed|load average",
            r"service (not available|currently unavailable)|system (error|problem|resources)",
            r"undeliverable for|network error",
        ),
    ),
)

LOOSE: Final[Rows] = (
    (
        Class.policy,
        _any(
            r"\bips?\b|client|hostname|(resolve )?your (host|address|server|system|domain|network|message|mail"
            r"|e-?mail)|dyna(mic|dsl)|proxy",
            r"open relay|rcpthosts|rejet|refus|forbid|abus|complain|confirm|white ?-?list|allow ?-?list|subscri",
            r"non-?member|members[- ]only|mailing list|moderat|restrict|message held|human verif|greeting"
            r"|\bbatv\b|backscatter|bogus|dsns?\b|mail from",
            r"organi[sz]ation(al)? |insecure|secur|encrypt|certificate|unauth|complian|\brfc|fully.qualified|whois",
            r"forward dns|dns entr|\bmx records?\b|nameserver|bulk|advert|mass mail|suspicio|suspect|phish"
            r"|fraud|scam",
            r"malicious|threat|harmful|danger|filter|unacceptable|undesirable|fingerprint|heuristic|\burls?\b"
            r"|pattern",
            r"(handle|accept|deliver) (mail |messages |e-?mail )?for|not (hosted|handled|local)\b|gateway|third.part",
            r"classif|not accept(ing|ed)? (?!network)(\w+ )?(mail|messages?|connections?|e-?mail|from)"
            r"|low priority|do not accept",
            r"(message|mail|e-?mail|content|transaction|connection|client|session|delivery|body)s?\b[^.;]{0,40}"
            r"(reject|refuse|declin|block|discard|drop|bounc|not accept|decided not)|reject(ed|ing)?\b[^.;:]{0,30}"
            r"(mail|message|content|dsn)s?\b|disallow|not welcome|unwelcome|unwanted|untrusted|trust|垃圾|拒绝|отклонен",
        ),
    ),
    (
        Class.content,
        _any(
            r"\b(7|8)-?bit|charset|character set|encoding|\bbare (lf|cr)",
            r"headers?\b|\bmime\b|binary|base64",
        ),
    ),
    (
        Class.transient,
        _any(
            r"dropped|slow down|too (fast|quick|much|many)|\bbusy|overload"
            r"|(service|server|system|temporarily|currently|resources?) (is |are )?unavailable|later|internal"
            r"|local error",
            r"shut(ting)? ?down|maintenance|expired|expire|\bqueue|respond|disk|memory|i/o|congest|lock|unable to",
            r"closed|abort|interrupt|disconnect|frequen|attempts?",
        ),
    ),
)
"""Words that mean something only where nothing plainer is said and the status says nothing. None of them is hard."""
