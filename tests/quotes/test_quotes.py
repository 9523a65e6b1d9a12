"""The price of a message, before it is sent and when it is."""

import random
from decimal import Decimal
from uuid import UUID

from engine.sms.price_books import PriceBook, price_of
from tests.price_lists.support import add_version, make_list, price_by, quoted

QUOTE = """query($input: QuoteMessage!) { quote(input: $input) {
  to currency price segments amount country pricePrefix priceVersionId } }"""
SENT = "query($id: ID!) { message(id: $id) { price segments pricePrefix priceVersionId } }"


async def test_the_longest_prefix_gives_the_price_and_stands_on_the_message(admin, ada):
    id = await make_list(admin)
    version = await add_version(admin, id, {"49": 0.07, "4917": 0.081, "1": 0.0079, "8821": 2})
    await price_by(admin, ada, id)
    long = "x" * 200  # two parts
    quote = await quoted(ada, "+49 171 2345678", body=long)
    assert quote == {
        "to": "+491712345678",
        "currency": "USD",
        "price": 0.081,
        "segments": 2,
        "amount": 0.162,
        "country": "DE",
        "pricePrefix": "4917",
        "priceVersionId": version["versionId"],
    }
    assert (await ada.data(QUOTE, {"input": {"to": "+491712345678", "channel": "sms", "body": long}}))[
        "quote"
    ] == quote
    before = (await ada.rest("GET", f"/accounts/{ada.account_id}/balance")).json()["balance"]
    sent = await ada.rest("POST", "/messages", json={"to": "+491712345678", "channel": "sms", "body": long})
    assert sent.status_code == 202, sent.text
    message = (await ada.data(SENT, {"id": sent.json()["id"]}))["message"]
    assert message == {
        "price": 0.162,
        "segments": 2,
        "pricePrefix": "4917",
        "priceVersionId": version["versionId"],
    }
    after = (await ada.rest("GET", f"/accounts/{ada.account_id}/balance")).json()["balance"]
    assert round(before - after, 6) == 0.162
    assert (await quoted(ada, "+88216123456"))["country"] == "001"


async def test_without_a_row_the_tariff_s_price_holds_or_a_strict_list_refuses(admin, ada):
    id = await make_list(admin)
    await add_version(admin, id, {"49": 0.07})
    await price_by(admin, ada, id)
    quote = await quoted(ada, "+33612345678")
    assert (quote["price"], quote["pricePrefix"], quote["priceVersionId"]) == (0.01, None, None)
    assert (await admin.rest("PATCH", f"/price-lists/{id}", json={"strict": True})).is_success
    assert (await quoted(ada, "+33612345678"))["code"] == "no_price"
    refused = await ada.rest(
        "POST", "/messages", json={"to": "+33612345678", "channel": "sms", "body": "Hello"}
    )
    assert (refused.status_code, refused.json()["code"]) == (400, "no_price")
    email = await ada.rest(
        "POST", "/messages", json={"to": "a@example.com", "channel": "email", "body": "Hi"}
    )
    assert email.status_code == 202  # the list has no prices of emails


async def test_a_strict_list_without_a_version_that_holds_refuses_sms(admin, ada):
    id = await make_list(admin, strict=True)
    await price_by(admin, ada, id)
    assert (await quoted(ada, "+4930123456"))["code"] == "no_price"
    rows = [{"prefix": "49", "price": 0.01, "channel": "whatsapp"}]
    assert (await admin.rest("POST", f"/price-lists/{id}/versions", json={"prices": rows})).is_success
    assert (await quoted(ada, "+4930123456"))["code"] == "no_price"


async def test_accounts_in_another_currency_pay_the_tariff_s_price(admin, ada):
    id = await make_list(admin, currency="GBP")
    await add_version(admin, id, {"49": 0.07})
    await price_by(admin, ada, id)
    assert (await quoted(ada, "+4930123456"))["price"] == 0.01


async def test_a_quote_refuses_what_sending_refuses(ada):
    assert (await quoted(ada, "12"))["code"] == "invalid_recipient"
    unknown = await quoted(ada, "+4930123456", accountId="019a9f6e-7c00-7000-8000-5f3a1c2b4d6e")
    assert unknown["code"] == "account_not_found"


def test_the_price_agrees_with_a_slow_reference():
    draw = random.Random(30)
    for _ in range(200):
        prices = {
            "".join(draw.choice("123") for _ in range(draw.randint(1, 6))): draw.randint(0, 500) / 1000
            for _ in range(draw.randint(1, 40))
        }
        book = PriceBook(UUID(int=1), {"sms": {key: Decimal(str(value)) for key, value in prices.items()}})
        means = {"prices": {"USD": {"sms": 0.5}}, "currency": "USD", "price_list_strict": draw.random() < 0.5}
        for _ in range(50):
            number = "+" + "".join(draw.choice("1234") for _ in range(draw.randint(1, 9)))
            matching = [prefix for prefix in prices if number[1:].startswith(prefix)]
            price = price_of(means, "sms", number, book)
            if matching:
                longest = max(matching, key=len)
                assert price is not None
                assert (price.amount, price.prefix) == (Decimal(str(prices[longest])), longest)
            elif means["price_list_strict"]:
                assert price is None
            else:
                assert price == (Decimal("0.5"), None, None)
