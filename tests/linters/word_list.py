"""The one list of words that the linters refuse, each with what to write instead.

`NAMES` in names of the code (words.py), `PROSE` in docstrings and comments (prose.py), `PUBLIC` in descriptions that
callers read (public_texts.py), `PRONOUNS` also in pages and errors (test_pronouns.py). A key of `NAMES` is a word;
elsewhere it is a pattern in lower case, for whole words.
"""

PRONOUNS = {
    "he|his|him|himself|she|her|hers|herself": "the person by role: the user, the recipient, the owner",
}
VAGUE = {
    "whoever|somebody": "the noun: a caller who, the person, the transaction that",
}
PROSE = {**PRONOUNS, **VAGUE}
MOST_OF_1000 = {"what": 4.6, "nobody": 0.26}
"""The largest number of a word in a thousand words of docstrings and comments. Write the noun: not "what is due", but
"due messages"; not "nobody waits", but "no request waits".
"""

PUBLIC: dict[str, str] = {
    **PRONOUNS,
    "lanes?": "concurrency slot, worker or queue",
    "packets?": "batch",
    "hands?": "what happens: being sent, submitted",
    "hands? over|hand(?:ed)?[- ]overs?|handed": "sent, submitted",
    "visits?": "cycle",
    "resting": "cooling down",
    "freezes?|frozen": "materialize",
    "pace": "sending rate",
    "knocks?": "connects, calls",
    "tells?|told": "reports, sends, is notified",
    **VAGUE,
    "nobody": "the person by role: no user, no caller",
    "of ours": "the service's",
    "wire": "protocol, API",
    "doors?": "API, REST and GraphQL",
    "upkeep": "maintenance",
    "by the clock on a wall": "local time",
    "what must hold": "filter",
    "where (?:it is|they are|it stands|they stand)": "status, state",
    "how far (?:it is|they are)": "progress, status",
    "what (?:it is for|became of [a-z]+)": "purpose, result",
    "again is no error": "repeating it is not an error",
    "surely": "for certain",
}

NAMES = {
    "additions": "bulk_add",
    "announcements": "pubsub",
    "announce": "publish",
    "answering": "call handler",
    "contents": "field index, or what it contains",
    "cut": "page_args",
    "dealt": "regroup",
    "doorways": "operation index",
    "doubt": "invalidate",
    "durable": "retry",
    "facts": "context",
    "forgotten": "purge",
    "found": "the thing that was found: row, project, message",
    "freeze": "materialize",
    "front": "router, entry",
    "gaps": "catch_up",
    "given": "the thing: arguments, filters, limits",
    "ground": "state",
    "hands": "concurrency limits",
    "handover": "dispatcher",
    "happened": "event writer, apply_events",
    "heard": "received",
    "hearing": "receiver",
    "held": "reserved (money), leased",
    "hold": "lease, reserve (money)",
    "holds": "leases",
    "insist": "retry",
    "insisting": "retry",
    "judged": "validated",
    "kept": "stored, cached",
    "known": "the thing that is known: project, existing rows",
    "lane": "concurrency slot, ordered queue, connection cache",
    "lanes": "jobs, slots",
    "life": "lifecycle",
    "linked": "paired",
    "magic": "scenarios",
    "mark": "intent",
    "named": "by_ids",
    "near": "local cache",
    "nearby": "local cache",
    "news": "change events",
    "noting": "emit",
    "one": "the thing: item, rule, recipient",
    "opening": "credentials",
    "owners": "owner state",
    "pace": "send rate",
    "past": "history",
    "patiently": "retry",
    "people": "contacts",
    "place": "index, offset, slot",
    "places": "slots",
    "quiet": "flood wait",
    "resting": "cool down",
    "said": "the thing: message, answer, status text",
    "shown": "as_type, visible",
    "slice": "page",
    "slices": "pages",
    "tell": "emit",
    "tells": "event writer",
    "told": "parsed events, reported",
    "turn": "slot",
    "unit": "batch",
    "units": "batches",
    "visit": "cycle",
    "visits": "cycles, deliveries",
    "wanted": "the thing: requested fields, desired state",
    "wire": "codec, connection",
    "world": "simulator",
}
PHRASES = {
    "minor_units": "ISO 4217's term for the decimals of a currency",
    "named_type": "graphql-core's term for a type without its lists and non-nulls",
    "not_found": "the status 404 of HTTP",
}
"""Terms of a standard or a library with a word of NAMES, and whose term each is."""
