"""Finds out which column is the address, the name and the time zone; all others are variables."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from engine.file_parsers.addresses import KIND_OF, Kind, looks_like
from engine.file_parsers.common import Cells, Options, Unreadable

KINDS: tuple[Kind, ...] = get_args(Kind)
CHOICE: tuple[Kind, ...] = ("address", "phone", "email")
"""If a mapping has several kinds, messages go to the first of these; the others are variables."""

# Whole headers, or words of them, in lower case without punctuation; the first kind that matches wins.
_WORDS: dict[str, frozenset[str]] = {
    kind: frozenset(words.split())
    for kind, words in {
        "phone": "phone phones phonenumber tel telephone mobile mobil cell cellphone msisdn whatsapp handy telefon "
        "telefono teléfono téléphone telephon telefone celular movil móvil portable numero número numéro nummer номер "
        "телефон телефоны тел мобильный мобильник моб сотовый вотсап ватсап телефону телефонний cep gsm компания_тел "
        "電話 电话 手机 携帯 전화 핸드폰 هاتف جوال טלפון τηλέφωνο telefonnummer rufnummer telefoonnummer telnr",
        "email": "email emails mail e-mail mailaddress emailaddress почта имейл емейл емэйл email-адрес эл.почта "
        "электронная correo courriel eposta e-posta メール 邮箱 邮件 이메일 correoelectrónico mailadresse",
        "address": "address recipient to token devicetoken device_token subscription username адрес получатель кому "
        "токен adresse destinatario destinataire empfänger",
        "name": "name fullname full_name firstname first_name имя фио ф.и.о. ф.и.о клиент контакт имена ім'я "
        "піб nombre nom "
        "prénom prenom vorname nome imię imie isim ad contact client customer 名前 姓名 名字 이름 اسم שם όνομα naam",
        "timezone": "timezone time_zone tz zone пояс часовой таймзона zeitzone fuseau husohorario",
    }.items()
}
_EXACT = {"name": frozenset({"name", "full name", "fullname", "имя", "фио", "nombre", "nom", "nome", "naam"})}


@dataclass(frozen=True, slots=True)
class Columns:
    """The roles of the columns. `variables`: variable name → column."""

    kind: Kind
    address: str
    name: str | None
    timezone: str | None
    variables: dict[str, str]
    open: bool = False  # fields that appear only in later rows are variables too

    def as_mapping(self) -> dict[str, str]:
        """Returns the mapping as the owner would write it."""
        fields = {self.kind: self.address, "name": self.name, "timezone": self.timezone, **self.variables}
        return {name: column for name, column in fields.items() if column is not None}


def absent(requested: Iterable[str], columns: Iterable[str]) -> list[str]:
    """Returns the requested columns that are not among the columns, whose letter case does not matter."""
    names = {column.strip().casefold() for column in columns}
    return [column for column in requested if column.strip().casefold() not in names]


def from_mapping(mapping: Mapping[str, str], columns: Sequence[str]) -> Columns:
    """Checks the owner's mapping against the columns. Raises Unreadable."""
    columns_by_name = {column.strip().casefold(): column for column in reversed(columns)}
    if missing := absent(mapping.values(), columns):
        raise Unreadable(
            f"The mapping names the column {missing[0][:64]!r}, which the list doesn't have."
            f" It has: {listed(columns)}."
        )
    resolved = {name: columns_by_name[column.strip().casefold()] for name, column in mapping.items()}
    kind = _kind(resolved)
    if kind is None:
        raise Unreadable(_NO_KIND)
    rest = {name: column for name, column in resolved.items() if name not in (kind, "name", "timezone")}
    return Columns(kind, resolved[kind], resolved.get("name"), resolved.get("timezone"), rest)


_NO_KIND = "The mapping must name the column of addresses: phone, email or address."


def _kind(mapping: Mapping[str, str]) -> Kind | None:
    return next((kind for kind in CHOICE if kind in mapping), None)


def suggested(
    columns: Sequence[str], sample: Sequence[Sequence[str]], channel: str | None = None
) -> Columns | None:
    """Suggests a mapping by the words of the header, else by the first rows.

    If several columns hold addresses, it is one that the channel can reach.
    Returns None if no column holds addresses.
    """
    if len(columns) == 1 and role_of(columns[0]) is None:
        kinds = [_kind_of_column(sample, 0)]
        return Columns(kinds[0] or "address", columns[0], None, None, {}, open=True) if sample else None
    roles = [role_of(column) for column in columns]
    kinds = [_kind_of_column(sample, index) for index in range(len(columns))]
    index, kind = _address(roles, kinds, KIND_OF.get(channel or ""))
    if index is None or kind is None:
        return None
    name = _best_name(columns, roles, index)
    zone = next((at for at, role in enumerate(roles) if role == "timezone" and at != index), None)
    taken = {index, name, zone}
    rest = [column for at, column in enumerate(columns) if at not in taken]
    return Columns(
        kind,
        columns[index],
        columns[name] if name is not None else None,
        columns[zone] if zone is not None else None,
        variables(rest, kind),
        open=True,
    )


def _address(
    roles: Sequence[str | None], kinds: Sequence[Kind | None], preferred: Kind | None
) -> tuple[int | None, Kind | None]:
    """Chooses a column whose header and content match; else one whose header matches; else one whose content does.

    Of several kinds, the preferred one is chosen.
    """
    if preferred == "address" and preferred in roles:  # tokens can't be told by their content
        return roles.index(preferred), preferred
    order = sorted(KINDS, key=lambda kind: kind != preferred)
    for kind in order:
        for index, role in enumerate(roles):
            if role == kind and (kinds[index] == kind or (kind == "address" and kinds[index])):
                return index, kind
    for kind in order:
        if kind in roles and all(content is None for content in kinds):
            return roles.index(kind), kind
    for kind in order:
        if kind in kinds:
            return kinds.index(kind), kind
    for kind in order:
        if kind in roles:
            return roles.index(kind), kind
    return None, None


def _best_name(columns: Sequence[str], roles: Sequence[str | None], address: int) -> int | None:
    candidates = [at for at, role in enumerate(roles) if role == "name" and at != address]
    best = best_of([columns[at] for at in candidates])
    return next((at for at in candidates if columns[at] == best), None)


def best_of(names: Sequence[str]) -> str | None:
    """Returns which of several columns with names has the whole name: one that says so, else the first."""
    exact = [column for column in names if _plain(column) in _EXACT["name"]]
    return next(iter((*exact, *names)), None)


def _kind_of_column(sample: Sequence[Sequence[str]], index: int) -> Kind | None:
    values = [row[index].strip() for row in sample if index < len(row) and row[index].strip()]
    for kind in KINDS[:2]:
        if values and sum(looks_like(value) == kind for value in values) * 2 >= len(values):
            return kind
    return None


def exact_role_of(column: str) -> str | None:
    """Returns the role whose word the whole header is, or None."""
    plain = _plain(column)
    joined = plain.replace(" ", "")
    return next((field for field, words in _WORDS.items() if plain in words or joined in words), None)


def role_of(column: str) -> str | None:
    """Returns the role that a header names, or None."""
    if (exact := exact_role_of(column)) is not None:
        return exact
    parts = _plain(column).split()
    for field in ("email", "phone", "timezone"):  # `contact phone`, `адрес электронной почты`
        if _WORDS[field] & set(parts):
            return field
    if {"электронной", "почты"} & set(parts):
        return "email"
    return "name" if {"name", "имя", "фио"} & set(parts) and len(parts) <= 2 else None


def _plain(column: str) -> str:
    return " ".join(
        re.sub(r"[\s_:*№#()\-]+", " ", column.replace("e-mail", "email").replace("E-mail", "email"))
        .casefold()
        .split()
    )


def is_header(cells: Sequence[str], following: Sequence[Sequence[str]]) -> bool:
    """Returns whether the row is a header: no address in it, and a known header word, or addresses below."""
    if any(looks_like(cell.strip()) for cell in cells):
        return False
    if any(role_of(cell) for cell in cells if cell.strip()):
        return True
    return any(looks_like(cell.strip()) for row in following for cell in row)


_TITLES = 10  # rows that may be above a header
_DATE = re.compile(r"[0-9]{1,4}([./-])[0-9]{1,2}\1[0-9]{1,4}")  # a date can look like a phone


def header_of(rows: Sequence[tuple[int, Cells]], options: Options) -> int | None:
    """Returns the index of the header among the first rows, or None if there is none.

    A header may be below titles (the name of the report, a date): rows with less than half of its cells filled.
    Raises Unreadable if the owner named a row that does not exist.
    """
    if options.header_row is not None:
        for index, (line, _) in enumerate(rows):
            if line == options.header_row:
                return index
        raise Unreadable(
            f"There is no row {options.header_row} with the names of the columns near the beginning of the list."
        )
    if options.header is False:
        return None
    filled = [sum(bool(cell.strip()) for cell in cells) for _, cells in rows]
    for index, (_, cells) in enumerate(rows[:_TITLES]):
        if any(looks_like(cell.strip()) and not _DATE.fullmatch(cell.strip()) for cell in cells):
            break
        has_names = any(role_of(cell) for cell in cells if cell.strip())
        if has_names and filled[index] > 1 and all(above * 2 <= filled[index] for above in filled[:index]):
            return index
    return 0 if options.header or is_header(rows[0][1], [cells for _, cells in rows[1:]]) else None


def unique_names(cells: Sequence[str]) -> list[str]:
    """Returns the headers as unique, non-empty names."""
    names: list[str] = []
    taken: set[str] = set()
    for index, cell in enumerate(cells, 1):
        base = " ".join(cell.split())[:128] or f"column{index}"
        name, number = base, 2
        while name.casefold() in taken:
            name, number = f"{base} {number}", number + 1
        taken.add(name.casefold())
        names.append(name)
    return names


def variables(columns: Sequence[str], kind: Kind) -> dict[str, str]:
    """Maps variable names to columns: `Order No.` becomes `{{ Order_No }}`."""
    by_name: dict[str, str] = {}
    taken = {"name", "timezone", *CHOICE[: CHOICE.index(kind) + 1]}
    for column in columns:
        base = variable(column)
        name, number = base, 2
        while name in by_name or name in taken:
            name, number = f"{base}_{number}", number + 1
        by_name[name] = column
    return by_name


def variable(column: str) -> str:
    """Returns a name that Liquid accepts: letters of any script, digits, underscores."""
    name = re.sub(r"\W+", "_", column).strip("_")[:64]
    return f"_{name}" if not name or name[0].isdigit() else name


def listed(columns: Sequence[str]) -> str:
    """Returns the columns as a sentence names them."""
    names = ", ".join(repr(column[:64]) for column in columns[:10])
    return names + (f" and {len(columns) - 10} more" if len(columns) > 10 else "")


def no_address(columns: Sequence[str]) -> Unreadable:
    """Returns the error for a list without a column of addresses."""
    return Unreadable(
        f"No column looks like phone numbers or emails; the list has: {listed(columns)}."
        ' Name the column in mapping, for example {"phone": '
        f'"{columns[0][:64] if columns else "column1"}"'
        "}."
    )


def checked(mapping: Mapping[str, str]) -> str | None:
    """Returns the error of a mapping before any list is read, or None."""
    if _kind(mapping) is None:
        return "must name the column of addresses: phone, email or address"
    for name in mapping:
        if variable(name) != name:
            return f"{name[:64]!r} is not a name for a variable; use letters, digits and _"
    return None
