"""Makes the SDKs of `sdk/`: `make sdk`, which docs/sdks.md describes.

    openapi.json ─── document.py ─┬─ python.py ───── openapi-python-client ─ postern_sdk-….whl
    docs/errors.md ── advice.py ──┴─ typescript.py ─ @hey-api/openapi-ts ── postern-sdk-….tgz

What is written by hand is in `sdk/`; what is generated is made anew and never committed (decision 0120).
"""
