// Receives the events of a webhook: `SECRET=whsec_… PORT=8080 node receive_events.mjs`. Needs nothing but Node 20.
import { createHmac, timingSafeEqual } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

const key = Buffer.from(process.env.SECRET.replace("whsec_", ""), "base64");
const file = process.env.FILE ?? "received.jsonl";
const seen = new Set(); // a program that stores events in a database asks that for their ids

function isValid(headers, body) {
  const id = headers["webhook-id"];
  const at = headers["webhook-timestamp"];
  if (!id || !(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false;
  const expected = createHmac("sha256", key).update(`${id}.${at}.`).update(body).digest();
  // After a rotation of the secret there are two signatures for a day.
  return (headers["webhook-signature"] ?? "").split(" ").some((part) => {
    const signature = Buffer.from(part.replace("v1,", ""), "base64");
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

async function receive(request, response) {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  if (!isValid(request.headers, body)) return response.writeHead(401).end();
  const content = JSON.parse(body);
  // With `batch` a request has several events. The same event may come twice: its id says so. (A body of a GraphQL
  // document has the id of its request.)
  for (const [n, event] of (content.events ?? [content]).entries()) {
    const id = event.id ?? `${request.headers["webhook-id"]}/${n}`;
    if (seen.has(id)) continue;
    appendFileSync(file, JSON.stringify(event) + "\n"); // stored before the answer: it does not come again
    seen.add(id);
  }
  response.writeHead(204).end();
}

createServer((request, response) => {
  receive(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end(); // it comes again
  });
}).listen(Number(process.env.PORT ?? 8080), process.env.HOST ?? "127.0.0.1");
