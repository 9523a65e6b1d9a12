from uuid import UUID

from postern_sdk import Postern

with Postern() as postern:  # of POSTERN_URL, as POSTERN_TOKEN
    message = postern.messages.get(UUID("0190a5d6-6c3a-7d4e-9a51-2f0f5a7d3c11"))
    print(message.status, message.failure_reason)
