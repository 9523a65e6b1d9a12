curl -X POST "$POSTERN_URL/sending-project/start/0190a5d6-6c3a-7d4e-9a51-2f0f5a7d3c11" \
  -H "Authorization: Bearer $POSTERN_TOKEN"
