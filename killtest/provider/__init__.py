"""The provider: three protocols, one recorder that decides about each attempt and remembers it."""

from killtest.provider.http import HttpProvider
from killtest.provider.recorder import Attempt, Decision, Recorder
from killtest.provider.smpp import SmppProvider
from killtest.provider.smtp import SmtpProvider

PROVIDERS = {"smtp": SmtpProvider, "smpp": SmppProvider, "http": HttpProvider}

__all__ = ["PROVIDERS", "Attempt", "Decision", "HttpProvider", "Recorder", "SmppProvider", "SmtpProvider"]
