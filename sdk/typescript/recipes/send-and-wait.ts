// Sends a message and waits until it is delivered: `node send-and-wait.js +14155550100`.
//
// POSTERN_URL and POSTERN_TOKEN say where Postern is and who is calling. To follow many messages, take a webhook
// (receive-webhook.ts) instead of asking for each.
import { setTimeout as sleep } from "node:timers/promises";
import { Postern } from "postern-sdk";

const LONGEST = 60_000; // milliseconds
const postern = new Postern();

let message = await postern.messages.send({
  body: { channel: "sms", to: process.argv[2], body: "Your table is ready" },
});
const ends = Date.now() + LONGEST;
while (!["delivered", "failed"].includes(message.status) && Date.now() < ends) {
  await sleep(500);
  message = await postern.messages.get({ path: { id: message.id } });
}
console.log(message.id, message.status, message.failureReason ?? "");
process.exitCode = message.status === "delivered" ? 0 : 1;
