"""Values of settings: how they are read from text, and what is said of wrong ones."""

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_settings import NoDecode


def _split(value: Any) -> Any:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _as_limit(value: str) -> str:
    count, _, seconds = value.partition("/")
    if not (count.isdigit() and seconds.isdigit() and int(count) > 0 and int(seconds) > 0):
        raise ValueError(f"a limit is written count/seconds, for example 60/60; got {value!r}")
    return value


COMMAS = BeforeValidator(_split)
CommaList = Annotated[list[str], NoDecode, COMMAS]
SenderKinds = Annotated[list[Literal["all", "alpha", "number", "short"]], NoDecode, COMMAS]
RateLimit = Annotated[str, AfterValidator(_as_limit)]
Countries = Annotated[list[Annotated[str, Field(pattern="^[+-]?[A-Z]{2}$")]], NoDecode, COMMAS]
PlainUrl = Annotated[
    str,
    Field(pattern=r"^https?://([A-Za-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?(/[A-Za-z0-9._~%/-]*)?$"),
]
"""A URL that stands in letters as it is: it has nothing that ends an attribute, a line or a header."""

FORMS: Final = {  # of the settings that are validated by a pattern
    "signup_credit": "an amount, such as 0 or 2.50",
    "default_region": "a country in two capital letters, such as US",
    "bounce_listen": "written host:port, lmtp://host:port or lmtp:///path",
    "media_url": "an http or https URL of plain characters, without user, query and fragment",
    "telegram_dc": "written id@address:port",
    "whatsapp_cloud_url": "an http or https URL without a query",
}
