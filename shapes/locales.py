"""Language tags (BCP 47): their form, and the language in one."""

# Language, extended language, script, region, variants; RFC 5646, without extensions. POSIX writes en_US.
LOCALE = (
    r"^[A-Za-z]{2,3}([_-][A-Za-z]{3})?([_-][A-Za-z]{4})?([_-]([A-Za-z]{2}|[0-9]{3}))?"
    r"([_-]([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3})){0,3}$"
)


def language_of(locale: str | None) -> str:
    """Returns the language of a tag: `pt` of `pt-BR`, and nothing of none."""
    return (locale or "").replace("_", "-").partition("-")[0].lower()
