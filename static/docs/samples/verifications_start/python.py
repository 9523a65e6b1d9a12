from postern_sdk import Postern
from postern_sdk.models import StartVerification

with Postern() as postern:  # of POSTERN_URL, as POSTERN_TOKEN
    verification = postern.verifications.start(
        StartVerification(channel="sms", to="+14155550100", purpose="login")
    )
    print(verification.id)
