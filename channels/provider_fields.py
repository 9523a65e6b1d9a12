"""Describes what a provider needs: one description makes the form, the check, the DSN and the documents.

Each driver has the descriptions of its providers, and channels/providers.py lists them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import quote

from channels.dsn import BadDsn


class Part(StrEnum):
    """The part of a DSN that a field becomes."""

    scheme = "scheme"
    user = "user"
    password = "password"
    host = "host"
    port = "port"
    path = "path"
    option = "option"


@dataclass(frozen=True, slots=True)
class ProviderField:
    """One thing that a provider needs. `name` is that of the option, if it becomes one."""

    name: str
    label: str
    about: str
    part: Part = Part.option
    secret: bool = False
    required: bool = False
    example: str = ""
    default: str | None = None
    choices: tuple[str, ...] = ()

    def check(self, value: str) -> None:
        """Raises BadDsn, which never repeats the value."""
        if self.choices and value not in self.choices:
            raise BadDsn(f"{self.label} must be one of {', '.join(self.choices)}")
        if self.part is Part.port and not (re.fullmatch(r"\d{1,5}", value) and 0 < int(value) < 65536):
            raise BadDsn(f"{self.label} must be a number from 1 to 65535")
        if self.part is Part.host and not re.fullmatch(
            r"[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]", value
        ):
            raise BadDsn(f"{self.label} must be a host name or an address, without a port")


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider that can be set up: its driver, and what it needs."""

    name: str
    label: str
    about: str
    scheme: str
    kinds: frozenset[str]
    fields: tuple[ProviderField, ...]
    fixed: Mapping[str, str] = field(default_factory=dict)
    """The values of fields that are the same for every account at this provider; the form leaves these fields out."""

    @property
    def requested(self) -> tuple[ProviderField, ...]:
        """Returns the fields that a person fills in."""
        return tuple(each for each in self.fields if each.name not in self.fixed)

    def dsn(self, values: Mapping[str, str]) -> str:
        """Returns the DSN made of the values of fields, given by the fields' names; empty ones are left out.

        Raises BadDsn for a field that is unknown, missing or wrong.
        """
        requested = {each.name: each for each in self.requested}
        if unknown := sorted(set(values) - set(requested)):
            raise BadDsn(f"{self.label} has no field {unknown[0]}; it has {', '.join(requested)}")
        filled = {name: value.strip() for name, value in values.items() if value.strip()}
        for name, each in requested.items():
            if name not in filled:
                if each.required:
                    raise BadDsn(f"{each.label} is missing; for example {each.example}")
            else:
                each.check(filled[name])
        return self._written({**self.fixed, **filled})

    def _written(self, values: Mapping[str, str]) -> str:
        parts: dict[Part, str] = {}
        options = []
        for each in self.fields:
            if not (value := values.get(each.name)):
                continue
            if each.part is Part.option:
                options.append(f"{each.name}={quote(value, safe='@')}")
            else:
                parts[each.part] = value
        user = "".join(
            (quote(parts.get(Part.user, ""), safe=""), ":", quote(parts[Part.password], safe=""), "@")
            if Part.password in parts
            else (f"{quote(parts[Part.user], safe='')}@" if Part.user in parts else "",)
        )
        port = f":{parts[Part.port]}" if Part.port in parts else ""
        path = parts.get(Part.path, "")
        path = quote(path if not path or path.startswith("/") else f"/{path}", safe="/")
        query = f"?{'&'.join(options)}" if options else ""
        return f"{parts.get(Part.scheme, self.scheme)}://{user}{parts.get(Part.host, '')}{port}{path}{query}"
