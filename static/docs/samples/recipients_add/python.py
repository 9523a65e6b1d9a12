from uuid import UUID

from postern_sdk import Postern
from postern_sdk.models import AddRecipients, NewRecipient

with Postern() as postern:  # of POSTERN_URL, as POSTERN_TOKEN
    anna = NewRecipient(phone="+14155550100", name="Anna")
    added = postern.recipients.add(
        UUID("0190a5d6-6c3a-7d4e-9a51-2f0f5a7d3c11"), AddRecipients(recipients=[anna])
    )
    print(added.added, added.invalid_count)
