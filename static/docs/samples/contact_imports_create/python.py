from postern_sdk import Postern
from postern_sdk.models import NewContactImport

with Postern() as postern:  # of POSTERN_URL, as POSTERN_TOKEN
    rows = [{"Email": "anna@example.com", "Name": "Anna Berg", "City": "Berlin"}]
    made = postern.contact_imports.create(NewContactImport(rows=rows, create_fields=True))
    print(made.uuid, made.status)
