"""The cases of batches of messages, as tests/doors/case.py describes them."""

from tests.doors.case import SMS, Case, Rest

CASES: dict[str, Case] = {
    "message_batches.send": Case(
        "own",
        Rest("POST", "/messages/batch", {"messages": [SMS]}),
        'mutation{sendMessages(inputs:[{to:"+14155550100",channel:sms,body:"hi"}]){index message{uuid} error{code}}}',
    ),
}
