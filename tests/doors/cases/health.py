"""The cases of health, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "health.live": Case("public", Rest("GET", "/health"), "{health{status}}"),
    "health.ready": Case("public", Rest("GET", "/health/v2"), "{readiness{status info error details}}"),
}  # fmt: skip
