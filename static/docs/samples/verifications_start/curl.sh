curl -X POST "$POSTERN_URL/verifications" \
  -H "Authorization: Bearer $POSTERN_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"channel": "sms", "to": "+14155550100", "purpose": "login"}'
