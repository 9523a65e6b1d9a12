curl -X POST "$POSTERN_URL/sending-project" \
  -H "Authorization: Bearer $POSTERN_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"name": "Spring sale", "channel": "sms", "text": "Hello {{ name }}, the sale begins today."}'
