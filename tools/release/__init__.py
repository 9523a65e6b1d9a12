"""Makes what a release consists of: `make release`, which docs/release.md describes."""
