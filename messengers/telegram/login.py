"""The login of an account: a code sent to its phone, or a QR; then the cloud password, if it has one."""

import asyncio
import base64
import contextlib
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from telethon import errors
from telethon import password as srp
from telethon.tl import functions, types

from messengers.port import (
    Change,
    CodeInvalid,
    MessengerError,
    PasswordInvalid,
    Throttled,
    Unreachable,
    WrongStep,
)
from messengers.telegram.client import Client
from messengers.telegram.errors import Ended, Moved, code_of, ended, not_before, sentence_of
from shapes.messenger_accounts import AccountState

EARLY = 5.0  # how many seconds before a QR expires a new one is requested
SHORTEST, LONGEST = 0.5, 60.0  # bounds on the seconds that a QR is shown

Report = Callable[[Change], Awaitable[None]]

_SENT = {
    types.auth.SentCodeTypeApp: "in the Telegram app",
    types.auth.SentCodeTypeSms: "by SMS",
    types.auth.SentCodeTypeCall: "by a call",
    types.auth.SentCodeTypeFlashCall: "by a call",
    types.auth.SentCodeTypeMissedCall: "by a missed call: its last digits",
    types.auth.SentCodeTypeFragmentSms: "on fragment.com",
    types.auth.SentCodeTypeEmailCode: "by email",
}


class Login:
    """The login of one account. It outlives connections: a code that was sent stays valid for the next one."""

    def __init__(self, phone: str | None, api_id: int, api_hash: str, report: Report) -> None:
        self._phone = f"+{phone.lstrip('+')}" if phone else None
        self._api = (api_id, api_hash)
        self._report = report
        self._hash: str | None = None  # phone_code_hash of the code that was sent
        self._where = ""
        self._password = False  # the cloud password is needed now
        self._moved: bytes | None = None  # a token to import in the data center that Telegram named
        self._client: Client | None = None
        self._step: AccountState | None = None
        self._lock = asyncio.Lock()
        self._progress = asyncio.Event()  # set when a QR was scanned or a call has made progress
        self._user: Any = None
        self._end: Ended | None = None

    def scanned(self) -> None:
        """Wakes `run`: a QR was scanned."""
        self._progress.set()

    async def run(self, client: Client) -> Any:
        """Runs the login. Returns the user. Raises Ended, Moved, OSError, RPCError."""
        self._client = client
        try:
            while True:
                self._progress.clear()
                if self._end is not None:
                    raise self._end
                if self._user is not None:
                    return self._user
                if self._password:
                    reason = "The account has a cloud password."
                    await self._show(Change(AccountState.waitPassword, reason=reason))
                    await self._progress.wait()
                elif self._phone is not None:
                    await self._by_code(client)
                else:
                    await self._by_qr(client)
        finally:
            self._client = self._step = None

    async def _show(self, change: Change) -> None:
        self._step = change.state
        await self._report(change)

    async def _by_code(self, client: Client) -> None:
        if self._hash is None:
            await self._send_code(client)
        reason = f"Telegram has sent a code {self._where}.".replace(" .", ".")
        await self._show(Change(AccountState.waitCode, reason=reason))
        await self._progress.wait()

    async def _send_code(self, client: Client) -> None:
        request = functions.auth.SendCodeRequest(self._phone, *self._api, types.CodeSettings())
        sent = await client(request)
        if isinstance(sent, types.auth.SentCodeSuccess):
            self._entered(sent.authorization)
            return
        kind = getattr(sent, "type", None)
        if isinstance(kind, types.auth.SentCodeTypeSetUpEmailRequired) or not getattr(
            sent, "phone_code_hash", ""
        ):
            reason = (
                "Telegram requires a step that only its app supports. Log in with the app first, or use a QR"
                " code."
            )
            raise Ended(AccountState.failed, "code_not_sent", reason)
        self._hash = sent.phone_code_hash
        self._where = _SENT.get(type(kind), "")

    async def code(self, code: str) -> None:
        """Submits a code. Raises WrongStep, CodeInvalid, Throttled, Unreachable."""
        async with self._lock:
            client = self._at(AccountState.waitCode)
            request = functions.auth.SignInRequest(self._phone, self._hash, code.strip())
            try:
                result = await client(request)
            except errors.SessionPasswordNeededError:
                self._password = True
            except errors.PhoneCodeExpiredError:
                self._hash = None
                self._progress.set()
                reason = "The code has expired; Telegram sends a new one."
                raise CodeInvalid(reason, code="code_expired") from None
            except (errors.PhoneCodeInvalidError, errors.PhoneCodeEmptyError, errors.PhoneCodeHashEmptyError):
                raise CodeInvalid(
                    "This is not the code that Telegram sent. Check it and try again."
                ) from None
            except Exception as error:
                raise self._failed(error, CodeInvalid) from error
            else:
                self._entered(result)
            self._further()

    async def password(self, password: str) -> None:
        """Submits the cloud password. Raises WrongStep, PasswordInvalid, Throttled, Unreachable."""
        async with self._lock:
            client = self._at(AccountState.waitPassword)
            try:
                asked = await client(functions.account.GetPasswordRequest())
                # A hundred thousand rounds of PBKDF2 would block the event loop.
                proof = await asyncio.to_thread(srp.compute_check, asked, password)
                self._entered(await client(functions.auth.CheckPasswordRequest(proof)))
            except errors.PasswordHashInvalidError:
                raise PasswordInvalid(
                    "This is not the account's cloud password. Check it and try again."
                ) from None
            except ValueError:  # the server's SRP parameters are not secure
                raise Unreachable(
                    "Telegram asked for the password in an insecure way, so it was not sent. Try again later."
                ) from None
            except Exception as error:
                raise self._failed(error, PasswordInvalid) from error
            self._further()

    def _at(self, step: AccountState) -> Client:
        if self._step != step or self._client is None:
            what = "code" if step == AccountState.waitCode else "password"
            raise WrongStep(f"The account is not waiting for a {what}.")
        return self._client

    def _entered(self, result: Any) -> None:
        if isinstance(result, types.auth.AuthorizationSignUpRequired):
            self._end = ended(errors.PhoneNumberUnoccupiedError(request=None))
        else:
            self._user = result.user

    def _further(self) -> None:
        """Wakes `run`. Raises CodeInvalid if Telegram's answer ends the login although the code was right."""
        self._step = None
        self._progress.set()
        if self._end is not None:
            raise CodeInvalid(self._end.reason, code=self._end.code)

    def _failed(self, error: Exception, wrong: type[CodeInvalid]) -> MessengerError:
        if isinstance(error, MessengerError):
            return error
        if (until := not_before(error)) is not None:
            return Throttled(
                "Telegram requires a pause before the next attempt. Wait, then try again.", until=until
            )
        if (end := ended(error)) is not None:
            self._end = end
            self._progress.set()
            return wrong(end.reason, code=end.code)
        if isinstance(error, errors.RPCError) and not isinstance(
            error, errors.ServerError | errors.TimedOutError
        ):
            return wrong(sentence_of(error), code=code_of(error))
        return Unreachable("Telegram can't be reached. Try again in a moment.")

    async def _by_qr(self, client: Client) -> None:
        """Shows tokens until one was scanned."""
        try:
            answer = await self._token(client)
        except errors.SessionPasswordNeededError:
            self._password = True
            return
        except (
            errors.AuthTokenExpiredError,
            errors.AuthTokenInvalidError,
            errors.AuthTokenAlreadyAcceptedError,
        ):
            return
        if isinstance(answer, types.auth.LoginTokenMigrateTo):
            self._moved = answer.token
            dc = await client._get_dc(answer.dc_id)  # noqa: SLF001  Client overrides it
            raise Moved(dc.id, dc.ip_address, dc.port)
        if isinstance(answer, types.auth.LoginTokenSuccess):
            self._entered(answer.authorization)
            return
        ahead = timedelta(seconds=client.offset)
        expires = answer.expires - ahead
        token = base64.urlsafe_b64encode(answer.token).decode().rstrip("=")
        url = f"tg://login?token={token}"
        await self._show(Change(AccountState.waitQr, value=url, expires_at=expires))
        left = (expires - datetime.now(UTC)).total_seconds()
        # Telegram may return the same token until it has expired; then it is requested again.
        pause = left - EARLY if left > EARLY + 1 else left
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(max(pause, SHORTEST), LONGEST)):
                await self._progress.wait()

    async def _token(self, client: Client) -> Any:
        if self._moved is not None:
            token, self._moved = self._moved, None
            return await client(functions.auth.ImportLoginTokenRequest(token))
        return await client(functions.auth.ExportLoginTokenRequest(*self._api, except_ids=[]))
