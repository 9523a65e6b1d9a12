"""The protocols that each claim speaks, and a claim that breaks its promise about a message."""

from typing import Any

import pytest

from channels.batch import BROKE
from engine.direct.claim import DirectClaim, EmailClaim
from engine.direct.items import DirectItem
from engine.projects.claim import BatchClaim
from engine.sending.port import CoolsDown, CountsIntents, Expires, LoadsFiles, StoresGroups
from tests.support.fake_channels import Fake, use
from tests.support.gateway import Gateway

PROTOCOLS = {StoresGroups, CountsIntents, CoolsDown, Expires, LoadsFiles}


@pytest.mark.parametrize(
    ("claim", "protocols"),
    [
        (DirectClaim, {Expires}),
        (EmailClaim, {Expires, LoadsFiles}),
        (BatchClaim, {StoresGroups, CountsIntents, CoolsDown}),
    ],
)
def test_a_claim_can_do_what_its_store_needs_and_no_more(claim: type, protocols: set[type]) -> None:
    """A method of such a protocol's name makes a claim that protocol, whatever it is for."""
    assert {protocol for protocol in PROTOCOLS if issubclass(claim, protocol)} == protocols


async def test_a_message_without_an_outcome_is_unknown_and_the_others_of_its_group_are_stored(
    gateway: Gateway, ada: Any, drain: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def load(self: EmailClaim, message: DirectItem) -> bool:
        return message.to != "broken@example.com"  # and no outcome says why

    monkeypatch.setattr(EmailClaim, "load", load)
    use(gateway.services, fake := Fake(), kind="email")
    broken = await gateway.send(ada, "broken@example.com", "email")
    others = [await gateway.send(ada, f"{name}@example.com", "email") for name in ("anna", "bob")]
    assert await drain("email") == 3
    assert {message.id for message in fake.took} == {*others}
    row = await gateway.row(broken)
    assert (row["state"], row["failure_code"]) == ("unknown", BROKE.code)
    assert [await gateway.state(id) for id in others] == ["sent", "sent"]
