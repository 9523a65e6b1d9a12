curl -X POST "$POSTERN_URL/contacts" \
  -H "Authorization: Bearer $POSTERN_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"externalId": "customer-17", "name": "Anna Berg",
    "addresses": [{"channel": "email", "address": "anna@example.com"}]}'
