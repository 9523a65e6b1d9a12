curl -X POST "$POSTERN_URL/messages" \
  -H "Authorization: Bearer $POSTERN_TOKEN" \
  -H "Idempotency-Key: booking-17" \
  -H "Content-Type: application/json" \
  -d '{"channel": "sms", "to": "+14155550100", "body": "Your table is ready"}'
