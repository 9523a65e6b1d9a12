"""The cases of common, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "common.countries": Case("public", Rest("GET", "/common/countries"), "{countries{code}}"),
    "common.timezones": Case("public", Rest("GET", "/common/timezones"), "{timezones}"),
    "common.currencies": Case("public", Rest("GET", "/common/currencies"), "{currencies{code}}"),
}  # fmt: skip
