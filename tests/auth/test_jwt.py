"""Tokens that are not ours, or not any more: RFC 8725, and what python-jose lets through by itself.

Each is 401 through both doors, whatever it is, and none is a failure of ours.
"""

import base64
import hashlib
import hmac
import json
import socket
import time
from contextlib import closing
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jose import jwt

from core.database_options import BadSettings
from core.settings import Settings
from core.tokens import AccessTokens, InvalidToken
from postern.app import make_app
from tests.auth.doors import BOTH

KEY = "j" * 32  # the tests' POSTERN_JWT_KEY


def _b64(part: Any) -> str:
    raw = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _hs(header: Any, payload: Any, key: str = KEY, digest: str = "sha256") -> str:
    """A token that is rightly signed, whatever its parts say."""
    signed = f"{_b64(header)}.{_b64(payload)}"
    return f"{signed}.{_b64(hmac.new(key.encode(), signed.encode(), digest).digest())}"


OURS = {"alg": "HS256", "typ": "JWT"}


def _claims(token: str, **changes: Any) -> dict[str, Any]:
    claims = {**jwt.get_unverified_claims(token), **changes}
    return {name: value for name, value in claims.items() if value is not ...}


def _forged(good: str, recorder: str) -> dict[str, str]:
    """The attack table, by name. `...` removes a claim."""
    claims, now = _claims(good), int(time.time())
    head, body, signature = good.split(".")

    def with_claims(**changes: Any) -> str:
        return jwt.encode(_claims(good, **changes), KEY, "HS256")

    def raw(payload: str) -> str:
        return _hs(OURS, payload.encode())

    return {
        **{f"alg {alg}": f"{_b64({'alg': alg, 'typ': 'JWT'})}.{body}." for alg in ("none", "None", "nOnE", "NONE", "")},
        "alg none, signed": f"{_b64({'alg': 'none', 'typ': 'JWT'})}.{body}.{signature}",
        "alg missing": _hs({"typ": "JWT"}, claims),
        "alg null": _hs({"alg": None, "typ": "JWT"}, claims),
        "alg list": _hs({"alg": ["HS256"], "typ": "JWT"}, claims),
        "HS384": jwt.encode(claims, KEY, "HS384"),
        "HS512": jwt.encode(claims, KEY, "HS512"),
        "RS256 header over HS256": _hs({"alg": "RS256", "typ": "JWT"}, claims),
        "HS512 header over HS256": _hs({"alg": "HS512", "typ": "JWT"}, claims),
        "other key": _hs(OURS, claims, "k" * 32),
        "empty key": _hs(OURS, claims, ""),
        "no signature": f"{head}.{body}.",
        "cut signature": good[:-2],
        "changed payload": f"{head}.{_b64(_claims(good, sub=str(uuid4())))}.{signature}",
        "expired": with_claims(exp=now - 1),
        "exp missing": with_claims(exp=...),
        "exp null": with_claims(exp=None),
        "exp text": with_claims(exp=str(now + 600)),
        "exp list": raw(json.dumps(_claims(good, exp=[now + 600]))),
        "exp float": with_claims(exp=now + 600.5),
        "exp true": with_claims(exp=True),
        "exp 1e308": raw(json.dumps(_claims(good, exp=1e308))),
        "exp Infinity": raw(json.dumps(_claims(good, exp=float("inf")))),
        "exp NaN": raw(json.dumps(_claims(good, exp=float("nan")))),
        "exp of 5000 digits": raw(json.dumps(_claims(good, exp=0)).replace('"exp": 0', '"exp": ' + "9" * 3000)),
        "not yet": with_claims(nbf=now + 600),
        "from the future": with_claims(iat=now + 600),
        "iat text": with_claims(iat="yesterday"),
        **{f"{name} missing": with_claims(**{name: ...})
           for name in ("iss", "aud", "sub", "sid", "jti", "iat", "typ", "ver")},
        **{f"{name} null": raw(json.dumps(_claims(good, **{name: None})))
           for name in ("iss", "aud", "sub", "sid", "typ", "ver")},
        "other issuer": with_claims(iss="https://evil.example"),
        "issuer list": raw(json.dumps(_claims(good, iss=["postern"]))),
        "other audience": with_claims(aud="elsewhere"),
        "typ refresh": with_claims(typ="refresh"),
        "sub no uuid": with_claims(sub="' OR 1=1 --"),
        "sub number": raw(json.dumps(_claims(good, sub=1))),
        "sid of nobody": with_claims(sid=str(uuid4())),
        "sub of nobody": with_claims(sub=str(uuid4())),
        "ver text": with_claims(ver=str(claims["ver"])),
        "ver true": with_claims(ver=True),
        "ver other": with_claims(ver=claims["ver"] + 1),
        "kid path": _hs({**OURS, "kid": "../../dev/null"}, claims, ""),
        "kid sql": _hs({**OURS, "kid": "' OR 1=1 --"}, claims, "x"),
        "kid, rightly signed": _hs({**OURS, "kid": "1"}, claims),
        "jku": _hs({**OURS, "jku": recorder}, claims),
        "x5u": _hs({**OURS, "x5u": recorder}, claims),
        "jwk": _hs({**OURS, "jwk": {"kty": "oct", "k": _b64(b"k" * 32)}}, claims, "k" * 32),
        "crit": _hs({**OURS, "crit": ["exp"]}, claims),
        "b64 false": _hs({**OURS, "b64": False, "crit": ["b64"]}, claims),
        "zip": _hs({**OURS, "zip": "DEF"}, claims),
        "alg twice": _hs(b'{"alg":"none","alg":"HS256","typ":"JWT"}', claims),
        "at+jwt of another service": _hs({"alg": "HS256", "typ": "at+jwt"}, claims),
        "payload list": raw("[]"),
        "payload text": raw('"x"'),
        "payload null": raw("null"),
        "payload no json": raw("{"),
        "payload bad utf-8": _hs(OURS, b'{"sub":"\xff"}'),
        "payload nested": _hs(OURS, b"[" * 1500),
        "header nested": f"{_b64(b'[' * 1000)}.e30.AA",
        "header deep object": _b64(b'{"a":' * 1000) + ".e30.AA",
        "header list": f"{_b64([])}.{body}.{signature}",
        "header text": f"{_b64('x')}.{body}.{signature}",
        "jwe": "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA",
        "a.b.c": "a.b.c",
        "dots": "...",
        "two dots": "..",
        "five parts": f"{good}.x.y",
        "one part": head,
        "not base64": f"{head}.***.{signature}",
        "padded": f"{head}==.{body}.{signature}",
        "1 MB": "x" * 1_000_000,
        "1 MB with dots": f"{head}.{'x' * 1_000_000}.{signature}",
        "line break in base64": f"{head}.{body[:8]}\t{body[8:]}.{signature}",
    }  # fmt: skip


async def test_every_forged_token_is_401_in_both_doors(auth, client, ada):
    with closing(socket.create_server(("127.0.0.1", 0))) as recorder:
        recorder.setblocking(False)
        forged = _forged(ada.token, f"http://127.0.0.1:{recorder.getsockname()[1]}/keys")
        for name, token in forged.items():
            for door in BOTH:
                refused = await auth.call(door, "me", token=token)
                assert refused.code in ("invalid_token", "session_ended"), name
                assert door == "graphql" or refused.answer.status_code == 401, name
                assert len(refused.answer.content) < 1000
        with pytest.raises(BlockingIOError):
            recorder.accept()  # nobody asked for a key
    assert await auth.me(ada.token) is None


async def test_what_the_header_may_look_like(client, ada):
    token = ada.token.encode()
    good = [b"Bearer " + token, b"bearer " + token, b"BEARER   " + token, b"Bearer " + token + b" "]
    bad = [
        b"", b"Bearer", b"Bearer ", token, b"Basic " + token, b"Token " + token, b"Bearer:" + token,
        b"Bearer Bearer " + token, b"Bearer " + token + b" " + token, b"Bearer " + token + b"," + token,
        b"Bearer \xed\xa0\x80.\xff.\xe9", b"Bearer " + token[:-1] + b"\xe9", b"Bearer\t" + token, b"Bearer null",
        b'Bearer "' + token + b'"', b"Bearer {" + token + b"}",
    ]  # fmt: skip
    for value in good:
        assert (await client.get("/auth/me", headers={b"Authorization": value})).status_code == 200, value
    for value in [None, *bad]:
        headers = {} if value is None else {b"Authorization": value}
        answer = await client.get("/auth/me", headers=headers)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer"), value
        seen = (await client.post("/graphql", json={"query": "{ me { uuid } }"}, headers=headers)).json()
        assert seen["data"] == {"me": None}
        assert seen["errors"][0]["extensions"]["code"] in ("unauthenticated", "invalid_token"), value
    twice = [(b"Authorization", b"Bearer x"), (b"Authorization", b"Bearer " + token)]
    assert (await client.get("/auth/me", headers=twice)).status_code == 401


@pytest.mark.settings(access_token_seconds=4)  # whole seconds: it may be three and a moment
@pytest.mark.alone
async def test_a_token_dies_with_its_second_although_it_was_good_before(auth, ada):
    access, _ = await auth.tokens(ada.email)
    assert await auth.me(access) is None
    time.sleep(max(0.0, _claims(access)["exp"] - time.time()) + 0.01)
    assert [await auth.me(access, door) for door in BOTH] == ["invalid_token"] * 2


def _pem(key: Any) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _publics(key: Any) -> list[bytes]:
    public, spki = key.public_key(), serialization.PublicFormat.SubjectPublicKeyInfo
    return [
        public.public_bytes(serialization.Encoding.PEM, spki),
        public.public_bytes(serialization.Encoding.PEM, spki).strip(),
        public.public_bytes(serialization.Encoding.DER, spki),
        public.public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH),
    ]


@pytest.mark.parametrize(
    ("alg", "make"),
    [("RS256", lambda: rsa.generate_private_key(65537, 2048)),
        ("ES256", lambda: ec.generate_private_key(ec.SECP256R1()))],
    ids=["RS256", "ES256"],
)  # fmt: skip
def test_a_public_key_is_no_hmac_secret(make_settings, tmp_path, alg, make):
    key, file = make(), tmp_path / "key.pem"
    file.write_bytes(_pem(key))
    tokens = AccessTokens(make_settings(jwt_key_file=file, jwt_key=None))
    user, session = uuid4(), uuid4()
    good = tokens.issue(user, session, 1)
    assert jwt.get_unverified_header(good)["alg"] == alg
    assert (tokens.read(good).user_id, tokens.read(good).session_id) == (user, session)
    claims = _claims(good)
    other = tmp_path / "other.pem"
    other.write_bytes(_pem(make()))
    forged = [
        *(
            _signed(digest, public, claims)
            for public in _publics(key)
            for digest in ("HS256", "HS384", "HS512")
        ),
        *(_signed("HS256", public, claims, says=alg) for public in _publics(key)),
        _hs(OURS, claims),
        jwt.encode(claims, other.read_text(), alg),
        f"{_b64({'alg': 'none', 'typ': 'JWT'})}.{_b64(claims)}.",
        good[:-4],
    ]
    for token in forged:
        with pytest.raises(InvalidToken):
            tokens.read(token)


def _signed(alg: str, key: bytes, claims: dict[str, Any], says: str | None = None) -> str:
    signed = f"{_b64({'alg': says or alg, 'typ': 'JWT'})}.{_b64(claims)}"
    digest = {"HS256": hashlib.sha256, "HS384": hashlib.sha384, "HS512": hashlib.sha512}[alg]
    return f"{signed}.{_b64(hmac.new(key, signed.encode(), digest).digest())}"


def test_a_weak_or_unreadable_key_is_refused_at_the_start(make_settings, tmp_path):
    weak = [
        _pem(rsa.generate_private_key(65537, 1024)),
        _pem(ec.generate_private_key(ec.SECP384R1())),
        _publics(ec.generate_private_key(ec.SECP256R1()))[0],
        b"no key",
        b"",
    ]
    file = tmp_path / "key.pem"
    for pem in weak:
        file.write_bytes(pem)
        with pytest.raises(BadSettings, match="POSTERN_JWT_KEY_FILE"):
            make_app(make_settings(jwt_key_file=file))
    file.unlink()
    with pytest.raises(BadSettings, match="POSTERN_JWT_KEY_FILE"):
        make_app(make_settings(jwt_key_file=file))
    with pytest.raises(BadSettings, match="POSTERN_JWT_KEY"):
        make_app(make_settings(jwt_key=None))
    for name in ("jwt_key", "secret_key"):
        with pytest.raises(ValueError, match=f"POSTERN_{name.upper()} needs at least 32"):
            make_settings(**{name: "s3cret" * 5})
    assert "j" * 32 not in repr(make_settings())
    assert Settings.model_fields["access_token_seconds"].default == 900


def test_a_token_is_remembered_no_longer_than_the_memory_allows(make_settings, monkeypatch):
    monkeypatch.setattr("core.tokens._CACHED", 3)
    tokens = AccessTokens(make_settings())
    issued = [tokens.issue(uuid4(), uuid4(), 1) for _ in range(5)]
    for token in issued:
        tokens.read(token)
    assert len(tokens._cache) == 3
    assert tokens.read(issued[0]).version == 1
