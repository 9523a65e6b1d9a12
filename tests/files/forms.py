"""Multipart forms as a client writes them."""

from typing import Any


def form(*parts: str, boundary: str = "b", end: bool = True) -> dict[str, Any]:
    text = "".join(f"--{boundary}\r\n{part}\r\n" for part in parts) + (f"--{boundary}--\r\n" if end else "")
    return {
        "content": text.encode(),
        "headers": {"Content-Type": f"multipart/form-data; boundary={boundary}"},
    }


FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhi'


FIELD = 'Content-Disposition: form-data; name="note"\r\n\r\nhello'
