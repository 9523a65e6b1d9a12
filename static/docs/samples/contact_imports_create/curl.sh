curl -X POST "$POSTERN_URL/contacts/imports" \
  -H "Authorization: Bearer $POSTERN_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"createFields": true, "rows": [{"Email": "anna@example.com", "Name": "Anna Berg", "City": "Berlin"}]}'
