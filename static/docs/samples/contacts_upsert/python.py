from postern_sdk import Postern
from postern_sdk.models import NewContactAddress, UpsertContact

with Postern() as postern:  # of POSTERN_URL, as POSTERN_TOKEN
    contact = postern.contacts.upsert(
        UpsertContact(
            external_id="customer-17",
            name="Anna Berg",
            addresses=[NewContactAddress(channel="email", address="anna@example.com")],
        )
    )
    print(contact.id)
