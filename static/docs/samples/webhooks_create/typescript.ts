import { Postern } from "postern-sdk";

const postern = new Postern(); // of POSTERN_URL, as POSTERN_TOKEN
const webhook = await postern.webhooks.create({
  body: { url: "https://example.com/events", types: ["message.delivered", "message.failed"] },
});
console.log(webhook.id, webhook.secret); // for verifyWebhook; it is shown once
