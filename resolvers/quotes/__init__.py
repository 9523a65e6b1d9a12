"""Quotes: the price of a message before it is sent, by the function that charges it."""

from channels.sms_text import segments
from engine.direct.new_messages import priced
from engine.sms import country_rules
from engine.sms.countries import country_of
from engine.sms.price_books import price_books
from resolvers.messages import admission
from resolvers.recipient_addresses import normalise
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.messages import MessageChannel
from shapes.quotes import Quote, QuoteMessage


@operation(Permission.tariffs_read, "read")
async def get(op: Op, input: QuoteMessage) -> Quote:
    """Returns what a message would cost if it were sent now, with the prefix that gives the price. Nothing is sent.
    Raises NotFound (account), Forbidden (a channel that the tariff lacks), BadRequest (bad recipient, `no_price`,
    `country_not_allowed`), Unavailable.
    """
    payer = await admission.paying(op, input.account_id)
    to = normalise(input.channel, input.to, op.services.settings.default_region, op.services.guard)
    country_rules.counted(payer, input.channel.value, to)  # raises what sending would
    channel = input.channel.value
    price = priced(payer, channel, to, await price_books(op.services).of(payer.price_version_id, channel))
    sms = input.channel is MessageChannel.sms
    parts = segments(input.body) if sms and input.body else 1
    return Quote(
        to=to,
        currency=payer.currency,
        price=price.amount,
        segments=parts,
        amount=price.amount * parts,
        country=country_of(to) if sms else None,
        price_prefix=price.prefix,
        price_version_id=price.version_id,
    )
