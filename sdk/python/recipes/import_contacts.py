"""Imports contacts from a file (CSV, XLSX, JSON …): `python import_contacts.py people.csv`."""

import sys
import time
from pathlib import Path

from postern_sdk import File, Postern, iterate
from postern_sdk.models import FilesUploadBody, NewContactImport

path = Path(sys.argv[1])

with Postern() as postern:
    with path.open("rb") as opened:
        file = postern.files.upload(FilesUploadBody(file=File(opened, path.name)))
    made = postern.contact_imports.create(NewContactImport(file_uuid=file.uuid, create_fields=True))
    while made.status == "processing":
        time.sleep(0.5)
        made = postern.imports.get(made.uuid)
    print(made.status, made.valid, "valid", made.invalid, "invalid", made.status_reason or "")
    for row in iterate(postern.imports.list_rows, made.uuid, valid=False):
        print("line", row.line, row.error and row.error.message)
    sys.exit(made.status != "ready")
