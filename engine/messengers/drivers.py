"""The drivers, and which of them the operator has enabled.

A driver's module is imported when the first account needs it: API processes must not load Telethon or neonize.
"""

import importlib
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import structlog

from core.errors import BadRequest, Unavailable
from core.installation import EXTRAS, advice
from core.settings import Settings
from messengers.port import Driver
from shapes.messenger_accounts import MessengerDriver, MessengerSource

log = structlog.get_logger("postern.messengers")


class Registered(NamedTuple):
    """A driver's module, its usual name, and the things that people need for an account of it.

    The module has `driver(settings) -> Driver`, which raises ValueError with a sentence where it is not configured.
    """

    module: str
    label: str
    about: str


REGISTERED: Final = MappingProxyType(
    {
        MessengerDriver.sandbox: Registered(
            "messengers.sandbox",
            "Sandbox: nothing leaves the service",
            "A simulated messenger to try things out. A simulated person scans the QR code; nothing leaves the "
            "service.",
        ),
        MessengerDriver.telegram: Registered(
            "messengers.telegram",
            "Telegram, as a linked device",
            "Your own account, as one more device of it. You need the phone of the account.",
        ),
        MessengerDriver.whatsapp: Registered(
            "messengers.whatsapp",
            "WhatsApp, as a linked device",
            "Your own account, as a linked device. WhatsApp may ban numbers for this: use one that you can afford to "
            "lose.",
        ),
        MessengerDriver.whatsapp_cloud: Registered(
            "messengers.whatsapp_cloud",
            "WhatsApp Cloud API",
            "Meta's official API, for businesses. You need an app at developers.facebook.com; no phone is needed.",
        ),
    }
)

SOURCES: Final = MappingProxyType(
    {
        MessengerSource.telegram: (MessengerDriver.telegram, MessengerDriver.sandbox),
        MessengerSource.whatsapp: (
            MessengerDriver.whatsapp,
            MessengerDriver.whatsapp_cloud,
            MessengerDriver.sandbox,
        ),
    }
)


class Drivers:
    """The drivers of one process. Asking which are enabled imports none of them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._drivers: dict[MessengerDriver, Driver] = {}

    def enabled(self, source: MessengerSource) -> tuple[MessengerDriver, ...]:
        """Returns the enabled drivers of a source, the default first."""
        names = {
            MessengerSource.telegram: self._settings.telegram_driver,
            MessengerSource.whatsapp: self._settings.whatsapp_driver,
        }[source]
        if names:
            return tuple(MessengerDriver(name) for name in names)
        if source is MessengerSource.whatsapp:  # Meta's API needs no settings of the operator
            return MessengerDriver.sandbox, MessengerDriver.whatsapp_cloud
        if getattr(self._settings, "telegram_api_id", None):
            return (MessengerDriver.telegram,)
        return (MessengerDriver.sandbox,)

    def default(self, source: MessengerSource) -> MessengerDriver:
        """Returns the default driver of a source."""
        return self.enabled(source)[0]

    def choose(self, source: MessengerSource, name: MessengerDriver | None = None) -> MessengerDriver:
        """Returns the driver of a new account. Raises BadRequest (`driver_not_enabled`) for one that is not enabled."""
        enabled = self.enabled(source)
        if name is None:
            return enabled[0]
        if name not in enabled:
            raise BadRequest(
                f"The driver {name.value} is not enabled for {source.value}; enabled are:"
                f" {', '.join(driver.value for driver in enabled)}. Use one of them, or ask the operator to set"
                f" POSTERN_{source.value.upper()}_DRIVER.",
                code="driver_not_enabled",
                details={"enabled": [driver.value for driver in enabled]},
            )
        return name

    def get(self, name: str) -> Driver:
        """Returns the driver, made at the first call. Raises Unavailable (`driver_not_configured`)."""
        driver_name = MessengerDriver(name)
        if (existing := self._drivers.get(driver_name)) is not None:
            return existing
        try:
            module: Any = importlib.import_module(REGISTERED[driver_name].module)
            driver: Driver = module.driver(self._settings)
        except (ImportError, ValueError) as error:
            reason = str(error)
            if isinstance(error, ImportError) and driver_name.value in EXTRAS:
                reason = f"{reason}: {advice(driver_name.value)}"
            log.warning("a messenger driver can't be used", driver=driver_name.value, error=reason[:300])
            raise Unavailable(
                f"The driver {driver_name.value} is not configured on this server. Ask the operator to run `postern"
                " doctor`.",
                code="driver_not_configured",
            ) from error
        self._drivers[driver_name] = driver
        return driver

    async def close(self) -> None:
        """Closes the drivers. Their connections were closed before."""
        for name, driver in self._drivers.items():
            try:
                await driver.close()
            except Exception:  # the other drivers must still be closed
                log.exception("a messenger driver could not be closed", driver=name.value)
        self._drivers.clear()
