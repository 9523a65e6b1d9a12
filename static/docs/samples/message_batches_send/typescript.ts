import { Postern } from "postern-sdk";

const postern = new Postern(); // of POSTERN_URL, as POSTERN_TOKEN
const messages = [
  { channel: "sms", to: "+14155550100", body: "Your table is ready", key: "booking-17" },
  { channel: "email", to: "anna@example.com", body: "Your table is ready", key: "booking-18" },
] as const;
const { results } = await postern.messageBatches.send({ body: { messages: [...messages] } });
for (const { index, error, message } of results) console.log(index, error?.message ?? message?.id);
