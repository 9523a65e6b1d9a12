"""Language tags (BCP 47): their form, the language in one, and the one that a caller prefers."""

from collections.abc import Callable, Container

# Language, extended language, script, region, variants; RFC 5646, without extensions. POSIX writes en_US.
LOCALE = (
    r"^[A-Za-z]{2,3}([_-][A-Za-z]{3})?([_-][A-Za-z]{4})?([_-]([A-Za-z]{2}|[0-9]{3}))?"
    r"([_-]([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3})){0,3}$"
)


def language_of(locale: str | None) -> str:
    """Returns the language of a tag: `pt` of `pt-BR`, and nothing of none."""
    return (locale or "").replace("_", "-").partition("-")[0].lower()


def preferred_of(accepted: str | None, languages: Container[str]) -> str | None:
    """Returns the one of these languages that an Accept-Language header prefers; None: it names none of them."""

    def ours(tag: str) -> str | None:
        language = language_of(tag)
        return language if language in languages else None

    return preferred(accepted, ours)


def preferred(accepted: str | None, ours: Callable[[str], str | None]) -> str | None:
    """Returns the language that an Accept-Language header (RFC 9110 §12.5.4) prefers of those that `ours` knows, or
    None. `ours` returns the language of a tag in lower case with hyphens, or None.
    """
    ranked: list[tuple[float, str]] = []
    for part in (accepted or "")[:1000].split(","):
        tag, _, quality = part.partition(";")
        language = ours(tag.strip().lower().replace("_", "-"))
        if language is not None:
            ranked.append((_quality(quality), language))
    # max returns the first of equal weights.
    weight, best = max(ranked, key=lambda weighted: weighted[0], default=(0.0, ""))
    return best if weight > 0 else None


def _quality(parameter: str) -> float:
    name, _, value = parameter.replace(" ", "").partition("=")
    try:
        return max(0.0, float(value)) if name == "q" else 1.0  # max turns NaN into 0
    except ValueError:
        return 0.0
