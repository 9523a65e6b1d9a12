"""The cases of quotes, as tests/doors/case.py describes them."""

from tests.doors.case import SMS, Case, Rest

CASES: dict[str, Case] = {
    "quotes.get": Case(
        "own",
        Rest("POST", "/messages/quote", SMS),
        "query($input:QuoteMessage!){quote(input:$input)"
        "{to currency price segments amount country pricePrefix priceVersionId}}",
        {"input": SMS},
    ),
}
