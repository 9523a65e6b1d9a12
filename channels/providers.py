"""The providers that can be set up from a form: each driver describes its own."""

from channels import post, twilio
from channels.provider_fields import Part, Provider, ProviderField
from channels.smpp import providers as smpp
from channels.smtp import providers as smtp

PROVIDERS: dict[str, Provider] = {
    each.name: each for each in (*smtp.PROVIDERS, *twilio.PROVIDERS, *smpp.PROVIDERS, *post.PROVIDERS)
}

__all__ = ["PROVIDERS", "Part", "Provider", "ProviderField"]
