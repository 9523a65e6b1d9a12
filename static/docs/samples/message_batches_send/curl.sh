curl -X POST "$POSTERN_URL/messages/batch" \
  -H "Authorization: Bearer $POSTERN_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"messages": [
    {"channel": "sms", "to": "+14155550100", "body": "Your table is ready", "key": "booking-17"},
    {"channel": "email", "to": "anna@example.com", "body": "Your table is ready", "key": "booking-18"}
  ]}'
