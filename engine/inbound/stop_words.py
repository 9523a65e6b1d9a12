"""The words by which a recipient stops all messages (`STOP`), and takes that back (`START`)."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from shapes.sending_projects import ProjectChannel

_LONGEST = 200  # characters of the longest text that may be such a word

# The words that carriers make a sender of SMS obey. In a chat or an email they can mean something else.
_OF_CARRIERS = ("stopall", "stop all", "end", "quit", "cancel", "revoke")
_START = ("start", "unstop")
_COURTESY = (
    "please", "pls", "now", "all", "thanks", "thank you", "thank u", "thx",
    "bitte", "jetzt", "alles", "danke",
    "por favor", "ahora", "todo", "gracias",
    "s'il vous plaît", "s'il te plaît", "svp", "maintenant", "tout", "merci",
    "per favore", "adesso", "tutto", "grazie",
    "alstublieft", "alsjeblieft", "nu", "dank u", "dank je", "bedankt",
    "proszę", "teraz", "wszystko", "dziękuję",
    "agora", "tudo", "obrigado", "obrigada",
    "пожалуйста", "сейчас", "всё", "все", "спасибо",
    "будь ласка", "зараз", "усе", "дякую",
)  # fmt: skip


def is_stop_word(text: str, words: Iterable[str], channel: str | None = None) -> bool:
    """Returns whether the whole message is one of the words, ignoring case, punctuation and spaces: « STOP ! ».

    Words of courtesy may stand before and after it. By SMS the carriers' words count too, unless there are no words.
    """
    return _matches(text, _normalized((*words,), channel == ProjectChannel.sms))


def is_start_word(text: str) -> bool:
    """Returns whether the whole message undoes a stop word; it is compared as a stop word is."""
    return _matches(text, _normalized(_START, False))


def _matches(text: str, words: frozenset[str]) -> bool:
    if len(text) > _LONGEST:
        return False
    left = _plain(text)
    while left and left not in words:
        shorter = _without_courtesy(left)
        if shorter == left:
            return False
        left = shorter
    return left in words


def _without_courtesy(text: str) -> str:
    """Returns the normalized text without one word of courtesy at its beginning or end, if there is one."""
    for word in _normalized(_COURTESY, False):
        for shorter in (text.removeprefix(f"{word} "), text.removesuffix(f" {word}")):
            if shorter != text:
                return shorter
    return text


@lru_cache(8)
def _normalized(words: tuple[str, ...], of_carriers: bool) -> frozenset[str]:
    return frozenset(filter(None, map(_plain, (*words, *(_OF_CARRIERS if of_carriers and words else ())))))


def _plain(text: str) -> str:
    """Returns letters, digits and single spaces, normalized and case-folded."""
    composed = unicodedata.normalize("NFKC", text).casefold()
    # M: marks that belong to a letter, in scripts that have no composed form of it.
    characters = "".join(
        " " if char.isspace() else char
        for char in unicodedata.normalize("NFC", composed)
        if char.isspace() or unicodedata.category(char)[0] in "LNM"
    )
    # A variation selector is a mark too, but belongs to an emoji.
    return " ".join(characters.replace("\ufe0f", "").replace("\ufe0e", "").split())
