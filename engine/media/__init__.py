"""Pictures of letters, which everybody who has the address may see.

upload ──► engine/files.store_pending ──► picture_pool: reencode ──► store_pending ──► enter: the row in `media`
           (as it came, for a moment)     (reencoding.py, a child)   (what is served)         │
GET /media/{name} ◄── the operator's CDN, or the API ◄── runtime/links.picture_url ◄──────────┘

Only what the child process has written anew is ever served; the bytes that a user sent are deleted. Storage, its bytes
without a row and their deletion are those of all files (engine/files.py).
"""
