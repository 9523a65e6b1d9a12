/**
 * Verifies what Postern posts to a webhook: Standard Webhooks, HMAC-SHA256 over id, time and body. It runs wherever Web
 * Crypto does; a browser has no use for it, since the secret belongs on a server.
 */
import { WebhookRefused } from "./errors.js";

export { WebhookRefused } from "./errors.js";

/** Seconds by which a request may be older or newer than this machine's clock. */
export const TOLERANCE = 300;

export interface VerifyOptions {
  /** Seconds. Default: 300. */
  tolerance?: number;
  /** Seconds since 1970. Default: now. */
  now?: number;
}

type HeadersLike = Headers | Record<string, string | string[] | undefined>;

/**
 * Returns the content of a request, which Postern has signed with this secret; throws `WebhookRefused`.
 *
 * `body`: exactly the bytes that were received. The same request may come again with the same `webhook-id`.
 */
export async function verifyWebhook(
  body: Uint8Array | string,
  headers: HeadersLike,
  secret: string,
  options: VerifyOptions = {},
): Promise<unknown> {
  const id = header(headers, "webhook-id");
  const at = header(headers, "webhook-timestamp");
  if (!id || !/^\d{1,15}$/.test(at)) {
    throw new WebhookRefused("The headers webhook-id and webhook-timestamp are missing or malformed.");
  }
  const { subtle } = globalThis.crypto ?? (await import("node:crypto")).webcrypto; // Node 18 has it there
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (!bytes?.length) throw new WebhookRefused("The secret is not `whsec_` followed by base64.");
  const key = await subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const data = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${at}.`);
  const signed = new Uint8Array(head.length + data.length);
  signed.set(head);
  signed.set(data, head.length);
  // While a secret is replaced there are two signatures. `verify` compares in constant time.
  const signatures = header(headers, "webhook-signature")
    .split(" ")
    .filter((part) => part.startsWith("v1,"));
  const fits = await Promise.all(
    signatures.map(async (part) => {
      const signature = bytesOf(part.slice(3));
      return signature !== undefined && (await subtle.verify("HMAC", key, signature, signed));
    }),
  );
  if (!fits.includes(true))
    throw new WebhookRefused("No signature of the request fits its body and the secret.");
  const now = options.now ?? Date.now() / 1000;
  if (Math.abs(now - Number(at)) > (options.tolerance ?? TOLERANCE)) {
    throw new WebhookRefused("The request is too old, or of the future. Is the clock of this machine right?");
  }
  return JSON.parse(new TextDecoder().decode(data));
}

/** Returns the events in the content of a request: several if the webhook has `batch`, else one. */
export function eventsOf(content: unknown): unknown[] {
  const events = (content as { events?: unknown } | null)?.events;
  return Array.isArray(events) ? events : [content];
}

function header(headers: HeadersLike, name: string): string {
  if (typeof (headers as Headers).get === "function") return (headers as Headers).get(name) ?? "";
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return [entry?.[1] ?? ""].flat().join(" ");
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
