"""Checks whether the configured messenger drivers can run on this machine."""

from importlib.metadata import PackageNotFoundError, version

from core.installation import advice_sentence
from core.settings import Settings
from messengers.whatsapp.binding import missing
from postern.doctor.findings import Findings


def drivers(findings: Findings, settings: Settings) -> None:
    """Checks the WhatsApp driver's library."""
    if "whatsapp" not in settings.whatsapp_driver:
        return
    if (what := missing()) is not None:
        then = "Accounts of this driver can't be started here until then."
        findings.bad("whatsapp", what, f"{advice_sentence('whatsapp')} {then}")
        return
    try:
        have = version("neonize")
    except PackageNotFoundError:  # it can be imported, but was not installed as a package
        have = "of an unknown version"
    findings.good("whatsapp", f"neonize {have} and libmagic are there")
