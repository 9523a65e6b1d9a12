"""Plans of projects and their approvals: the content that a plan names, its hash, and the start that obeys it."""
