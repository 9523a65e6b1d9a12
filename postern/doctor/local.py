"""Checks that need no network: settings, keys, files, the disk."""

import difflib
import ipaddress
import os
import re
import shutil
import ssl
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from dotenv import dotenv_values
from packaging.requirements import Requirement

from channels import BadDsn, parse_list
from core.database_options import BadSettings
from core.http.allowlist import AllowlistFile, AllowlistMode, AllowlistUnusable
from core.installation import CHECKOUT, ROOT, advice_sentence, missing
from core.outbound import Guard, UrlRefused
from core.private_files import OTHERS
from core.settings import Settings
from core.tokens import AccessTokens
from postern.doctor import smtpd
from postern.doctor.findings import HOW_TO_MAKE_A_KEY, Findings, why
from runtime.origins import is_loopback

LITTLE_DISK, SCARCE_DISK = 2 * 2**30, 512 * 2**20
SHARE = Path(sys.prefix, "share", "postern")  # where a wheel puts its data files
_LOCK = "requirements.lock"
METADATA = ipaddress.ip_address("169.254.169.254")  # where clouds give machines their credentials


def _variables() -> dict[str, tuple[str, Any]]:
    """Returns the environment variable of every setting, with the name and definition of its field."""
    return {
        str(field.validation_alias or f"POSTERN_{name.upper()}"): (name, field)
        for name, field in Settings.model_fields.items()
    }


def names(findings: Findings) -> None:
    """Reports variables with an unknown name. A start ignores them, so a misspelt one is found only here."""
    variables = set(_variables())
    for name in sorted(name.upper() for name in {*os.environ, *dotenv_values(".env")}):
        if name.startswith("POSTERN_") and name not in variables and not name.startswith("POSTERN_TEST_"):
            close_matches = difflib.get_close_matches(name, variables, 1)
            meant = f"Did you mean {close_matches[0]}? " if close_matches else ""
            findings.note(
                "settings",
                f"{name} is set, but there is no such setting",
                f"{meant}docs/configuration.md lists all settings.",
            )


def own_servers(findings: Findings, settings: Settings) -> None:
    """Checks that the settings are complete, if DB_STRING is set."""
    if not settings.embedded:
        try:
            settings.require_own_servers()
        except BadSettings as error:
            findings.bad(
                "settings", str(error).partition(". ")[0], f"Set them; a key is made by: {HOW_TO_MAKE_A_KEY}"
            )


def database_file(findings: Findings, settings: Settings) -> bool:
    """Checks database.toml. Returns whether it can be used."""
    path = settings.database_file
    try:
        options = settings.database
        if options.tls_ca_file is not None:
            ssl.create_default_context(cafile=str(options.tls_ca_file))
    except (BadSettings, OSError) as error:
        findings.bad(path.name, str(error), "Correct the file; database.toml.example shows every option.")
        return False
    findings.good(path.name, "read" if path.exists() else "not there, so the defaults hold")
    return True


def packages(findings: Findings) -> None:
    """Compares the installed packages with requirements.lock, the versions that were tested together."""
    lock = next((path for path in (ROOT / _LOCK, SHARE / _LOCK) if path.is_file()), None)
    if lock is None:
        findings.good("packages", f"installed without {_LOCK}, so their versions are not compared")
        return
    lines = re.findall(r"^([A-Za-z0-9][^\\\n]*==[^\\\n]*)", lock.read_text(), re.MULTILINE)
    wrong: list[str] = []
    compared = 0
    for requirement in map(Requirement, lines):
        if requirement.marker is None or requirement.marker.evaluate():
            try:
                have = version(requirement.name)
            except PackageNotFoundError:
                if not CHECKOUT:  # a package of an extra that was not chosen
                    continue
                have = "missing"
            compared += 1
            if have == "missing" or not requirement.specifier.contains(have, prereleases=True):
                wrong.append(f"{requirement.name} {have}")
    if wrong:
        sample = ", ".join(wrong[:5]) + (" …" if len(wrong) > 5 else "")
        again = "Run: make setup" if CHECKOUT else f"Run: pip install --require-hashes --no-deps -r {lock}"
        findings.note("packages", f"{len(wrong)} are not as in {_LOCK}: {sample}", again)
    else:
        findings.good("packages", f"{compared} as in {_LOCK}")


def extras(findings: Findings, settings: Settings) -> None:
    """Checks whether the optional packages that these settings need are installed."""
    telegram = settings.telegram_driver or (["telegram"] if settings.telegram_api_id else [])
    for extra, needed in (("ai", settings.ai_url), ("telegram", "telegram" in telegram)):
        if needed and (package := missing(extra)):
            findings.bad("packages", f"{package} is not installed", advice_sentence(extra))


def keys(findings: Findings, settings: Settings) -> None:
    """Checks the strength of the keys, and who can read their files."""
    if settings.embedded:
        path = settings.data_dir / "secrets.json"
        if path.exists() and path.stat().st_mode & 0o077:
            findings.bad("keys", f"{path} can be read by others", f"Run: chmod 600 {path}")
        else:
            findings.good("keys", f"kept in {path}" if path.exists() else "will be made at the first start")
        return
    before = findings.problems
    configured = {"POSTERN_SECRET_KEY": settings.secret_key, "POSTERN_JWT_KEY": settings.jwt_key}
    keys = {name: key.get_secret_value() for name, key in configured.items() if key}
    for name, key in keys.items():
        if len(set(key)) < 12:
            findings.bad(
                "keys", f"{name} has hardly any different characters", f"Make one: {HOW_TO_MAKE_A_KEY}"
            )
    if len(keys) == 2 and len(set(keys.values())) == 1:
        findings.note("keys", "POSTERN_SECRET_KEY and POSTERN_JWT_KEY are the same", "Give each its own.")
    if settings.jwt_key_file is not None:
        try:
            AccessTokens(settings)
        except BadSettings as error:
            findings.bad(
                "keys", str(error), "Make one: openssl ecparam -name prime256v1 -genkey -noout -out FILE"
            )
        else:
            if settings.jwt_key_file.stat().st_mode & 0o044:
                findings.note(
                    "keys", f"{settings.jwt_key_file} can be read by others", "Make it chmod 600 or 640."
                )
    if keys and findings.problems == before:
        findings.good("keys", "long enough")


def addresses(findings: Findings, settings: Settings) -> None:
    """Checks proxies, outbound networks, the public URL and the metrics token."""
    if settings.trusted_proxies:
        findings.good("proxies", f"x-real-ip counts from {', '.join(settings.trusted_proxies)}")
    try:
        guard = Guard(settings.outbound_allow)
    except ValueError as error:
        findings.bad("outbound", f"POSTERN_OUTBOUND_ALLOW: {error}", "Correct the list.")
    else:
        try:
            guard.judge(METADATA)
        except UrlRefused:
            also = (
                f"public addresses, and {', '.join(settings.outbound_allow)}"
                if settings.outbound_allow
                else ""
            )
            findings.good("outbound", f"users' URLs may reach {also or 'public addresses alone'}")
        else:
            findings.note(
                "outbound",
                f"users' URLs may reach {METADATA}, a cloud's metadata server",
                "Allow only the networks that are meant in POSTERN_OUTBOUND_ALLOW.",
            )
    public = settings.public_url
    if public is None and any(dsn.startswith("twilio://") for dsn in _dsns(settings.channel_sms)):
        findings.note(
            "public URL",
            "POSTERN_PUBLIC_URL is not set, so Twilio's callbacks are refused (503)",
            "Set it to the public address of this service; Twilio's signature covers it.",
        )
    if public is None and sends_real_mail(settings):
        without_public_url(findings)
    if public is not None and (
        urlsplit(public).scheme not in ("http", "https") or not urlsplit(public).netloc
    ):
        findings.bad(
            "public URL", "POSTERN_PUBLIC_URL is not a URL", "Write it like https://postern.example.com"
        )
    if settings.metrics_token is not None and len(settings.metrics_token.get_secret_value()) < 16:
        findings.note(
            "metrics", "POSTERN_METRICS_TOKEN is short enough to be guessed", f"Make one: {HOW_TO_MAKE_A_KEY}"
        )

    smtpd.certificate(findings, settings)


def sends_real_mail(settings: Settings) -> bool:
    """Returns whether the settings have a way by which emails leave."""
    return any(not dsn.startswith("sandbox:") for dsn in _dsns(settings.channel_email))


def without_public_url(findings: Findings) -> None:
    """Reports that emails leave, and that their links have no address."""
    findings.note(
        "public URL",
        "POSTERN_PUBLIC_URL is not set, so promotional email projects don't start (409 public_url_missing)",
        "Set it to the public address of this service; the unsubscribe links of the emails use it.",
    )


def _dsns(text: str) -> list[str]:
    """Returns the DSNs of a setting; none if they can't be read, which the check of the channels reports."""
    try:
        return list(parse_list(text))
    except BadDsn:
        return []


def allowlist(findings: Findings, settings: Settings) -> None:
    """Checks the file of the IP allowlist."""
    try:
        file = AllowlistFile.of(settings)
    except AllowlistUnusable as error:
        findings.bad("allowlist", str(error), "Postern refuses to start until then.")
        return
    _allowlist(findings, settings, file, "Correct the file; until then the list in use is empty.")


def allowlist_in_use(findings: Findings, settings: Settings, file: AllowlistFile) -> None:
    """Checks the IP allowlist of a process that serves."""
    in_use = f"the last valid list with {file.entries} entries" if file.loaded_at else "an empty list"
    _allowlist(findings, settings, file, f"Correct the file; until then {in_use} is in use.")


def _allowlist(findings: Findings, settings: Settings, file: AllowlistFile, advice: str) -> None:
    path, mode = file.path, file.mode
    if file.error is not None:
        findings.bad("allowlist", file.error, advice)
    elif file.absent:
        findings.good(
            "allowlist", f"not in use: {path} is not there, and IP_ALLOWLIST_FILE names no other file"
        )
    elif file.loaded_at is None:
        findings.note(
            "allowlist",
            f"{path} is not there, and IP_ALLOWLIST_MODE is Off",
            "Every request passes and is logged as would-block. Write the file before you set Enforce.",
        )
    else:
        findings.good("allowlist", f"{path}: {file.entries} entries, mode {mode.value}")
    if mode is AllowlistMode.Enforce and not is_loopback(settings.host):
        findings.note(
            "allowlist",
            (
                f"POSTERN_HOST is {settings.host}, and a client that reaches the port directly can set"
                " x-real-ip itself"
            ),
            "Let only the reverse proxy reach this port.",
        )


def disk(findings: Findings, settings: Settings) -> None:
    """Checks the data folder of the embedded servers: permissions and free space."""
    if not settings.embedded:
        return
    folder = settings.data_dir.absolute()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            free = shutil.disk_usage(existing).free
    except OSError as error:
        findings.bad(
            "data",
            f"{folder} can't be written ({why(error)})",
            "Set POSTERN_DATA_DIR, or let us write there.",
        )
        return
    if folder.exists() and folder.stat().st_mode & OTHERS:
        findings.bad("data", f"{folder} is open to every user of this machine", f"Run: chmod 700 {folder}")
    finding = f"{folder}: {free / 2**30:.1f} GiB free"
    if free < SCARCE_DISK:
        findings.bad("data", finding, "Make room: PostgreSQL stops when the disk is full.")
    elif free < LITTLE_DISK:
        findings.note("data", finding, "Make room soon; POSTERN_RETENTION_DAYS prunes old messages.")
    else:
        findings.good("data", finding)
