// Receives the events of a webhook: `SECRET=whsec_… PORT=8080 node receive-webhook.js`.
//
// Make the webhook with `postern.webhooks.create({ body: { url: … } })`, whose answer has the secret, once.
import { createServer, type IncomingMessage } from "node:http";
import { eventsOf, verifyWebhook, WebhookRefused } from "postern-sdk/webhooks";

const seen = new Set<string>(); // a program that stores events in a database asks that for their ids

async function receive(request: IncomingMessage): Promise<number> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  let content: unknown;
  try {
    content = await verifyWebhook(Buffer.concat(parts), request.headers, process.env["SECRET"]!);
  } catch (error) {
    if (error instanceof WebhookRefused) return 401;
    throw error;
  }
  for (const event of eventsOf(content) as { id: string; type: string }[]) {
    if (seen.has(event.id)) continue; // the same event may come twice
    console.log(event.type, event.id);
    seen.add(event.id);
  }
  return 204;
}

createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error: unknown) => {
      console.error(error);
      response.writeHead(500).end(); // it comes again
    },
  );
}).listen(Number(process.env["PORT"]), "127.0.0.1");
