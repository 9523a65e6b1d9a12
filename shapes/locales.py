"""The form of language tags (BCP 47)."""

# Language, extended language, script, region, variants; RFC 5646, without extensions. POSIX writes en_US.
LOCALE = (
    r"^[A-Za-z]{2,3}([_-][A-Za-z]{3})?([_-][A-Za-z]{4})?([_-]([A-Za-z]{2}|[0-9]{3}))?"
    r"([_-]([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3})){0,3}$"
)
