"""Countries, time zones and currencies (contract §2). Names come from CLDR (babel), codes from ISO (pycountry).

Results are cached for the life of the process. The list of languages is therefore fixed: CLDR's data takes about one
megabyte per language, and an Accept-Language header can name any of a thousand.
"""

import unicodedata
import zoneinfo
from collections.abc import Sequence
from functools import cache

import pycountry
from babel import Locale
from phonenumbers import country_code_for_region

from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.common import Country, Currency
from shapes.locales import preferred

_LANGUAGES = (
    "af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja "
    "ka kk km kn ko ky lo lt lv mk ml mn mr ms my ne nl no pa pl pt ro ru si sk sl sq sr sr_Latn sv sw ta te "
    "th tr uk ur uz vi zh zh_Hant zu"
)
LANGUAGES = frozenset(_LANGUAGES.split())
_OTHER_NAMES = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "tl": "fil", "cmn": "zh"}
_TRADITIONAL = {"hant", "tw", "hk", "mo"}

# libphonenumber lists only regions with their own numbering plan. These regions use another one's country code
# (ITU-T, list of E.164 country codes).
_DIALS_LIKE = {"AQ": "NF", "BV": "NO", "GS": "FK", "HM": "NF", "PN": "NZ", "TF": "RE", "UM": "US"}

# ISO 4217 list one; every other currency has 2 digits. (CLDR's digits are those of daily use, which differ.)
_CODES_BY_EXPONENT = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF "
    "XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
_EXPONENTS = {code: digits for digits, codes in _CODES_BY_EXPONENT.items() for code in codes.split()}

_NOT_ZONES = {"Factory", "localtime", "posixrules"}


@operation(Permission.public, "read")
async def countries(op: Op, language: str | None = None) -> Sequence[Country]:
    """Lists every country of ISO 3166-1 with its dial code, sorted by name.

    `language` is a language tag or a whole Accept-Language header. English is used if it is invalid or not supported.
    """
    return _countries(spoken(language))


@operation(Permission.public, "read")
async def timezones(op: Op) -> Sequence[str]:
    """Lists the names of the IANA time zones, sorted."""
    return _timezones()


@operation(Permission.public, "read")
async def currencies(op: Op, language: str | None = None) -> Sequence[Currency]:
    """Lists every currency of ISO 4217, sorted by code.

    `language` works as in `countries`.
    """
    return _currencies(spoken(language))


def spoken(accepted: str | None) -> str:
    """Returns the supported language that an Accept-Language header (RFC 9110 §12.5.4) prefers, else English."""
    return preferred(accepted, _ours) or "en"


def _ours(tag: str) -> str | None:
    subtags = tag.split("-")
    language = _OTHER_NAMES.get(subtags[0], subtags[0])
    if language == "zh" and "hans" not in subtags and _TRADITIONAL.intersection(subtags):
        return "zh_Hant"
    if language == "sr" and "latn" in subtags:
        return "sr_Latn"
    return language if language in LANGUAGES else None


@cache
def _countries(language: str) -> tuple[Country, ...]:
    names = Locale.parse(language).territories
    entries = [
        Country(
            code=country.alpha_2,
            name=names.get(country.alpha_2, country.name),
            dial_code=_dial_code(country.alpha_2),
        )
        for country in pycountry.countries
    ]
    return tuple(sorted(entries, key=lambda country: _alphabetic(country.name)))


@cache
def _currencies(language: str) -> tuple[Currency, ...]:
    locale = Locale.parse(language)
    entries = [
        Currency(
            code=currency.alpha_3,
            symbol=locale.currency_symbols.get(currency.alpha_3, currency.alpha_3),
            minor_units=_EXPONENTS.get(currency.alpha_3, 2),
            name=locale.currencies.get(currency.alpha_3, currency.name),
        )
        for currency in pycountry.currencies
    ]
    return tuple(sorted(entries, key=lambda currency: currency.code))


@cache
def _timezones() -> tuple[str, ...]:
    return tuple(sorted(zoneinfo.available_timezones() - _NOT_ZONES))


def _dial_code(region: str) -> str:
    return f"+{country_code_for_region(_DIALS_LIKE.get(region, region))}"


def _alphabetic(name: str) -> str:
    """Returns a sort key that puts É beside E and ignores case, close to each language's own order without ICU."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(char for char in plain if not unicodedata.combining(char)).casefold()
