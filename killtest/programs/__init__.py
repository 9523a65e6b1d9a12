"""Programs that run inside a product's own environment: they import its packages, and nothing of this one."""
