curl "$POSTERN_URL/messages?status=failed&limit=100" \
  -H "Authorization: Bearer $POSTERN_TOKEN"
