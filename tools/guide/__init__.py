"""Builds the guide: the pages of `docs/` as a site that the service serves at /docs/guide."""
