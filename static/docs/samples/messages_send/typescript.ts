import { Postern } from "postern-sdk";

const postern = new Postern(); // of POSTERN_URL, as POSTERN_TOKEN
const message = await postern.messages.send({
  headers: { "Idempotency-Key": "booking-17" },
  body: { channel: "sms", to: "+14155550100", body: "Your table is ready" },
});
console.log(message.id, message.status);
