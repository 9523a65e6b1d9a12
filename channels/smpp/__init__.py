"""SMS by SMPP 3.4, straight to an operator's or aggregator's SMSC.

`smpp://system_id:password@host:2775?from=Acme`. Options:

from            sender: a name (up to 11 characters), a short code (up to 8 digits) or an international number;
                left out, the SMSC uses its own. A message may name another one, which gets the numbers of its form
source_ton, source_npi, dest_ton, dest_npi
                numbers of §5.2.5 and §5.2.6; the defaults follow the sender's form, and are 1, 1 for recipients
bind            trx (default), tx+rx (two connections), tx (no receipts, nothing comes in)
system_type     as the SMSC requires it
receipts        0: ask for none (default 1)
dlr_id          asis (default), hex2dec: ids are hexadecimal in submit_sm_resp and decimal in receipts, dec2hex:
                the other way round
reference       1: a message of one submit_sm carries a user_message_reference, by which the receipt of one whose answer
                was lost names it, if the SMSC returns it as §4.6.1 says (default 0)
long            texts of several parts: udh (default; header in the text, 8-bit reference), sar (sar_*
                parameters; the SMSC makes the header), payload (one submit_sm with message_payload)
validity        seconds that the SMSC may try; left out, its own default
window          submit_sm without an answer at once (default 10); also how many messages a `send` takes
connections     sessions that send (default 1, at most 50), each of which has a part of the window
timeout         seconds for connect and bind together, and for each answer (default 10)
enquire_link    seconds of silence after which an enquire_link is sent (default 30)
retry_after     seconds that a throttled message should wait (default 1)
reconnect_min, reconnect_max
                seconds of back-off between binds (defaults 0.5 and 30)
tls             1: TLS, the certificate checked against the system's authorities

A message of several parts has one outcome. Parts are sent one after the other, and the first failure decides. If the
first part fails, nothing was accepted and its failure is the message's. If parts before it were accepted, a permanent
refusal is still `refused` (the message can never be complete, and sending it again would end the same way), and
anything else is `unknown`, because a second attempt would deliver those parts twice. A part that is throttled after
others were accepted is retried here, a few times.

SMPP has no idempotency key. Section numbers in this package are those of the SMPP v3.4 specification.
"""

from channels.smpp.channel import SmppChannel

__all__ = ["SmppChannel"]
