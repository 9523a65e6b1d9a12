"""The cases of invoices of providers."""

from tests.doors.case import UNKNOWN, Case, Rest

_ID = {"id": UNKNOWN}
_NONE = "provider_invoice_not_found"
_NEW = {
    "route": "sandbox",
    "fileUuid": UNKNOWN,
    "periodFrom": "2026-11-01T00:00:00Z",
    "periodTo": "2026-12-01T00:00:00Z",
}

CASES: dict[str, Case] = {
    "provider_invoices.page": Case(
        "admin",
        Rest("GET", "/provider-invoices"),
        "{providerInvoices{nodes{uuid route status sums{verdict count billed}}}}",
    ),
    "provider_invoices.get": Case(
        "admin",
        Rest("GET", f"/provider-invoices/{UNKNOWN}", status=404),
        "query($id:ID!){providerInvoice(id:$id){uuid route}}",
        _ID,
        owner=_NONE,
    ),
    "provider_invoices.create": Case(
        "admin",
        Rest("POST", "/provider-invoices", _NEW, 404),
        "mutation($input:NewProviderInvoice!){createProviderInvoice(input:$input){uuid}}",
        {"input": _NEW},
        owner="file_not_found",
    ),
    "provider_invoices.delete": Case(
        "admin",
        Rest("DELETE", f"/provider-invoices/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteProviderInvoice(id:$id)}",
        _ID,
        owner=_NONE,
    ),
}
