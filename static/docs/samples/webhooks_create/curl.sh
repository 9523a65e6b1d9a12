curl -X POST "$POSTERN_URL/webhooks" \
  -H "Authorization: Bearer $POSTERN_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"url": "https://example.com/events", "types": ["message.delivered", "message.failed"]}'
