/** Code to copy. It is the same in all languages. */

const BASE = () => location.origin;

export function curlMe(token = "$TOKEN"): string {
  return `curl -H "Authorization: Bearer ${token}" ${BASE()}/auth/me`;
}

export function curlSend(): string {
  return [
    `curl -X POST ${BASE()}/messages \\`,
    '  -H "Authorization: Bearer $TOKEN" \\',
    '  -H "Content-Type: application/json" \\',
    '  -H "Idempotency-Key: order-1001" \\',
    `  -d '{"channel": "email", "to": "delivered@sandbox.postern.test", "body": "Hello", "metadata": {"subject": "Hello"}}'`,
  ].join("\n");
}

/** A message whose status is posted to an address of its own. */
export function callback(): string {
  return [
    `curl -X POST ${BASE()}/messages \\`,
    '  -H "Authorization: Bearer $TOKEN" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"channel": "sms", "to": "+14155550100", "body": "Hello", "statusCallback": "https://example.com/messages/4711"}'`,
  ].join("\n");
}

export function curlGraphql(): string {
  return [
    `curl -X POST ${BASE()}/graphql \\`,
    '  -H "Authorization: Bearer $TOKEN" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"query": "{ me { email accounts { nodes { balance currency } } } }"}'`,
  ].join("\n");
}

/** A report of an engine, signed as Standard Webhooks has it; only bash, openssl and curl are needed. */
export function signedHook(user: string, secret = "whsec_…"): string {
  return [
    `SECRET='${secret}'`,
    `BODY='{"event": "delivery", "messageId": "…", "status": "delivered"}'`,
    'ID="$(date +%s)-$RANDOM"; AT="$(date +%s)"',
    `KEY="$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -vtx1 | tr -d ' \\n')"`,
    'SIGNATURE="$(printf %s "$ID.$AT.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)"',
    `curl -X POST ${BASE()}/delivery-hook/${user} \\`,
    '  -H "Content-Type: application/json" \\',
    '  -H "webhook-id: $ID" -H "webhook-timestamp: $AT" -H "webhook-signature: v1,$SIGNATURE" \\',
    '  -d "$BODY"',
  ].join("\n");
}

export function keyedHook(user: string, key = "pst_hook_…"): string {
  return [
    `curl -X POST "${BASE()}/delivery-hook/${user}?key=${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"event": "delivery", "messageId": "…", "status": "delivered"}'`,
  ].join("\n");
}

/** How a receiver checks a request of a webhook, in Python's own library. */
export const CHECK_SIGNATURE = `import base64, hashlib, hmac, time

def is_ours(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """\`body\` is what came, byte by byte; \`headers\` have lower-case names."""
    id, at = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(at)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.digest(key, f"{id}.{at}.".encode() + body, hashlib.sha256)
    expected = "v1," + base64.b64encode(mac).decode()
    return any(hmac.compare_digest(expected, one) for one in headers["webhook-signature"].split())`;
